"""Writes elevation models with GDAL: write_dems.py FOLDER < sources.json (GeneratedSource of dem-sources.ts)."""
import json
import sys
from pathlib import Path

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()
TYPES = {"float32": gdal.GDT_Float32, "int16": gdal.GDT_Int16}
# Each wave: part of the longest length, direction in radians, phase.
WAVES = [(1, 0.3, 0.1), (0.61, 2.2, 1.3), (0.37, 1.1, 4.0), (0.17, 2.9, 2.2), (0.083, 0.8, 5.5), (0.031, 1.9, 3.1),
         (0.011, 0.5, 0.7)]
METRES_PER_UNIT = {"foot": 0.3048}


def heights_of(image, ground):
    """Waves of several lengths with some noise: the same function for all images of a source."""
    (width, height), (west, north) = image["size"], image["corner"]
    x = west + image.get("shiftX", 0) + (numpy.arange(width) + 0.5) * image["pixel"][0]
    y = north - (numpy.arange(height) + 0.5) * image["pixel"][1]
    heights = numpy.full((height, width), ground["baseM"], numpy.float32)
    for part, turn, phase in WAVES:
        k = 2 * numpy.pi / (ground["length"] * part)
        across, down = k * numpy.cos(turn) * x + phase, k * numpy.sin(turn) * y
        # sin(a + b), so that there are few sines to compute
        wave = numpy.outer(numpy.cos(down), numpy.sin(across)) + numpy.outer(numpy.sin(down), numpy.cos(across))
        heights += (0.5 * ground["reliefM"] * part * wave).astype(numpy.float32)
    # Of the pixel's position, so that pixels that two images share have the same.
    noise = numpy.sin(numpy.rint(x / image["pixel"][0] * 2) * 12.9898)[None, :]
    noise = noise + numpy.sin(numpy.rint(y / image["pixel"][1] * 2) * 78.233)[:, None]
    heights += ((noise * 43758.5453) % 1 * 0.5).astype(numpy.float32)
    return heights


def voids_of(image):
    """Specks and some large holes; none in the first quarter, so that there are tiles without any."""
    width, height = image["size"]
    random = numpy.random.default_rng(width + height)
    voids = random.random((height, width)) < 0.0005
    column, row = numpy.arange(width)[None, :] / width, numpy.arange(height)[:, None] / height
    for x, y, radius in ((0.7, 0.3, 0.05), (0.9, 0.85, 0.08), (0.5, 0.02, 0.03), (0.02, 0.9, 0.03)):
        voids |= (column - x) ** 2 + (row - y) ** 2 < radius**2
    voids[: height, : width // 2] &= (row > 0.8) | (row < 0.1)
    return voids


def write(image, ground, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    reference = osr.SpatialReference()
    reference.SetFromUserInput(image["srs"])
    heights = heights_of(image, ground)
    if reference.IsCompound():
        heights /= METRES_PER_UNIT[reference.GetAttrValue("COMPD_CS|VERT_CS|UNIT")]
    scaling = image.get("scaling", {"scale": 1, "offset": 0})
    stored = (heights - scaling["offset"]) / scaling["scale"]
    if image["type"] == "int16":
        stored = numpy.rint(stored)
    if ground["hasVoids"]:
        stored[voids_of(image)] = image["nodata"]
    is_cog = image["driver"] == "COG"
    driver = gdal.GetDriverByName("MEM" if is_cog else "GTiff")
    name, options = ("", []) if is_cog else (str(path), image["options"])
    made = driver.Create(name, *image["size"], 1, TYPES[image["type"]], options)
    made.SetSpatialRef(reference)
    made.SetGeoTransform((image["corner"][0], image["pixel"][0], 0, image["corner"][1], 0, -image["pixel"][1]))
    band = made.GetRasterBand(1)
    if image["nodata"] is not None:
        band.SetNoDataValue(image["nodata"])
    if "scaling" in image:
        band.SetScale(scaling["scale"])
        band.SetOffset(scaling["offset"])
    band.WriteArray(stored)
    if is_cog:
        gdal.GetDriverByName("COG").CreateCopy(str(path), made, options=image["options"])
    made = band = None
    if image.get("overviews"):
        opened = gdal.Open(str(path), gdal.GA_ReadOnly if image.get("isExternal") else gdal.GA_Update)
        opened.BuildOverviews("AVERAGE", image["overviews"])


for source in json.load(sys.stdin):
    for image in source["images"]:
        write(image, source["ground"], Path(sys.argv[1]) / source["name"] / "dem" / image["path"])
