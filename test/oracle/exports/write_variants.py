"""Writes scenes of three bands with GDAL, stored in every way that products come in; prints their files as JSON."""
import itertools
import json
import os
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
folder = sys.argv[1]
WIDTH, HEIGHT = 1100, 900
UTM = osr.SpatialReference()
UTM.ImportFromEPSG(32631)
ALBERS = osr.SpatialReference()
ALBERS.ImportFromProj4("+proj=aea +lat_1=-2 +lat_2=-22 +lat_0=-12 +lon_0=-54 +x_0=5000000 +y_0=10000000 +ellps=GRS80 +units=m")
SINUSOIDAL = osr.SpatialReference()
SINUSOIDAL.ImportFromProj4("+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs")


def pixels(dtype, seed):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    values = 100 + 60 * np.sin(x / 40 + seed) + 40 * np.cos(y / 30) + rng.integers(0, 9, (HEIGHT, WIDTH))
    values[:60, :200] = 0
    return values.astype(dtype)


def source(arrays, srs=UTM, transform=(500000, 30, 0, 4700000, 0, -30), nodata=0):
    types = {"uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "int16": gdal.GDT_Int16, "float32": gdal.GDT_Float32}
    made = gdal.GetDriverByName("MEM").Create("", WIDTH, HEIGHT, len(arrays), types[arrays[0].dtype.name])
    made.SetSpatialRef(srs)
    made.SetGeoTransform(transform)
    for i, array in enumerate(arrays):
        made.GetRasterBand(i + 1).WriteArray(array)
        if nodata is not None:
            made.GetRasterBand(i + 1).SetNoDataValue(nodata)
    return made


scenes = {}


def write(name, options, dtype="uint16", driver="GTiff", together=False, overviews=None, config=None, **how):
    for key, value in (config or {}).items():
        gdal.SetConfigOption(key, value)
    groups = [[1, 2, 3]] if together else [[1], [2], [3]]
    files = []
    for group in groups:
        file = f"{name}-{group[0]}.tif"
        path = os.path.join(folder, file)
        made = gdal.GetDriverByName(driver).CreateCopy(path, source([pixels(dtype, seed) for seed in group], **how), options=options)
        made = None
        if overviews is not None:
            made = gdal.Open(path, gdal.GA_ReadOnly if overviews == "external" else gdal.GA_Update)
            made.BuildOverviews("AVERAGE", [2, 4, 8])
            made = None
        files.append(file)
    for key in config or {}:
        gdal.SetConfigOption(key, None)
    scenes[name] = files


TILES = ["TILED=YES", "BLOCKXSIZE=256", "BLOCKYSIZE=256"]
for codec, predictor, dtype in itertools.product(["DEFLATE", "LZW", "ZSTD"], ["1", "2"], ["uint8", "uint16", "int16"]):
    write(f"cog-{codec}-{predictor}-{dtype}", [f"COMPRESS={codec}", f"PREDICTOR={'NO' if predictor == '1' else 'YES'}", "BLOCKSIZE=256"], dtype, "COG")
write("cog-float", ["COMPRESS=DEFLATE", "PREDICTOR=YES", "BLOCKSIZE=128"], "float32", "COG", nodata=-9999)
write("cog-nan", ["COMPRESS=ZSTD", "PREDICTOR=YES"], "float32", "COG", nodata=float("nan"))
write("cog-none", ["COMPRESS=NONE"], "uint16", "COG")
write("cog-no-nodata", ["COMPRESS=DEFLATE"], "uint8", "COG", nodata=None)
write("cog-jpeg", ["COMPRESS=JPEG", "QUALITY=90"], "uint8", "COG", nodata=None)
write("cog-lerc", ["COMPRESS=LERC"], "float32", "COG", nodata=None)
write("cog-bigtiff", ["COMPRESS=DEFLATE", "BIGTIFF=YES"], "uint16", "COG")
write("cog-together", ["COMPRESS=DEFLATE", "PREDICTOR=YES"], "uint8", "COG", together=True)
write("cog-jpeg-together", ["COMPRESS=JPEG"], "uint8", "COG", together=True, nodata=None)
write("cog-sparse", ["COMPRESS=DEFLATE", "SPARSE_OK=YES", "BLOCKSIZE=64"], "uint16", "COG")
write("planar-together", [*TILES, "COMPRESS=DEFLATE", "INTERLEAVE=BAND"], "uint16", together=True, overviews="internal")
write("strips", ["COMPRESS=DEFLATE"], "uint16")
write("strips-plain", ["BLOCKYSIZE=1"], "uint8")
write("tiles-plain", TILES, "uint16")
write("tiles-deflate", [*TILES, "COMPRESS=DEFLATE", "PREDICTOR=2"], "uint16")
write("tiles-lzw", [*TILES, "COMPRESS=LZW"], "uint16")
write("tiles-oblong", ["TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=128", "COMPRESS=DEFLATE"], "uint16", overviews="internal")
write("tiles-packbits", [*TILES, "COMPRESS=PACKBITS"], "uint8", overviews="internal")
write("small-overview-blocks", [*TILES, "COMPRESS=DEFLATE"], "uint16", overviews="internal")
write("external-overviews", [*TILES, "COMPRESS=DEFLATE"], "uint16", overviews="external", config={"COMPRESS_OVERVIEW": "DEFLATE"})
write("external-plain-overviews", [*TILES, "COMPRESS=DEFLATE"], "uint16", overviews="external")
write("big-endian", [*TILES, "COMPRESS=DEFLATE", "ENDIANNESS=BIG"], "uint16", overviews="internal")
write("big-endian-bytes", [*TILES, "COMPRESS=DEFLATE", "ENDIANNESS=BIG"], "uint8", overviews="internal")
write("albers", ["COMPRESS=DEFLATE"], "int16", "COG", srs=ALBERS, transform=(4800000, 64, 0, 10100000, 0, -64), nodata=-9999)
write("sinusoidal", ["COMPRESS=DEFLATE"], "int16", "COG", srs=SINUSOIDAL, transform=(1111950, 463.3127, 0, 5559752.6, 0, -463.3127), nodata=-28672)
write("rotated", ["COMPRESS=DEFLATE"], "uint16", "COG", transform=(500000, 29, 5, 4700000, 4, -28))
print(json.dumps(scenes))
