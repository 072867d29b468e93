"""Opens tiles with rasterio: judge_rasterio.py job.json; prints rows as JSON. Without GDAL's own Python."""
import json
import math
import sys

import rasterio

HALF_SIDE_M = 20037508.342789244


def is_right(tile):
    pixel = 2 * HALF_SIDE_M / 2 ** tile["z"] / tile["sizePx"]
    with rasterio.open(tile["heights"]) as dataset:
        off = max(
            abs(dataset.transform.c - (tile["x"] * tile["sizePx"] * pixel - HALF_SIDE_M)),
            abs(dataset.transform.f - (HALF_SIDE_M - tile["y"] * tile["sizePx"] * pixel)),
            abs(dataset.transform.a - pixel), abs(dataset.transform.e + pixel),
            abs(dataset.transform.b), abs(dataset.transform.d),
        ) / pixel
        heights = dataset.read(1, masked=True)
        return (
            off < 1e-6
            and dataset.crs.to_epsg() == 3857
            and dataset.dtypes == ("float32",)
            and heights.shape == (tile["sizePx"],) * 2
            and math.isnan(dataset.nodata)
            and not any(math.isnan(height) for height in heights.compressed())
        )


def main(path):
    with open(path, encoding="utf-8") as file:
        tiles = json.load(file)["tiles"]
    wrong = sum(not is_right(tile) for tile in tiles)
    row = {"check": "GeoTIFF in rasterio", "compared": len(tiles), "leftOut": 0, "differing": wrong, "worst": ""}
    json.dump([row] if tiles else [], sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
