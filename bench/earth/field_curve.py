"""NDVI of a field in all scenes of a STAC API, as a Python program would measure it; needs pystac-client, rasterio and
rio-tiler. Arguments: the address of the API, and a JSON object with the field, the dates and how to read. Prints the
seconds it took after its imports, those of a processor, and the mean of each scene."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy
import rasterio
from pystac_client import Client
from rasterio.features import geometry_mask
from rasterio.warp import transform_geom
from rasterio.windows import Window, from_bounds
from rasterio.features import bounds as bounds_of
from rio_tiler.io import STACReader

CLOUDS = [0, 1, 3, 8, 9, 10]


def read_window(href, field):
    """The pixels under a field, and which of them lie in it."""
    with rasterio.open(href) as source:
        shape = transform_geom("EPSG:4326", source.crs, field)
        window = from_bounds(*bounds_of(shape), source.transform)
        top, left = int(window.row_off), int(window.col_off)
        bottom = int(numpy.ceil(window.row_off + window.height))
        right = int(numpy.ceil(window.col_off + window.width))
        window = Window(left, top, right - left, bottom - top)
        pixels = source.read(1, window=window)
        transform = source.window_transform(window)
        return pixels, geometry_mask([shape], pixels.shape, transform, invert=True)


def measure_with_rasterio(item, field):
    red, inside = read_window(item.assets["red"].href, field)
    nir, _ = read_window(item.assets["nir"].href, field)
    classes, _ = read_window(item.assets["scl"].href, field)
    classes = classes.repeat(2, 0).repeat(2, 1)
    # The classes begin at even pixels: the field may begin at an odd one, which shifts them by one at most.
    classes = numpy.pad(classes, ((0, 2), (0, 2)), mode="edge")[: red.shape[0], : red.shape[1]]
    return mean_ndvi(red, nir, classes, inside)


def measure_with_rio_tiler(item, field):
    with STACReader(None, item=item) as reader:
        image = reader.feature(field, assets=["red", "nir", "scl"], dst_crs=item.properties["proj:code"])
    red, nir, classes = image.array.data
    return mean_ndvi(red, nir, classes, ~image.array.mask[0])


def mean_ndvi(red, nir, classes, inside):
    valid = inside & (red > 0) & (nir > 0) & ~numpy.isin(classes, CLOUDS)
    red, nir = red[valid].astype("float64"), nir[valid].astype("float64")
    return float(((nir - red) / (nir + red)).mean())


def main():
    url, asked = sys.argv[1], json.loads(sys.argv[2])
    measure = {"rasterio": measure_with_rasterio, "rio-tiler": measure_with_rio_tiler}[asked["reader"]]
    started, cpu_before = time.perf_counter(), time.process_time()
    search = Client.open(url).search(
        collections=["sentinel-2-l2a"], intersects=asked["field"], datetime=asked["datetime"], limit=100
    )
    items = list(search.items())
    field = asked["field"]
    if asked["threads"] == 1:
        means = [measure(item, field) for item in items]
    else:
        with ThreadPoolExecutor(asked["threads"]) as pool:
            means = list(pool.map(lambda item: measure(item, field), items))
    seconds = time.perf_counter() - started
    cpu = time.process_time() - cpu_before
    print(json.dumps({"seconds": seconds, "cpu": cpu, "means": dict(zip([item.id for item in items], means))}))


main()
