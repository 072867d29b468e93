"""Contours of tiles compared with those of GDAL from the heights that the service gave, by length for each height.

Both are linear between pixels, and decide saddles differently. Ours have no points that move a line by less than a
tenth of a pixel. GDAL draws lines half a pixel into voids: lengths are compared in tiles without any, and elsewhere it
is checked that no line of ours runs through a cell with an unknown corner. Lengths do not say where lines are: so it is
also checked that the ground has the height of the line at its points, by NumPy.
"""
import json

import numpy
from osgeo import gdal, ogr

from judge_relief import heights_around
from tile_grid import to_mercator, transform_of

MAX_PART = 0.02
# Shorter lines of a height may differ by a single saddle; they count in the sum of the tile.
MIN_LENGTH_PX = 50
UNIT = "of the length"
# Lines end at the border of the tile, between edges of pixels.
BORDER_PX, ROUNDING_PX = 0.02, 0.01


def lengths_by_gdal(heights, interval_m):
    """Lengths in pixels by height, inside the tile; heights have one more pixel on each side."""
    size = heights.shape[0]
    raster = gdal.GetDriverByName("MEM").Create("", size, size, 1, gdal.GDT_Float32)
    # Pixels of the tile as coordinates.
    raster.SetGeoTransform((-1, 1, 0, -1, 0, 1))
    raster.GetRasterBand(1).WriteArray(heights.astype(numpy.float32))
    source = ogr.GetDriverByName("Memory").CreateDataSource("")
    layer = source.CreateLayer("lines")
    layer.CreateField(ogr.FieldDefn("ele", ogr.OFTReal))
    gdal.ContourGenerateEx(raster.GetRasterBand(1), layer, options=[f"LEVEL_INTERVAL={interval_m}", "ELEV_FIELD=ele"])
    inner = size - 2
    box = ogr.CreateGeometryFromWkt(f"POLYGON((0 0,{inner} 0,{inner} {inner},0 {inner},0 0))")
    lengths = {}
    for feature in layer:
        height = feature.GetField("ele")
        lengths[height] = lengths.get(height, 0) + feature.GetGeometryRef().Intersection(box).Length()
    return lengths


def read_lines(tile, path):
    """Our lines by height, in pixels of the tile."""
    west, pixel, _, north, _, _ = transform_of(tile)
    lines = {}
    with open(path, encoding="utf-8") as file:
        for feature in json.load(file)["features"]:
            for line in feature["geometry"]["coordinates"]:
                points = numpy.array(to_mercator.TransformPoints(line))[:, :2]
                points = (points - [west, north]) / [pixel, -pixel]
                lines.setdefault(feature["properties"]["ele"], []).append(points)
    return lines


def length_of(line):
    return numpy.hypot(*numpy.diff(line, axis=0).T).sum()


def judge_points_of(rows, heights, lines):
    """Where a line crosses the edge between two pixels, the height between them is that of the line."""
    inner = heights.shape[0] - 2
    for level, some in lines.items():
        points = numpy.concatenate(some)
        is_at_border = ((points < BORDER_PX) | (points > inner - BORDER_PX)).any(axis=1)
        points = points[~is_at_border]
        # From the corner of the tile to the centre of the first pixel of the heights.
        column, row = (points[:, i] + 0.5 for i in (0, 1))
        left, top = numpy.floor(column).astype(int), numpy.floor(row).astype(int)
        x, y = column - left, row - top
        corners = [heights[top + dy, left + dx] for dy in (0, 1) for dx in (0, 1)]
        upper, lower = corners[0] * (1 - x) + corners[1] * x, corners[2] * (1 - x) + corners[3] * x
        ground = upper * (1 - y) + lower * y
        off = numpy.abs(ground - level)
        # Degrees are rounded to 1e-7, which is half a hundredth of a pixel at zoom level 16.
        allowed = 0.01 + ROUNDING_PX * (numpy.fmax.reduce(corners) - numpy.fmin.reduce(corners))
        known = ~numpy.isnan(ground)
        rows.add("contour heights", known.sum(), (known & (off > allowed)).sum(), off[known].max(initial=0),
                 is_at_border.sum() + (~known).sum())


def judge_voids(rows, heights, lines):
    """No segment of a line lies inside a cell with an unknown corner."""
    unknown = numpy.isnan(heights)
    # Cell (column, row) lies between the centres of four pixels.
    is_open = unknown[:-1, :-1] | unknown[1:, :-1] | unknown[:-1, 1:] | unknown[1:, 1:]
    middles = [(line[1:] + line[:-1]) / 2 for some in lines.values() for line in some]
    points = numpy.concatenate([numpy.empty((0, 2)), *middles]) + 0.5
    columns, rows_of = (numpy.clip(points[:, i].astype(int), 0, is_open.shape[0] - 1) for i in (0, 1))
    # Simplified lines may be a tenth of a pixel off.
    inside = numpy.minimum(points % 1, 1 - points % 1).min(axis=1) > 0.1
    wrong = (is_open[rows_of, columns] & inside).sum()
    rows.add("contours at voids", len(points), wrong, wrong, unit="a tile")


def judge_contours(rows, tile):
    relief = tile["relief"]
    if relief is None:
        return
    heights = heights_around(tile, relief["around"])
    lines = read_lines(tile, relief["contours"]["lines"])
    judge_points_of(rows, heights, lines)
    if numpy.isnan(heights).any():
        judge_voids(rows, heights, lines)
        return
    wanted = lengths_by_gdal(heights, relief["contours"]["intervalM"])
    got = {height: sum(length_of(line) for line in some) for height, some in lines.items()}
    for height in {*wanted, *got}:
        one, other = wanted.get(height, 0), got.get(height, 0)
        if max(one, other) < MIN_LENGTH_PX:
            rows.add("contour lengths", 0, 0, left_out=1, unit=UNIT)
            continue
        part = abs(one - other) / max(one, other)
        rows.add("contour lengths", 1, part > MAX_PART, part, unit=UNIT)
    total = sum(wanted.values())
    if total > 0:
        part = abs(sum(got.values()) - total) / total
        rows.add("contours of a tile", 1, part > MAX_PART, part, unit=UNIT)
