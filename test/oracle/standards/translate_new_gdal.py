"""gdal_translate of the GDAL inside pyogrio's wheel, which is newer than Debian's: <source> <file> [OPEN_OPTION=…] -- [options]."""
import ctypes
import glob
import os
import sys

import pyogrio

folder = os.path.join(os.path.dirname(os.path.dirname(pyogrio.__file__)), "pyogrio.libs")
gdal = ctypes.CDLL(glob.glob(os.path.join(folder, "libgdal*"))[0])
pointer = ctypes.c_void_p
for name in ("GDALOpenEx", "GDALTranslateOptionsNew", "GDALTranslate"):
    getattr(gdal, name).restype = pointer
gdal.GDALAllRegister()


def strings(values):
    return (ctypes.c_char_p * (len(values) + 1))(*[value.encode() for value in values], None)


source, target, *rest = sys.argv[1:]
end = rest.index("--")
RASTER = 2
opened = pointer(gdal.GDALOpenEx(source.encode(), RASTER, None, strings(rest[:end]), None))
if not opened:
    sys.exit("GDAL cannot open it.")
options = pointer(gdal.GDALTranslateOptionsNew(strings(rest[end + 1 :]), None))
written = pointer(gdal.GDALTranslate(target.encode(), opened, options, None))
if not written:
    sys.exit("GDAL cannot read it.")
gdal.GDALClose(written)
gdal.GDALClose(opened)
print(".".join(str(part) for part in pyogrio.__gdal_version__))
