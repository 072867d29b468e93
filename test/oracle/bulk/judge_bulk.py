"""Compares the numbers of fields with exactextract (shares of pixels) and with rasterstats and NumPy (centres)."""

import json
import sys
import warnings
from pathlib import Path

import geopandas
import numpy
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
from rasterio.transform import Affine
from rasterstats import zonal_stats
from shapely.geometry import MultiPolygon, Polygon

warnings.filterwarnings("ignore")

folder = Path(sys.argv[1])
data = json.loads((folder / "fields.json").read_text())
side = data["side"]
red, nir = (
    numpy.fromfile(folder / name, "uint16").reshape(side, side) for name in ("red.bin", "nir.bin")
)
r, n = (band.astype("float32") * numpy.float32(0.0001) for band in (red, nir))
with numpy.errstate(invalid="ignore", divide="ignore"):
    ndvi = ((n - r) / (n + r)).astype("float32")
ndvi[(red == 0) | (nir == 0)] = numpy.nan

# Rows count downwards; the rasters of the judges have their origin below.
shapes = [
    MultiPolygon(
        [
            Polygon([(x, side - y) for x, y in rings[0]], [[(x, side - y) for x, y in hole] for hole in rings[1:]])
            for rings in field
        ]
    )
    for field in data["fields"]
]
frame = geopandas.GeoDataFrame({"id": range(len(shapes))}, geometry=shapes, crs=32631)

NAMES = ["count", "average", "min", "max", "std", "median", "q1", "q3", "p10", "p90"]
TOLERANCE = 2e-6
faults = []
compared = {"fractions": 0, "centres": 0}


def compare(kind, i, own, wanted):
    """Each number of a field; a field without a pixel has none."""
    statistics = None if own is None else own["statistics"]
    if statistics is None:
        if wanted is not None:
            faults.append(f"{kind} {i}: no numbers instead of {wanted}")
        return
    if wanted is None:
        faults.append(f"{kind} {i}: numbers of nothing: {statistics}")
        return
    for name, value in wanted.items():
        slack = TOLERANCE * max(1, abs(value))
        if not abs(statistics[name] - value) <= slack:
            faults.append(f"{kind} {i} {name}: {statistics[name]} instead of {value}")
    compared[kind] += 1


raster = NumPyRasterSource(ndvi, xmin=0, ymin=0, xmax=side, ymax=side)
ops = ["count", "mean", "min", "max", "stdev", "median"]
ops += [f"quantile(q={q})" for q in (0.25, 0.75, 0.1, 0.9)]
exact = exact_extract(raster, frame, ops, output="pandas")
for i, row in enumerate(exact.itertuples(index=False)):
    wanted = dict(zip(NAMES, [float(value) for value in row]))
    compare("fractions", i, data["fractions"][i], wanted if wanted["count"] > 0 else None)

stats = ["count", "mean", "min", "max", "std", "median"]
stats += [f"percentile_{p}" for p in (25, 75, 10, 90)]
affine = Affine(1, 0, 0, 0, -1, side)
found = zonal_stats(frame, numpy.where(numpy.isnan(ndvi), -9, ndvi), affine=affine, nodata=-9, stats=stats)
for i, row in enumerate(found):
    own = data["centres"][i]
    # Without the centre of a pixel ours takes those that the field touches.
    if own is not None and own["isTouched"]:
        if row["count"]:
            faults.append(f"centres {i}: rasterstats has {row['count']} pixels")
        continue
    wanted = None if not row["count"] else dict(zip(NAMES, [float(row[name]) for name in stats]))
    compare("centres", i, own, wanted)

for fault in faults[:20]:
    print(fault)
print(f"{compared['fractions']} fields by shares, {compared['centres']} by centres: {len(faults)} mismatches")
sys.exit(1 if faults or min(compared.values()) < 500 else 0)
