"""The judge of src/areas: GEOS on validity, GDAL on rasters, an equal-area projection on sizes. Reads from stdin
{"valid": [geometry], "rasters": [{"geometry", "epsg", "transform", "width", "height"}], "sizes": [geometry]};
writes the answers in the same order. A raster comes with the distance of each pixel we ask about to the outline."""
import base64
import json
import sys

import numpy as np
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")


def system(epsg):
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(epsg)
    crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return crs


def project(geometry, epsg, step):
    """To another system, with edges cut into short pieces first: they are straight in degrees."""
    shape = ogr.CreateGeometryFromJson(json.dumps(geometry))
    shape.Segmentize(step)
    if epsg != 4326:
        shape.Transform(osr.CoordinateTransformation(system(4326), system(epsg)))
    return shape


def overlap(geometry):
    """Ground that two polygons of a MultiPolygon share."""
    shape = ogr.CreateGeometryFromJson(json.dumps(geometry))
    if shape.GetGeometryName() != "MULTIPOLYGON":
        return 0.0
    parts = [shape.GetGeometryRef(i) for i in range(shape.GetGeometryCount())]
    if not all(part.IsValid() for part in parts):
        return 1e9
    pairs = [(a, b) for i, a in enumerate(parts) for b in parts[:i]]
    return sum(a.Intersection(b).GetArea() for a, b in pairs)


def raster(job):
    west, pixel = job["transform"][0], job["transform"][1]
    step = pixel if job["epsg"] == 4326 else pixel / 111320
    shape = project(job["geometry"], job["epsg"], step)
    width, height = job["width"], job["height"]
    target = gdal.GetDriverByName("MEM").Create("", width, height, 1, gdal.GDT_Byte)
    target.SetGeoTransform(job["transform"])
    target.SetProjection(system(job["epsg"]).ExportToWkt())
    source = ogr.GetDriverByName("Memory").CreateDataSource("")
    layer = source.CreateLayer("", system(job["epsg"]))
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(shape)
    layer.CreateFeature(feature)
    gdal.RasterizeLayer(target, [1], layer, burn_values=[1])
    mask = target.ReadAsArray()
    ours = np.frombuffer(base64.b64decode(job["mask"]), np.uint8).reshape(height, width)
    edge = shape.GetBoundary()
    worst = 0.0
    for row, col in np.argwhere(mask != ours):
        centre = ogr.Geometry(ogr.wkbPoint)
        x, y = gdal.ApplyGeoTransform(job["transform"], col + 0.5, row + 0.5)
        centre.AddPoint_2D(x, y)
        worst = max(worst, centre.Distance(edge) / pixel)
    return {"inside": int(mask.sum()), "differing": int((mask != ours).sum()), "worstPx": worst}


def size(geometry):
    """EPSG:6933 (EASE-Grid 2.0) keeps areas of the ellipsoid."""
    west, east, *_ = ogr.CreateGeometryFromJson(json.dumps(geometry)).GetEnvelope()
    return project(geometry, 6933, (east - west) / 2000).GetArea() / 1e6


work = json.load(sys.stdin)
valid = []
for geometry in work["valid"]:
    shape = ogr.CreateGeometryFromJson(json.dumps(geometry))
    valid.append({"isValid": bool(shape.IsValid()), "overlap": None if shape.IsValid() else overlap(geometry)})
json.dump(
    {
        "version": gdal.VersionInfo("RELEASE_NAME"),
        "valid": valid,
        "rasters": [raster(job) for job in work["rasters"]],
        "sizes": [size(geometry) for geometry in work["sizes"]],
    },
    sys.stdout,
)
