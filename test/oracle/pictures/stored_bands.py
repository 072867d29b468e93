"""Bands of products on the grid of a picture: what is stored, warped by GDAL, and where there is anything."""

import json
import re
from functools import lru_cache

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
EMPTY = -99999.0


def system(epsg):
    found = osr.SpatialReference()
    found.ImportFromEPSG(epsg)
    found.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return found


def dataset(grid, kind=gdal.GDT_Float32):
    made = gdal.GetDriverByName("MEM").Create("", grid["width"], grid["height"], 1, kind)
    made.SetGeoTransform(grid["transform"])
    made.SetProjection(system(grid["epsg"]).ExportToWkt())
    return made


def open_level(path, index, level):
    """One band of a file: the full image, level 0, or one of its smaller copies."""
    options = [] if level == 0 else [f"OVERVIEW_LEVEL={level - 1}"]
    opened = gdal.OpenEx(path, open_options=options)
    if opened.RasterCount == 1:
        return opened
    # the fourth band of NAIP is infrared, also where a writer has called it alpha
    words = ["-of", "VRT", "-b", str(index + 1), "-mask", "none", "-colorinterp", "gray"]
    return gdal.Translate("", opened, options=words)


def choose_level(path, index, grid):
    """The smaller copy that gdalwarp takes by itself."""
    messages = []
    gdal.PushErrorHandler(lambda kind, number, text: messages.append(text))
    gdal.SetConfigOption("CPL_DEBUG", "WARP")
    try:
        gdal.Warp(dataset(grid), open_level(path, index, 0), resampleAlg="near")
    finally:
        gdal.SetConfigOption("CPL_DEBUG", None)
        gdal.PopErrorHandler()
    found = [re.search(r"Selecting overview level (\d+)", text) for text in messages]
    return max([int(match.group(1)) + 1 for match in found if match], default=0)


def source_pixels(way, column, row):
    """How many columns and rows of the source a pixel of a grid spans."""
    spots = [(column, row), (column + 1, row), (column, row + 1)]
    (x0, y0, _), (x1, y1, _), (x2, y2, _) = (way.TransformPoint(0, *spot)[1] for spot in spots)
    return np.hypot(x1 - x0, x2 - x0), np.hypot(y1 - y0, y2 - y0)


def blocks_by_scale(source, grid, side):
    """
    gdalwarp widens its kernels when it shrinks, by one ratio for all of what it works on. Pictures have the ratio of the
    position, to a 64th of a pixel, so that tiles fit together: GDAL is told that one, block by block.
    """
    way = gdal.Transformer(dataset(grid), source, [])
    found = {}
    for top in range(0, grid["height"], side):
        for left in range(0, grid["width"], side):
            ratios = source_pixels(way, left + side / 2, top + side / 2)
            wide = [1.0, 1.0]
            if max(ratios) > 1 / 0.95:
                wide = [max(64, np.floor(ratio * 64 + 0.5)) / 64 for ratio in ratios]
            options = tuple(f"{axis}SCALE={1 / ratio!r}" for axis, ratio in zip("XY", wide))
            found.setdefault(options, []).append((slice(top, top + side), slice(left, left + side)))
    return found


@lru_cache(maxsize=64)
def warp_text(path, index, grid_text, method, nodata, side):
    grid = json.loads(grid_text)
    level = choose_level(path, index, grid)
    source = open_level(path, index, level)
    own = source.GetRasterBand(1).GetNoDataValue()
    values = np.empty((grid["height"], grid["width"]), np.float32)
    for scale, blocks in blocks_by_scale(source, grid, side).items():
        target = dataset(grid)
        target.GetRasterBand(1).SetNoDataValue(EMPTY)
        target.GetRasterBand(1).Fill(EMPTY)
        gdal.Warp(
            target,
            source,
            resampleAlg=method,
            errorThreshold=0,
            srcNodata=own if own is not None else nodata,
            dstNodata=EMPTY,
            overviewLevel="NONE",
            warpOptions=list(scale),
        )
        warped = target.ReadAsArray()
        for block in blocks:
            values[block] = warped[block]
    return values, values != np.float32(EMPTY), level


def warp(file, grid, method, nodata, side=32):
    """Values, where there are any, and the level they were read from; kernels have one width in blocks of this side."""
    return warp_text(file["path"], file["index"], json.dumps(grid), method, nodata, side)


def read_picture(path):
    """A PNG as red, green, blue, alpha."""
    opened = gdal.Open(path)
    planes = opened.ReadAsArray()
    table = opened.GetRasterBand(1).GetRasterColorTable()
    if table is not None:
        colors = np.array([table.GetColorEntry(i) for i in range(table.GetCount())], np.uint8)
        return np.moveaxis(colors[planes], -1, 0)
    planes = planes[None] if planes.ndim == 2 else planes
    full = np.full_like(planes[0], 255)
    if len(planes) <= 2:
        return np.stack([planes[0]] * 3 + [planes[1] if len(planes) == 2 else full])
    return planes if len(planes) == 4 else np.concatenate([planes, full[None]])
