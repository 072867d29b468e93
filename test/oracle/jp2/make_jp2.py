"""Makes JPEG 2000 files with GDAL: `make_jp2.py <cases.json> <out folder>`.

Each case: name, width, height, bands, type (uint8, uint16, int16), epsg and transform or null, and GDAL's own creation
options. The same pixels are used for the golden files and for the oracle's matrix.
"""

import json
import os
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
TYPES = {"uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "int16": gdal.GDT_Int16}


def pixels(dtype, band, height, width, bits):
    """Smooth ground with some roughness, over the whole range of the type; an eighth is empty, as at a swath's edge."""
    y, x = np.mgrid[0:height, 0:width]
    rough = (x * 7919 + y * 104729 + band * 1299709) % 251
    wave = np.sin(x / 17.0 + band) * np.cos(y / 23.0) * 0.4 + 0.5
    top = 2 ** bits - 1
    value = (wave * top + rough * top / 6000.0).astype(np.int64).clip(0, top)
    value[(x + y) < (width + height) // 8] = 0
    if dtype == "int16":
        value -= 2 ** (bits - 1)
    return value


def make(case, out):
    driver = gdal.GetDriverByName("MEM")
    ds = driver.Create("", case["width"], case["height"], case["bands"], TYPES[case["type"]])
    if case["epsg"] is not None:
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(case["epsg"])
        ds.SetProjection(srs.ExportToWkt())
        ds.SetGeoTransform(case["transform"])
    for band in range(case["bands"]):
        ds.GetRasterBand(band + 1).WriteArray(
            pixels(case["type"], band, case["height"], case["width"], case["bits"])
        )
    path = os.path.join(out, case["name"])
    gdal.GetDriverByName("JP2OpenJPEG").CreateCopy(path, ds, options=case["options"])
    # bare codestreams cannot hold a georeference: GDAL writes it to a sidecar
    if os.path.exists(path + ".aux.xml"):
        os.remove(path + ".aux.xml")


for one in json.load(open(sys.argv[1], encoding="utf8")):
    try:
        make(one, sys.argv[2])
    except RuntimeError as error:
        sys.exit(f"{one['name']}: {error}")
