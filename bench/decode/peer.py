"""Reads blocks of one file with rasterio: the peer of bench/decode/run.ts.

Reads one JSON object from standard input and answers with CPU milliseconds per block.
"""
import json
import sys
import time

import rasterio
from rasterio.windows import Window


def main():
    job = json.load(sys.stdin)
    with rasterio.Env(GDAL_NUM_THREADS=1), rasterio.open(job["file"]) as source:
        height, width = source.block_shapes[0]
        source.read(1, window=Window(0, 0, 1, 1))
        started = time.process_time()
        for column, row in job["blocks"]:
            source.read(1, window=Window(column * width, row * height, width, height))
        spent = time.process_time() - started
    json.dump(1000 * spent / len(job["blocks"]), sys.stdout)


main()
