"""What plans of tiles say, compared with GDAL and PROJ: overviews, methods, and how wide kernels are."""
import functools
import re

import numpy
from osgeo import gdal, osr

from tile_grid import MERCATOR, transform_of

# gdalwarp takes an overview that is coarser than the target by less than this; we never take a coarser one.
SLACK = 0.1


@functools.lru_cache(maxsize=None)
def native_pixel(path):
    """The side of a pixel of the full image in Web Mercator, as gdalwarp would choose it."""
    return gdal.AutoCreateWarpedVRT(gdal.Open(path), None, MERCATOR.ExportToWkt()).GetGeoTransform()[1]


def reduction_of(path, level):
    """How many pixels of the full image a pixel of a level has on a side."""
    dataset = gdal.Open(path)
    return 1 if level == 0 else dataset.RasterXSize / dataset.GetRasterBand(1).GetOverview(level - 1).XSize


def method_of(ratio):
    """The rule: cubic beyond the zoom level of a file, averages where a target pixel spans more than two of its own."""
    return "cubic" if ratio < 0.5**0.5 else "bilinear" if ratio <= 2 else "average"


@functools.lru_cache(maxsize=None)
def level_by_gdal(path, pixel_m):
    """The level that gdalwarp -ovr AUTO reads for pixels of a size, 0 for the full image.

    By what it logs when it warps the whole image: with bounds it would measure the part inside of them, and tiles of
    one zoom level would read different overviews.
    """
    ratio = pixel_m / native_pixel(path)
    if ratio <= 1:
        return 0
    messages = []
    gdal.PushErrorHandler(lambda kind, number, text: messages.append(text))
    gdal.SetConfigOption("CPL_DEBUG", "WARP")
    gdal.Warp("", path, format="MEM", dstSRS="EPSG:3857", xRes=pixel_m, yRes=pixel_m)
    gdal.SetConfigOption("CPL_DEBUG", None)
    gdal.PopErrorHandler()
    found = [re.search(r"Selecting overview level (\d+)", text) for text in messages]
    level = max([int(match.group(1)) + 1 for match in found if match], default=0)
    return level - 1 if ratio * (1 + 1e-6) < reduction_of(path, level) < ratio + SLACK else level


def is_across_antimeridian(path):
    dataset = gdal.Open(path)
    west, pixel, *_ = dataset.GetGeoTransform()
    east = west + pixel * dataset.RasterXSize
    return dataset.GetSpatialRef().IsGeographic() and (east > 180 or west < -180)


def pixels_across(mosaic, tile, cell):
    """How many pixels of the image a target pixel spans in the middle of a cell, in x and y, by PROJ."""
    west, pixel, _, north, _, _ = transform_of(tile)
    (column, row), size = cell["corner"], cell["sizePx"]
    x, y = west + (column + size / 2) * pixel, north - (row + size / 2) * pixel
    to_source = osr.CoordinateTransformation(MERCATOR, mosaic.system)
    steps = [(x - pixel / 2, y), (x + pixel / 2, y), (x, y - pixel / 2), (x, y + pixel / 2)]
    a, b, c, d = (numpy.array(point[:2]) for point in to_source.TransformPoints(steps))
    across = numpy.array([b - a, d - c]) / [mosaic.transform[1], mosaic.transform[5]]
    return numpy.hypot(across[0], across[1])


def judge_plan(rows, tile, planned, mosaic):
    for file in planned["files"]:
        path, pixel_m = file["path"], transform_of(tile)[1]
        # Of a file across the antimeridian GDAL measures the resolution around the whole map.
        if is_across_antimeridian(path):
            rows.add("overviews and methods", 0, 0, left_out=1, unit="")
            continue
        level = level_by_gdal(path, pixel_m)
        ratio = pixel_m / native_pixel(path) / reduction_of(path, level)
        # GDAL and we measure the ratio along the diagonal, and may differ by a thousandth of it.
        methods = {method_of(ratio * near) for near in (0.999, 1.001)}
        is_right = level == file["level"] and planned["method"] in methods
        rows.add("overviews and methods", 1, not is_right, abs(level - file["level"]), unit="levels")
    if planned["radiusPx"] == 0:
        return
    for cell in planned["cells"]:
        spans = pixels_across(mosaic, tile, cell)
        widths = numpy.array(cell["reach"]) / planned["radiusPx"]
        # Up to 1 / 0.95 kernels are not widened, as in GDAL; wider ones are in 64ths of a pixel.
        wanted = numpy.maximum(1, spans) if spans.max() > 1 / 0.95 else numpy.ones(2)
        off = float(numpy.abs(widths - wanted).max())
        rows.add("kernel widths", 1, off > 1 / 128 + 1e-3, off, unit="px")
