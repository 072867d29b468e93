"""Makes test/golden/scaled: an image of NAIP with a scale and an offset for each band, and its values as GDAL unscales them.

Run by hand: `python3 test/oracle/tiff/make_scaled.py` (needs GDAL's Python bindings and NumPy).
"""

import json
import os

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
OUT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "golden", "scaled"))
SIZE = 8
SCALES = [(0.5, -3.0), (0.0001, 0.0), (2.75e-05, -0.2), (1.0, 12.5)]


def main():
    os.makedirs(OUT, exist_ok=True)
    path = os.path.join(OUT, "scaled.tif")
    ds = gdal.GetDriverByName("GTiff").Create(path, SIZE, SIZE, len(SCALES), gdal.GDT_Byte)
    ds.SetGeoTransform((601183.0, 1000.0, 0.0, 3430444.0, 0.0, -1000.0))
    system = osr.SpatialReference()
    system.ImportFromEPSG(26916)
    ds.SetProjection(system.ExportToWkt())
    for i, (scale, offset) in enumerate(SCALES):
        band = ds.GetRasterBand(i + 1)
        band.WriteArray((np.arange(SIZE * SIZE).reshape(SIZE, SIZE) * 4 + i).astype(np.uint8))
        band.SetScale(scale)
        band.SetOffset(offset)
    del ds
    unscaled = gdal.Translate("", path, format="MEM", unscale=True, outputType=gdal.GDT_Float32)
    values = [unscaled.GetRasterBand(i + 1).ReadAsArray().ravel().tolist() for i in range(len(SCALES))]
    with open(os.path.join(OUT, "unscaled.json"), "w") as file:
        json.dump({"gdal": gdal.__version__, "values": values}, file)
        file.write("\n")


main()
