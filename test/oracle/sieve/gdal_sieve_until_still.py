"""Sieves label images with GDAL until nothing changes: gdal_sieve_until_still.py FOLDER (with jobs.json)."""
import json
import sys
from pathlib import Path

import numpy
from osgeo import gdal

gdal.UseExceptions()
folder = Path(sys.argv[1])
memory = gdal.GetDriverByName("MEM")
longest = 0
for job in json.loads((folder / "jobs.json").read_text()):
    shape = (job["height"], job["width"])
    labels = numpy.fromfile(folder / f"{job['name']}.raw", numpy.uint8).reshape(shape)
    dataset = memory.Create("", shape[1], shape[0], 1, gdal.GDT_Byte)
    band = dataset.GetRasterBand(1)
    band.SetNoDataValue(0)
    passes = 0
    while True:
        band.WriteArray(labels)
        result = memory.Create("", shape[1], shape[0], 1, gdal.GDT_Byte)
        # as gdal_sieve.py does by default: pixels without data take no part, sides connect
        gdal.SieveFilter(band, band.GetMaskBand(), result.GetRasterBand(1), job["minPixels"], 4)
        sieved = result.GetRasterBand(1).ReadAsArray()
        if numpy.array_equal(sieved, labels):
            break
        labels = sieved
        passes += 1
    longest = max(longest, passes)
    labels.tofile(folder / f"{job['name']}.sieved")
print(f"GDAL {gdal.__version__} needed {longest} passes at longest")
