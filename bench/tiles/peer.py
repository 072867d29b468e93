"""Draws the tiles of a list with rasterio's WarpedVRT, numpy and GDAL's encoders: the peer of bench/tiles/run.ts.

Reads one JSON object from standard input and answers with CPU milliseconds per tile for each case.
"""
import json
import sys
import time

import warnings

import numpy as np
import rasterio
from rasterio.errors import NotGeoreferencedWarning
from rasterio.enums import Resampling
from rasterio.io import MemoryFile
from rasterio.transform import from_bounds
from rasterio.vrt import WarpedVRT

# Our names are those of gdalwarp; rasterio has one of its own.
RESAMPLING = {**Resampling.__members__, "near": Resampling.nearest}
HALF = 20037508.342789244


def bounds(tile):
    side = 2 * HALF / 2 ** tile["z"]
    west, north = tile["x"] * side - HALF, HALF - tile["y"] * side
    return west, north - side, west + side, north


def draw(sources, tile, case):
    transform = from_bounds(*bounds(tile), 256, 256)
    planes, mask = [], None
    for source in sources:
        options = {"crs": "EPSG:3857", "transform": transform, "width": 256, "height": 256}
        with WarpedVRT(source, resampling=RESAMPLING[case["method"]], **options) as vrt:
            values = vrt.read(1)
            valid = values != 0
            mask = valid if mask is None else mask & valid
            planes.append(np.clip((values.astype(np.float32) - 1000.0) * (255.0 / 3000.0) + 0.5, 0, 255).astype(np.uint8))
    image = np.stack(planes)
    driver = {"png": "PNG", "jpeg": "JPEG"}[case["format"]]
    if driver == "PNG":
        image = np.concatenate([image, (mask * 255).astype(np.uint8)[None]])
    extra = {"ZLEVEL": 1} if driver == "PNG" else {"QUALITY": 85}
    with MemoryFile() as memory:
        with memory.open(driver=driver, width=256, height=256, count=len(image), dtype="uint8", **extra) as out:
            out.write(image)
        return len(memory.read())


def main():
    warnings.simplefilter("ignore", NotGeoreferencedWarning)
    job = json.load(sys.stdin)
    answers = {}
    # Given in bytes: the number 512 would mean 512 bytes, and no block cache at all.
    with rasterio.Env(GDAL_CACHEMAX=job["cacheBytes"], GDAL_NUM_THREADS=1):
        for case in job["cases"]:
            sources = [rasterio.open(path) for path in job["files"]]
            if case["warm"]:
                for tile in case["tiles"]:
                    draw(sources, tile, case)
            spent = 0.0
            for tile in case["tiles"]:
                if not case["warm"]:
                    # Closing a file drops its blocks; headers are read again outside of the clock.
                    for source in sources:
                        source.close()
                    sources = [rasterio.open(path) for path in job["files"]]
                started = time.process_time()
                draw(sources, tile, case)
                spent += time.process_time() - started
            answers[case["name"]] = 1000 * spent / len(case["tiles"])
            for source in sources:
                source.close()
    json.dump(answers, sys.stdout)


main()
