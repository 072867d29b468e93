"""Heights of points compared with bilinear values of the full images, computed by NumPy.

Null exactly where the pixel under the point is void or outside of all files; next to a void the known ones of the four
neighbours count. Left out: points within a pixel of a border between files of different spacing, where we interpolate
from both.
"""
import numpy
from osgeo import gdal, osr

from dem_images import NODATA, Mosaic, offset_on, shifted
from tile_grid import DEGREES

MAX_M, MAX_RELATIVE = 0.01, 1e-5


def groups_of(files, sea):
    """Files by their spacing and lattice, finest first; files at the antimeridian are on one side of it."""
    groups = []
    transforms = {path: gdal.Open(path).GetGeoTransform() for path in sorted(files)}
    is_across = any(transform[0] > 90 for transform in transforms.values())
    for path, transform in transforms.items():
        turn = 360 if is_across and transform[0] < -90 else 0
        placed = shifted(transform, turn)
        group = next((group for group in groups if offset_on(group["lattice"], placed)), None)
        if group is None:
            groups.append(group := {"lattice": placed, "parts": []})
        group["parts"].append((path, 0, turn))
    mosaics = [Mosaic(group["parts"], sea) for group in groups]
    return sorted(mosaics, key=lambda mosaic: mosaic.transform[1])


def bilinear(mosaic, column, row):
    """The height at a position, NaN if the pixel under it is void, and whether a file has that pixel."""
    height, width = mosaic.heights.shape
    under = int(numpy.floor(column)), int(numpy.floor(row))
    if not (0 <= under[0] < width and 0 <= under[1] < height) or not mosaic.is_inside[under[1], under[0]]:
        return numpy.nan, False
    if mosaic.heights[under[1], under[0]] == NODATA:
        return numpy.nan, True
    left, top = int(numpy.floor(column - 0.5)), int(numpy.floor(row - 0.5))
    x, y = column - 0.5 - left, row - 0.5 - top
    weights = numpy.outer([1 - y, y], [1 - x, x])
    values = mosaic.heights[top:top + 2, left:left + 2].astype(numpy.float64)
    weights = numpy.where(values == NODATA, 0, weights)
    return (weights * values).sum() / weights.sum(), True


def is_near_other(mosaics, positions, index):
    """Whether two groups of files have pixels within one pixel of a position."""
    near = 0
    for mosaic, points in zip(mosaics, positions):
        column, row = (int(numpy.floor(value)) for value in points[index])
        part = mosaic.is_inside[max(0, row - 1):max(0, row + 2), max(0, column - 1):max(0, column + 2)]
        near += bool(part.any())
    return near > 1


def locate(mosaic, points):
    """Positions of points in an image, as column and row."""
    west, width, _, north, _, height = mosaic.transform
    to_file = osr.CoordinateTransformation(DEGREES, mosaic.system)
    at = numpy.array(to_file.TransformPoints([(point["lon"], point["lat"]) for point in points]))[:, :2]
    if mosaic.system.IsGeographic():
        at[:, 0] = west + (at[:, 0] - west) % 360
    return (at - [west, north]) / [width, height]


def judge_points(rows, job):
    points = job["points"]
    mosaics = groups_of(job["files"], job["hasSea"])
    positions = [locate(mosaic, points) for mosaic in mosaics]
    for index, point in enumerate(points):
        if is_near_other(mosaics, positions, index):
            rows.add("points", 0, 0, left_out=1)
            continue
        wanted, is_covered = numpy.nan, False
        for mosaic, at in zip(mosaics, positions):
            if not is_covered:
                wanted, is_covered = bilinear(mosaic, *at[index])
        if not is_covered and job["hasSea"]:
            wanted = 0.0
        got = point["heightM"]
        if got is None or numpy.isnan(wanted):
            rows.add("points without height", 1, (got is None) != numpy.isnan(wanted), unit="")
            continue
        off = abs(got - wanted)
        rows.add("points", 1, off > max(MAX_M, MAX_RELATIVE * abs(wanted)), off)
