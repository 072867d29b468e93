"""Tiles as files: GeoTIFFs lie where they should, and heights as colours decode to the same heights."""
import math

import numpy
from osgeo import gdal

from tile_grid import transform_of

# Half a step of the encoding.
STEPS = {"terrarium": 1 / 512, "terrainrgb": 0.05}


def judge_georeference(rows, tile):
    dataset = gdal.Open(tile["heights"])
    band = dataset.GetRasterBand(1)
    size = tile["sizePx"]
    wanted = transform_of(tile)
    # Parts of a pixel; origins are near 2e7 m, where float64 has 4e-9 m.
    off = max(abs(got - want) for got, want in zip(dataset.GetGeoTransform(), wanted)) / wanted[1]
    nodata = band.GetNoDataValue()
    is_right = (
        off < 1e-6
        and (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (size, size, 1)
        and dataset.GetSpatialRef().GetAuthorityCode(None) == "3857"
        and band.DataType == gdal.GDT_Float32
        and nodata is not None
        and math.isnan(nodata)
    )
    rows.add("GeoTIFF in GDAL", 1, not is_right, off, unit="px")


def decode(kind, path):
    """Heights of a picture, NaN where it is transparent."""
    pixels = gdal.Open(path).ReadAsArray().astype(numpy.float64)
    red, green, blue = pixels[:3]
    if kind == "terrarium":
        heights = 256 * red + green + blue / 256 - 32768
    else:
        heights = 0.1 * (65536 * red + 256 * green + blue) - 10000
    if len(pixels) > 3:
        heights[pixels[3] == 0] = numpy.nan
    return heights


def judge_encodings(rows, tile):
    judge_georeference(rows, tile)
    heights = gdal.Open(tile["heights"]).ReadAsArray().astype(numpy.float64)
    for kind, step in STEPS.items():
        decoded = decode(kind, tile[kind])
        voids = numpy.isnan(decoded) != numpy.isnan(heights)
        off = numpy.abs(decoded - heights)
        # Colours are computed in float32.
        far = off > step + 2**-23 * numpy.abs(heights)
        rows.add(kind, heights.size, (voids | far).sum(), numpy.nanmax(off, initial=0))
