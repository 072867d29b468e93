"""Hillshade, slope and aspect of tiles compared with gdaldem (Horn), from the heights that the service gave.

gdaldem has one size of pixels for a whole image, we have that of the ground in each row. So it is run on three rows at
a time, with the size of the middle one. It adds float32 heights before it subtracts them, so they are shifted by their
mean first. What is lost even so turns the direction of a gentle slope, and is allowed there.
"""
import numpy
from osgeo import gdal

from tile_grid import ground_sizes

NODATA = -9999.0
# gdaldem computes angles in float32.
MAX_DEG = 1e-3
# Half ulps of the largest height that a gradient may lose: 8 of the rounded heights, 18 of two sums of four, 8 of their
# difference, all for x and y, divided by Horn's 8 pixels.
LOST_ULPS = (8 + 18 + 8) * 2**0.5 / 8
MAX_ONES = 1e-3
# Below this slope the direction is left out: one ulp of a height may turn it.
MIN_SLOPE_DEG = 0.05


def heights_around(tile, around):
    """Heights of the tile and one pixel around it, from those of its neighbours; NaN where unknown."""
    size = tile["sizePx"]
    missing = numpy.full((size, size), numpy.nan)
    read = [missing if path is None else gdal.Open(path).ReadAsArray() for path in around]
    whole = numpy.block([read[0:3], read[3:6], read[6:9]]).astype(numpy.float64)
    return whole[size - 1:2 * size + 1, size - 1:2 * size + 1]


def three_rows(heights, row, pixel_m):
    """The rows around one, shifted to about 0 m, and the largest of the shifted heights."""
    window = heights[row:row + 3]
    known = window[~numpy.isnan(window)]
    shifted = window - (numpy.rint(known.mean()) if known.size else 0)
    dataset = gdal.GetDriverByName("MEM").Create("", window.shape[1], 3, 1, gdal.GDT_Float32)
    dataset.SetGeoTransform((0, pixel_m, 0, 0, 0, -pixel_m))
    dataset.GetRasterBand(1).SetNoDataValue(NODATA)
    dataset.GetRasterBand(1).WriteArray(numpy.where(numpy.isnan(shifted), NODATA, shifted).astype(numpy.float32))
    return dataset, float(numpy.abs(shifted[~numpy.isnan(shifted)]).max(initial=0))


def by_gdaldem(tile, heights, kind, **options):
    """What gdaldem computes for all pixels of the tile, and for each row what its gradients may lose."""
    rows, lost = [], []
    for row, pixel_m in enumerate(ground_sizes(tile)):
        dataset, largest = three_rows(heights, row, pixel_m)
        result = gdal.DEMProcessing("", dataset, kind, format="MEM", alg="Horn", **options)
        rows.append(result.ReadAsArray()[1, 1:-1])
        lost.append(LOST_ULPS * largest * 2**-24 / pixel_m)
    return numpy.array(rows), numpy.array(lost)[:, None]


def grey_and_alpha(path):
    """The levels of a grey picture, with or without palette, and where it is opaque."""
    dataset = gdal.Open(path)
    pixels = dataset.ReadAsArray()
    table = dataset.GetRasterBand(1).GetColorTable()
    if table is not None:
        colors = numpy.array([table.GetColorEntry(i) for i in range(table.GetCount())])
        pixels = numpy.moveaxis(colors[pixels], -1, 0)
    if pixels.ndim == 2:
        return pixels.astype(int), numpy.ones(pixels.shape, bool)
    has_alpha = pixels.shape[0] in (2, 4)
    return pixels[0].astype(int), pixels[-1] > 0 if has_alpha else numpy.ones(pixels.shape[1:], bool)


def judge_hillshades(rows, tile, heights, hillshades):
    for light in hillshades:
        wanted, _ = by_gdaldem(tile, heights, "hillshade", azimuth=light["azimuthDeg"], altitude=light["altitudeDeg"])
        got, opaque = grey_and_alpha(light["picture"])
        # gdaldem writes 0 where it is unknown and 1 to 255 elsewhere.
        voids = opaque != (wanted > 0)
        off = numpy.abs(got - wanted.astype(int))[opaque & (wanted > 0)]
        rows.add("hillshade", opaque.size, voids.sum() + (off > 1).sum(), off.max(initial=0), unit="levels")
        # gdaldem approximates a reciprocal root, which rounds a few pixels the other way.
        ones = (off == 1).mean() if off.size else 0
        rows.add("hillshade, 1 level off", off.size, ones > MAX_ONES, ones, unit="of the pixels")


def judge_slopes(rows, tile, heights, steep):
    size = tile["sizePx"]
    slope, _ = by_gdaldem(tile, heights, "slope")
    got = numpy.fromfile(tile["slopes"]["slope"], numpy.float32).reshape(size, size)
    voids = numpy.isnan(got) != (slope == NODATA)
    known = ~numpy.isnan(got) & (slope != NODATA)
    off = numpy.where(known, numpy.abs(got - slope), 0)
    rows.add("slope", size * size, (voids | (off > MAX_DEG)).sum(), off.max(), unit="degrees")

    # The picture is transparent where the slope is unknown or gentler than asked for.
    _, opaque = grey_and_alpha(steep["picture"])
    near = known & (numpy.abs(slope - steep["minSlopeDeg"]) < MAX_DEG)
    wrong = (opaque != (known & (slope >= steep["minSlopeDeg"]))) & ~near
    rows.add("slopes from MIN_SLOPE on", size * size, wrong.sum(), wrong.sum(), near.sum(), "pixels a tile")
    return slope


def judge_aspects(rows, tile, heights, slope):
    size = tile["sizePx"]
    aspect, lost = by_gdaldem(tile, heights, "aspect")
    turned = numpy.fromfile(tile["slopes"]["aspect"], numpy.float32).reshape(size, size)
    level = (slope != NODATA) & (slope < MIN_SLOPE_DEG)
    voids = (numpy.isnan(turned) != (aspect == NODATA)) & ~level
    both = ~numpy.isnan(turned) & (aspect != NODATA) & ~level
    apart = numpy.abs(turned - aspect)
    off = numpy.where(both, numpy.minimum(apart, 360 - apart), 0)
    # The same loss turns a gentle slope farther than a steep one.
    allowed = MAX_DEG + numpy.degrees(lost / numpy.tan(numpy.radians(numpy.maximum(slope, MIN_SLOPE_DEG))))
    rows.add("aspect", size * size, (voids | (off > allowed)).sum(), off.max(), level.sum(), "degrees")


def judge_relief(rows, tile):
    relief = tile["relief"]
    if relief is None:
        return
    heights = heights_around(tile, relief["around"])
    judge_hillshades(rows, tile, heights, relief["hillshades"])
    slope = judge_slopes(rows, tile, heights, relief["steep"])
    judge_aspects(rows, tile, heights, slope)
