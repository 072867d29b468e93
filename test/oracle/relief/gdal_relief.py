"""Hillshade, slope and aspect of height planes by gdaldem: gdal_relief.py FOLDER (with jobs.json)."""
import json
import sys
from pathlib import Path

import numpy
from osgeo import gdal

gdal.UseExceptions()
folder = Path(sys.argv[1])
memory = gdal.GetDriverByName("MEM")
for job in json.loads((folder / "jobs.json").read_text()):
    name, width, height, size = job["name"], job["width"], job["height"], job["pixelM"]
    heights = numpy.fromfile(folder / f"{name}.heights", numpy.float32).reshape(height, width)
    dataset = memory.Create("", width, height, 1, gdal.GDT_Float32)
    dataset.SetGeoTransform((0, size, 0, 0, 0, -size))
    band = dataset.GetRasterBand(1)
    band.SetNoDataValue(job["nodata"])
    band.WriteArray(heights)
    shade = gdal.DEMProcessing(
        "", dataset, "hillshade", format="MEM", azimuth=job["azimuthDeg"], altitude=job["altitudeDeg"]
    )
    slope = gdal.DEMProcessing("", dataset, "slope", format="MEM")
    aspect = gdal.DEMProcessing("", dataset, "aspect", format="MEM")
    for kind, result in (("shade", shade), ("slope", slope), ("aspect", aspect)):
        result.GetRasterBand(1).ReadAsArray().tofile(folder / f"{name}.{kind}")
print(f"GDAL {gdal.__version__}")
