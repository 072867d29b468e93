"""Measures fields with exactextract or rasterstats, as a program would do it: reads two bands, computes NDVI, and asks.

Imports, and the fields as geometries in the reference system of the scenes, are ready before the clock starts; no table is
written. Swath's time has all of these in it, and the start of its compiled code."""

import json
import sys
import time
import warnings

import geopandas
import numpy
import rasterio
from rasterio.transform import from_origin
from rasterio.windows import Window
from shapely.geometry import Polygon

warnings.filterwarnings("ignore")
peer, path = sys.argv[1:3]
order = json.load(open(path))
x, y, size = order["x"], order["y"], order["sizePx"]
frame = geopandas.GeoDataFrame(
    {"id": range(len(order["fields"]))}, geometry=[Polygon(ring) for ring in order["fields"]], crs=order["epsg"]
)
if peer.startswith("exactextract"):
    from exactextract import exact_extract
    from exactextract.raster import NumPyRasterSource
else:
    from rasterstats import zonal_stats

OPS = ["count", "mean", "min", "max", "stdev", "median"]
OPS += [f"quantile(q={q})" for q in (0.1, 0.25, 0.75, 0.9)]
STATS = ["count", "mean", "min", "max", "std", "median"]
STATS += [f"percentile_{p}" for p in (10, 25, 75, 90)]


def read_ndvi(red, nir):
    bands = []
    for name in (red, nir):
        with rasterio.open(name) as file:
            bands.append(file.read(1, window=Window(0, 0, size, size)).astype("float32"))
    return (bands[1] - bands[0]) / (bands[1] + bands[0])


def to_raster(ndvi, name):
    return NumPyRasterSource(
        ndvi, xmin=x, ymin=y - 10 * size, xmax=x + 10 * size, ymax=y, srs_wkt=frame.crs.to_wkt(), name=name
    )


started, started_wall = time.process_time(), time.perf_counter()
means = []
if peer == "exactextract-stack":
    # One call for all scenes, so that the shares of pixels are computed once; all scenes are in memory.
    rasters = [to_raster(read_ndvi(*scene), f"s{i}") for i, scene in enumerate(order["scenes"])]
    found = exact_extract(rasters, frame, OPS, output="pandas")
    means = found[[name for name in found.columns if name.endswith("_mean") or name == "mean"][-1]].tolist()
else:
    for scene in order["scenes"]:
        ndvi = read_ndvi(*scene)
        if peer == "exactextract":
            means = exact_extract(to_raster(ndvi, "ndvi"), frame, OPS, output="pandas")["mean"].tolist()
        else:
            found = zonal_stats(frame, ndvi, affine=from_origin(x, y, 10, 10), nodata=-9, stats=STATS)
            means = [row["mean"] for row in found]
spent = {"cpuS": time.process_time() - started, "wallS": time.perf_counter() - started_wall}
print(json.dumps({**spent, "mean": float(numpy.mean(means))}))
