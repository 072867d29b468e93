"""Measures fields with exactextract or rasterstats, as a program would do it: reads two bands, computes NDVI, and asks."""

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
if peer == "exactextract":
    from exactextract import exact_extract
    from exactextract.raster import NumPyRasterSource
else:
    from rasterstats import zonal_stats

started = time.process_time()
means = []
for red, nir in order["scenes"]:
    bands = []
    for name in (red, nir):
        with rasterio.open(name) as file:
            bands.append(file.read(1, window=Window(0, 0, size, size)).astype("float32"))
    ndvi = (bands[1] - bands[0]) / (bands[1] + bands[0])
    if peer == "exactextract":
        raster = NumPyRasterSource(
            ndvi, xmin=x, ymin=y - 10 * size, xmax=x + 10 * size, ymax=y, srs_wkt=frame.crs.to_wkt()
        )
        ops = ["count", "mean", "min", "max", "stdev", "median"]
        ops += [f"quantile(q={q})" for q in (0.1, 0.25, 0.75, 0.9)]
        means = exact_extract(raster, frame, ops, output="pandas")["mean"].tolist()
    else:
        stats = ["count", "mean", "min", "max", "std", "median"]
        stats += [f"percentile_{p}" for p in (10, 25, 75, 90)]
        found = zonal_stats(frame, ndvi, affine=from_origin(x, y, 10, 10), nodata=-9, stats=stats)
        means = [row["mean"] for row in found]
print(json.dumps({"cpuS": time.process_time() - started, "mean": float(numpy.mean(means))}))
