"""Warps raw arrays with GDAL, as the judge of src/raster. Called by check-warp.ts: gdal_warp.py <folder>.

Reads <folder>/jobs.json, writes <name>.out (float32 bands) and <name>.valid (one byte a pixel) for each warp job, and
levels.json with the overview that gdalwarp -ovr AUTO chooses for each level job, and where overviews lie.
"""
import json
import re
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
NODATA = -9999.0


def srs(grid):
    system = osr.SpatialReference()
    system.SetFromUserInput(grid.get("proj") or f"EPSG:{grid['epsg']}")
    return system.ExportToWkt()


def dataset(grid, count):
    made = gdal.GetDriverByName("MEM").Create("", grid["width"], grid["height"], count, gdal.GDT_Float32)
    made.SetGeoTransform(grid["transform"])
    made.SetProjection(srs(grid))
    for band in range(1, count + 1):
        made.GetRasterBand(band).SetNoDataValue(NODATA)
        made.GetRasterBand(band).Fill(NODATA)
    return made


def warp(folder, job):
    source, target = job["source"], job["target"]
    shape = (job["bandCount"], source["height"], source["width"])
    pixels = np.fromfile(f"{folder}/{job['pixels']}.pixels", "<f4").reshape(shape)
    mask = np.fromfile(f"{folder}/{job['pixels']}.mask", "u1").reshape(shape[1:])
    read = dataset(source, shape[0])
    for band in range(shape[0]):
        read.GetRasterBand(band + 1).WriteArray(np.where(mask == 1, pixels[band], NODATA).astype("f4"))
    written = dataset(target, shape[0])
    gdal.Warp(
        written,
        read,
        resampleAlg=job["method"],
        errorThreshold=0,
        overviewLevel=None,
        # All bands share their mask, as in Swath; the scale is given because GDAL would take it from its own chunks.
        warpOptions=["UNIFIED_SRC_NODATA=YES", f"XSCALE={job['scale'][0]!r}", f"YSCALE={job['scale'][1]!r}"],
    )
    result = written.ReadAsArray().reshape((shape[0], target["height"], target["width"]))
    (result[0] != NODATA).astype("u1").tofile(f"{folder}/{job['name']}.valid")
    result.astype("<f4").tofile(f"{folder}/{job['name']}.out")


def level(folder, job):
    source = job["source"]
    path = f"{folder}/level.tif"
    made = gdal.GetDriverByName("GTiff").Create(path, source["width"], source["height"], 1, gdal.GDT_Byte)
    made.SetGeoTransform(source["transform"])
    made.SetProjection(srs(source))
    made.BuildOverviews("NEAREST", job["reductions"])
    overviews = [made.GetRasterBand(1).GetOverview(i) for i in range(len(job["reductions"]))]
    sizes = [{"width": o.XSize, "height": o.YSize} for o in overviews]
    made = overviews = None
    reduced = [gdal.OpenEx(path, open_options=[f"OVERVIEW_LEVEL={i}"]) for i in range(len(sizes))]
    transforms = [list(dataset.GetGeoTransform()) for dataset in reduced]
    chosen = []
    for pixel_size in job["pixelSizes"]:
        messages = []
        gdal.PushErrorHandler(lambda kind, number, text: messages.append(text))
        gdal.SetConfigOption("CPL_DEBUG", "WARP")
        gdal.Warp("", path, format="MEM", dstSRS=f"EPSG:{job['targetEpsg']}", xRes=pixel_size, yRes=pixel_size)
        gdal.SetConfigOption("CPL_DEBUG", None)
        gdal.PopErrorHandler()
        found = [re.search(r"Selecting overview level (\d+)", text) for text in messages]
        chosen.append(max([int(match.group(1)) + 1 for match in found if match], default=0))
    return {"overviews": sizes, "transforms": transforms, "levels": chosen}


folder = sys.argv[1]
with open(f"{folder}/jobs.json") as file:
    jobs = json.load(file)
for job in jobs["warps"]:
    warp(folder, job)
with open(f"{folder}/levels.json", "w") as file:
    json.dump([level(folder, job) for job in jobs["levels"]], file)
print(f"GDAL {gdal.__version__}: {len(jobs['warps'])} warps")
