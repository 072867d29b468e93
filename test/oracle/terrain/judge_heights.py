"""Heights of tiles compared with gdalwarp.

GDAL warps the same level of the same files by the same method onto the tile's pixels, without approximation. The
width of the kernel is given to GDAL (XSCALE, YSCALE): it has one for a whole image and takes it from its own chunks,
while a tile must not depend on chunks. judge_plan.py checks levels and widths.

Left out: pixels next to a border between files of different spacing. There our heights are interpolated from both
files, and GDAL's from one of them, with a step. It is checked that ours lie between GDAL's heights around them.
"""
import numpy
from numpy.lib.stride_tricks import sliding_window_view
from osgeo import gdal

from dem_images import NODATA, make_mosaic
from judge_plan import judge_plan, pixels_across
from tile_grid import HALF_SIDE_M, MERCATOR, bounds_of, transform_of

# Positions may differ by so many target pixels (src/proj/approximate-grid.ts): heights by that part of the local range.
POSITION_PX = 2e-5
MAX_M, MAX_RELATIVE = 0.01, 1e-5
SUMMIT_PART = 0.05


def warp(source, tile, method, scale=None):
    """Values of an image on the pixels of a tile; NODATA where there are none."""
    target = gdal.GetDriverByName("MEM").Create("", tile["sizePx"], tile["sizePx"], 1, gdal.GDT_Float32)
    target.SetGeoTransform(transform_of(tile))
    target.SetSpatialRef(MERCATOR)
    target.GetRasterBand(1).SetNoDataValue(NODATA)
    target.GetRasterBand(1).Fill(NODATA)
    options = [f"XSCALE={float(scale[0])!r}", f"YSCALE={float(scale[1])!r}"] if scale else []
    gdal.Warp(target, source, resampleAlg=method, errorThreshold=0, warpOptions=options)
    return target.ReadAsArray()


def turn_of(path, tile):
    """By how many degrees the longitudes of a file are shifted so that it lies at the tile."""
    dataset = gdal.Open(path)
    if not dataset.GetSpatialRef().IsGeographic():
        return 0
    west, pixel, *_ = dataset.GetGeoTransform()
    east = west + pixel * dataset.RasterXSize
    left, _, right, _ = (edge / HALF_SIDE_M * 180 for edge in bounds_of(tile))
    reach = 16 * max(pixel, (right - left) / tile["sizePx"])
    return next(turn for turn in (0, 360, -360) if west + turn <= right + reach and east + turn >= left - reach)


def warp_planned(tile, planned, mosaic):
    """GDAL's heights of one group of files, with the kernel widths of the plan."""
    if planned["radiusPx"] == 0:
        widest = numpy.max([cell["reach"] for cell in planned["cells"]], axis=0)
        return warp(mosaic.dataset, tile, planned["method"], [1 / max(1, span) for span in widest])
    heights = numpy.full((tile["sizePx"],) * 2, NODATA, numpy.float32)
    by_reach = {}
    for cell in planned["cells"]:
        by_reach.setdefault(tuple(cell["reach"]), []).append(cell)
    for reach, cells in by_reach.items():
        whole = warp(mosaic.dataset, tile, planned["method"], [planned["radiusPx"] / px for px in reach])
        for cell in cells:
            (column, row), size = cell["corner"], cell["sizePx"]
            part = (slice(max(0, row), row + size), slice(max(0, column), column + size))
            heights[part] = whole[part]
    return heights


def widen(mask, by):
    """A mask that reaches so many pixels farther in every direction."""
    for axis in (0, 1):
        padded = numpy.pad(mask, [(by + 1, by) if i == axis else (0, 0) for i in (0, 1)])
        sums = numpy.cumsum(padded, axis=axis, dtype=int)
        ends = numpy.arange(mask.shape[axis])
        mask = numpy.take(sums, ends + 2 * by + 1, axis) > numpy.take(sums, ends, axis)
    return mask


def borders_of(insides, reach_px):
    """Pixels near two groups of files at once."""
    near = [widen(inside, reach_px) for inside in insides]
    return numpy.sum(near, axis=0) > 1


def extremes_around(heights, reach_px):
    """The lowest and the highest known height up to so many pixels around each pixel."""
    found = []
    for sign in (1, -1):
        values = numpy.where(numpy.isnan(heights), numpy.inf, sign * heights)
        for axis in (0, 1):
            padded = numpy.pad(values, [(reach_px, reach_px) if i == axis else (0, 0) for i in (0, 1)], mode="edge")
            values = sliding_window_view(padded, 2 * reach_px + 1, axis).min(axis=-1)
        found.append(sign * values)
    return found


def expected_heights(rows, job, tile):
    """Heights by GDAL, NaN where unknown; the pixels at borders where both may be right; how far borders reach."""
    size = tile["sizePx"]
    heights = numpy.full((size, size), numpy.nan)
    insides, reach_px = [], 1
    for planned in tile["mosaics"]:
        parts = tuple((file["path"], file["level"], turn_of(file["path"], tile)) for file in planned["files"])
        mosaic = make_mosaic(parts, job["hasSea"])
        judge_plan(rows, tile, planned, mosaic)
        values = warp_planned(tile, planned, mosaic)
        inside = warp(mosaic.inside, tile, "near") == 1
        fill = numpy.isnan(heights) & (values != NODATA)
        # Where another group or the sea goes on, a group gives only the pixels whose centres lie in its files.
        if len(tile["mosaics"]) > 1 or job["hasSea"]:
            fill &= inside
        heights[fill] = values[fill]
        insides.append(inside)
        finest = min(1, numpy.min([pixels_across(mosaic, tile, cell) for cell in planned["cells"]]))
        reach_px = max(reach_px, int(numpy.ceil((max(planned["radiusPx"], 1) + 1.5) / finest)))
    if job["hasSea"]:
        heights[~numpy.any([*insides, numpy.zeros((size, size), bool)], axis=0)] = 0
    uncertain = borders_of(insides, reach_px) if len(insides) > 1 else numpy.zeros((size, size), bool)
    return heights, uncertain, reach_px


def judge_borders(rows, uncertain, got, wanted, reach_px):
    """Between files of different spacing there is no gap, and heights are between those of the pixels around."""
    known = uncertain & ~numpy.isnan(wanted)
    low, high = extremes_around(wanted, reach_px)
    # A summit on the border is a little higher than the pixels around.
    slack = MAX_M + SUMMIT_PART * (high - low)
    wrong = known & ~((got >= low - slack) & (got <= high + slack))
    if known.any():
        rows.add("heights at borders", known.sum(), wrong.sum(), numpy.nanmax(numpy.abs(got - wanted)[known]))


def judge_heights(rows, job, tile):
    wanted, uncertain, reach_px = expected_heights(rows, job, tile)
    got = gdal.Open(tile["heights"]).ReadAsArray().astype(numpy.float64)
    voids = numpy.isnan(got) != numpy.isnan(wanted)
    compared = ~uncertain
    wrong = (voids & compared).sum()
    rows.add("voids", compared.sum(), wrong, wrong, uncertain.sum(), "pixels a tile")
    both = compared & ~numpy.isnan(got) & ~numpy.isnan(wanted)
    off = numpy.abs(got - wanted)
    low, high = extremes_around(wanted, 1)
    allowed = numpy.maximum(MAX_M, MAX_RELATIVE * numpy.abs(wanted)) + POSITION_PX * numpy.maximum(high - low, 0)
    methods = " and ".join(sorted({planned["method"] for planned in tile["mosaics"]}))
    if both.any():
        rows.add(f"heights, {methods}", both.sum(), (both & (off > allowed)).sum(), off[both].max(), uncertain.sum())
    judge_borders(rows, uncertain, got, wanted, reach_px)
