"""Where the pixels of tiles lie, by the definition of Web Mercator tiles and by PROJ."""
import numpy
from osgeo import osr

HALF_SIDE_M = 20037508.342789244


def transform_of(tile):
    """The geotransform of a tile."""
    pixel = 2 * HALF_SIDE_M / 2 ** tile["z"] / tile["sizePx"]
    return (
        tile["x"] * tile["sizePx"] * pixel - HALF_SIDE_M, pixel, 0,
        HALF_SIDE_M - tile["y"] * tile["sizePx"] * pixel, 0, -pixel,
    )


def bounds_of(tile):
    """West, south, east and north of a tile in metres."""
    west, pixel, _, north, _, _ = transform_of(tile)
    side = pixel * tile["sizePx"]
    return west, north - side, west + side, north


def reference(text):
    """A reference system whose coordinates go x, y."""
    made = osr.SpatialReference()
    made.SetFromUserInput(text)
    made.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return made


MERCATOR = reference("EPSG:3857")
DEGREES = reference("EPSG:4326")
to_degrees = osr.CoordinateTransformation(MERCATOR, DEGREES)
to_mercator = osr.CoordinateTransformation(DEGREES, MERCATOR)


def ground_sizes(tile):
    """The ground size of a pixel in metres, row by row: Web Mercator is larger by 1 / cos(latitude)."""
    origin, pixel = transform_of(tile)[3], transform_of(tile)[1]
    rows = [(0, origin - (row + 0.5) * pixel) for row in range(tile["sizePx"])]
    latitudes = numpy.array(to_degrees.TransformPoints(rows))[:, 1]
    return pixel * numpy.cos(numpy.radians(latitudes))
