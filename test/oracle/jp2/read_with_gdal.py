"""Reads files with GDAL for check-jp2.ts: pixels of all levels as raw little-endian samples, facts as JSON.

    read_with_gdal.py <out folder> <list of paths as JSON>

For each file n: `n-<level>.raw` holds all bands of a level, band after band. Files that GDAL opens with another driver
than JPEG 2000 are reported as such.
"""

import json
import os
import sys
import time

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
# One thread: the times are compared with ours.
gdal.SetConfigOption("GDAL_NUM_THREADS", "1")
gdal.SetConfigOption("OPJ_NUM_THREADS", "0")
gdal.PushErrorHandler("CPLQuietErrorHandler")


def epsg_of(ds):
    srs = ds.GetSpatialRef()
    if srs is None:
        return None
    code = srs.GetAuthorityCode(None)
    return int(code) if code is not None and srs.GetAuthorityName(None) == "EPSG" else None


def read_level(ds, level):
    bands = [ds.GetRasterBand(i + 1) for i in range(ds.RasterCount)]
    if level > 0:
        bands = [band.GetOverview(level - 1) for band in bands]
    start = time.perf_counter()
    array = np.stack([band.ReadAsArray() for band in bands])
    return array, (time.perf_counter() - start) * 1000


def time_tile(path, level):
    """Processor time for tile 1, 1 of a level, in ms: the best of three, each with nothing cached."""
    times = []
    for _ in range(3):
        # held in a variable: a band does not keep its file open
        ds = gdal.Open(path)
        band = ds.GetRasterBand(1)
        width, height = band.GetBlockSize()
        band = band if level == 0 else band.GetOverview(level - 1)
        side_x, side_y = width >> level, height >> level
        start = time.process_time()
        band.ReadAsArray(side_x, side_y, side_x, side_y)
        times.append((time.process_time() - start) * 1000)
    return min(times)


def read(path, number, out):
    ds = gdal.Open(path)
    if ds.GetDriver().ShortName != "JP2OpenJPEG":
        return {"driver": ds.GetDriver().ShortName}
    levels = []
    for level in range(ds.GetRasterBand(1).GetOverviewCount() + 1):
        array, ms = read_level(ds, level)
        array.astype(array.dtype.newbyteorder("<")).tofile(os.path.join(out, f"{number}-{level}.raw"))
        # the tiles of real scenes; smaller ones are not worth timing
        is_timed = ds.GetRasterBand(1).GetBlockSize() == [1024, 1024] and level < 4
        tile_ms = time_tile(path, level) if is_timed else None
        levels.append({"width": array.shape[2], "height": array.shape[1], "ms": ms, "tileMs": tile_ms})
    transform = ds.GetGeoTransform(can_return_null=True)
    return {
        "driver": "JP2OpenJPEG",
        "type": str(array.dtype),
        "bandCount": ds.RasterCount,
        "epsg": epsg_of(ds),
        "transform": None if transform is None else list(transform),
        "levels": levels,
    }


out, paths = sys.argv[1], json.load(open(sys.argv[2], encoding="utf8"))
facts = [read(path, number, out) for number, path in enumerate(paths)]
json.dump({"gdal": gdal.__version__, "files": facts}, sys.stdout)
