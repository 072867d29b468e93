"""
Reads images as lines of JSON, {"path", "band", "nodata"}, and prints what gdalinfo says of each as a line of JSON. With
it, for images that are small and have a nodata value: which part is measured, and which part its convex hull covers.
"""

import json
import sys

import numpy
from osgeo import gdal, ogr

gdal.UseExceptions()
MAX_PIXELS = 4_000_000


def measure(dataset, band, nodata):
    """Shares of the image in percent: measured pixels, and their convex hull."""
    width, height = dataset.RasterXSize, dataset.RasterYSize
    if nodata is None or width * height > MAX_PIXELS:
        return {}
    valid = dataset.GetRasterBand(band + 1).ReadAsArray() != nodata
    corners = ogr.Geometry(ogr.wkbMultiPoint)
    for row, line in enumerate(valid):
        columns = numpy.flatnonzero(line)
        if len(columns) == 0:
            continue
        for column in (columns[0], columns[-1] + 1):
            for y in (row, row + 1):
                point = ogr.Geometry(ogr.wkbPoint)
                point.AddPoint_2D(float(column), float(y))
                corners.AddGeometry(point)
    share = 100 / (width * height)
    hull = corners.ConvexHull()
    return {"measuredPercent": float(valid.sum()) * share, "hullPercent": hull.Area() * share}


for line in sys.stdin:
    request = json.loads(line)
    dataset = gdal.Open(request["path"])
    info = gdal.Info(dataset, format="json")
    info.update(measure(dataset, request["band"], request["nodata"]))
    print(json.dumps(info))
