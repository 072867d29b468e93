"""Compares tables with their rows, and writes the same rows in other formats: judge_vector.py FOLDER (with expected.json).

Prints a line for each file, fails if one differs, and lists what it has written in theirs.json.
"""
import json
import shutil
import sys
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

folder = Path(sys.argv[1])
expected = json.loads((folder / "expected.json").read_text())
names = [column["name"] for column in expected["columns"]]
table = {name: [row[i] for row in expected["rows"]] for i, name in enumerate(names)}
shapes = shapely.normalize(shapely.from_geojson([json.dumps(shape) for shape in table["geometry"]]))
days = pd.to_datetime(pd.Series(table["day"]))
times = pd.to_datetime(pd.Series(table["time"], dtype="float"), unit="ms", utc=True)
failed = []


def same(found, wanted):
    """Whether two lists are equal, where None, NaN and NaT are nothing."""
    found, wanted = pd.Series(list(found), dtype=object), pd.Series(list(wanted), dtype=object)
    nothing = wanted.isna()
    return len(found) == len(wanted) and bool((found.isna() == nothing).all()) and bool((found[~nothing] == wanted[~nothing]).all())


def judge(file, frame, geometry):
    """Compares the columns of a frame and its shapes with what was written."""
    faults = []
    if not same(frame["name"], table["name"]):
        faults.append("name")
    for name in ("value", "pixels"):
        if not same(pd.to_numeric(frame[name]), table[name]):
            faults.append(name)
    clear = [None if pd.isna(v) or v == "" else str(v).lower() in ("true", "1", "1.0") for v in frame["clear"]]
    if not same(clear, table["clear"]):
        faults.append("clear")
    if not same(pd.to_datetime(pd.Series(list(frame["day"]))), days):
        faults.append("day")
    if not same(pd.to_datetime(pd.Series(list(frame["time"])), utc=True), times):
        faults.append("time")
    if not shapely.equals_exact(shapely.normalize(np.asarray(geometry, dtype=object)), shapes, tolerance=1e-12).all():
        faults.append("geometry")
    print(f"{'DIFFERS' if faults else 'equal'}  {file} {' '.join(faults)}")
    failed.extend(faults)


for file in ("ours.geojson", "ours.gpkg", "ours.zip", "ours.geo.parquet"):
    frame = gpd.read_parquet(folder / file) if file.endswith("parquet") else gpd.read_file(folder / file)
    assert frame.crs is not None and frame.crs.to_epsg(min_confidence=20) in (4326, None), frame.crs
    judge(file, frame, frame.geometry)

frame = pd.read_csv(folder / "ours.csv")
judge("ours.csv", frame, shapely.from_wkt(frame["geometry"]))
for file, arrow in (
    ("ours.parquet", pq.read_table(folder / "ours.parquet")),
    ("ours.arrows", pa.ipc.open_stream(folder / "ours.arrows").read_all()),
):
    arrow.validate(full=True)
    types = [str(field.type) for field in arrow.schema]
    wanted = ["string", "double", "int64", "bool", "date32[day]", "timestamp[ms, tz=UTC]", "binary"]
    if types != wanted:
        failed.append(file)
        print("DIFFERS", file, types)
    frame = pd.DataFrame({name: arrow[name].to_pylist() for name in names})
    judge(file, frame, shapely.from_wkb(frame["geometry"]))

# A box filter reads only rows that meet it, by the column bbox.
near = gpd.read_parquet(folder / "ours.geo.parquet", bbox=(12, 48, 12.05, 48.05))
print(f"{'equal' if len(near) == 1 else 'DIFFERS'}  ours.geo.parquet by a box: {len(near)} rows")
if len(near) != 1:
    failed.append("bbox")

theirs = []
data = gpd.GeoDataFrame({"name": table["name"], "value": table["value"]}, geometry=list(shapes), crs="EPSG:4326")


def wrote(name):
    theirs.append(name)
    return folder / name


data.to_file(wrote("theirs.gpkg"), driver="GPKG")
data.to_crs(25833).to_file(wrote("theirs-utm.gpkg"), driver="GPKG")
data.to_file(wrote("theirs.geojson"), driver="GeoJSON", COORDINATE_PRECISION=12)
data.to_crs(3857).to_file(wrote("theirs-mercator.geojson"), driver="GeoJSON", COORDINATE_PRECISION=6)
data.to_file(wrote("theirs.geojsonl"), driver="GeoJSONSeq", COORDINATE_PRECISION=12)
data.to_file(wrote("theirs-rs.geojsons"), driver="GeoJSONSeq", RS="YES", COORDINATE_PRECISION=12)
data.to_file(wrote("theirs.kml"), driver="KML")
data.assign(wkt=shapely.to_wkt(data.geometry, rounding_precision=-1)).drop(columns="geometry").to_csv(wrote("theirs.csv"), index=False)
for name, crs, encoding in (("lonlat", 4326, "UTF-8"), ("laea", 3035, "ISO-8859-1"), ("utm", 32633, "UTF-8")):
    layer = folder / f"shapefile-{name}"
    layer.mkdir()
    data.to_crs(crs).to_file(layer / "fields.shp", encoding=encoding)
    shutil.make_archive(str(folder / f"theirs-{name}"), "zip", layer)
    theirs.append(f"theirs-{name}.zip")
for codec in ("snappy", "zstd", "gzip", "brotli", None):
    data.to_parquet(wrote(f"theirs-{codec}.parquet"), compression=codec, row_group_size=300)
data.to_crs(25833).to_parquet(wrote("theirs-utm.parquet"), write_covering_bbox=True)
(folder / "theirs.json").write_text(json.dumps(theirs))
sys.exit(1 if failed else 0)
