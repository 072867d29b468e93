"""Writes GRIB files in every packing and scanning mode with ecCodes and GDAL: write_gribs.py FOLDER."""
import sys
from pathlib import Path

import eccodes as ec
import numpy as np

folder = Path(sys.argv[1])
random = np.random.default_rng(18)
WIDTH, HEIGHT = 61, 43


def field(kind):
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    if kind == "smooth":
        return 273 + 12 * np.sin(x / 9) * np.cos(y / 7) + 0.01 * x
    if kind == "rough":
        return random.normal(5, 40, (HEIGHT, WIDTH))
    if kind == "rain":
        return np.maximum(0, random.normal(-3, 4, (HEIGHT, WIDTH)))
    if kind == "steps":
        return np.floor(y / 5) * 2.0
    return np.full((HEIGHT, WIDTH), 7.25)


def message(edition, packing, kind, bits, scan=(0, 0, 0, 0), gaps=0, keys=None, decimals=None):
    handle = ec.codes_grib_new_from_samples(f"regular_ll_sfc_grib{edition}")
    west, north = 4.0, 56.0
    east, south = west + 0.25 * (WIDTH - 1), north - 0.25 * (HEIGHT - 1)
    put = lambda key, value: ec.codes_set(handle, key, value)
    put("Ni", WIDTH)
    put("Nj", HEIGHT)
    put("iDirectionIncrementInDegrees", 0.25)
    put("jDirectionIncrementInDegrees", 0.25)
    put("iScansNegatively", scan[0])
    put("jScansPositively", scan[1])
    put("jPointsAreConsecutive", scan[2])
    if edition == 2:
        put("alternativeRowScanning", scan[3])
    put("latitudeOfFirstGridPointInDegrees", south if scan[1] else north)
    put("latitudeOfLastGridPointInDegrees", north if scan[1] else south)
    put("longitudeOfFirstGridPointInDegrees", east if scan[0] else west)
    put("longitudeOfLastGridPointInDegrees", west if scan[0] else east)
    for key, value in (keys or {}).items():
        put(key, value)
    values = field(kind).ravel()
    if gaps:
        put("bitmapPresent", 1)
        put("missingValue", 1e30)
        values = np.where(random.uniform(size=values.size) < gaps, 1e30, values)
    put("bitsPerValue", bits)
    put("packingType", packing)
    if decimals is not None:
        put("decimalScaleFactor", decimals)
        put("bitsPerValue", bits)
    ec.codes_set_values(handle, values)
    if ec.codes_get(handle, "packingType") != packing:
        sys.exit(f"ecCodes wrote {ec.codes_get(handle, 'packingType')} and not {packing}")
    return ec.codes_get_message(handle)


def repack(simple, packing):
    handle = ec.codes_new_from_message(simple)
    ec.codes_set(handle, "packingType", packing)
    ec.codes_set(handle, "boustrophedonicOrdering", 1)
    ec.codes_set_values(handle, ec.codes_get_values(ec.codes_new_from_message(simple)))
    return ec.codes_get_message(handle)


def write(name, *messages):
    (folder / f"{name}.grib").write_bytes(b"".join(messages))


KINDS = ("smooth", "rough", "rain", "steps", "constant")
for edition in (1, 2):
    for bits in (1, 3, 8, 9, 12, 16, 17, 24, 25):
        write(f"simple{edition}-{bits}", *(message(edition, "grid_simple", kind, bits) for kind in KINDS))
    write(f"simple{edition}-bitmap", *(message(edition, "grid_simple", kind, 16, gaps=0.3) for kind in KINDS))
    write(f"simple{edition}-decimals", *(message(edition, "grid_simple", kind, 20, decimals=2) for kind in KINDS[:3]))
for packing in ("grid_complex", "grid_complex_spatial_differencing", "grid_jpeg", "grid_ccsds"):
    for bits in (8, 12, 16) + (() if packing == "grid_jpeg" else (24,)):
        write(f"{packing}-{bits}", *(message(2, packing, kind, bits) for kind in KINDS))
    write(f"{packing}-bitmap", *(message(2, packing, kind, 14, gaps=0.3) for kind in KINDS))
for block, interval, bits in ((8, 128, 10), (16, 1, 7), (64, 4096, 15), (32, 3, 3), (32, 128, 2)):
    body = []
    for kind in KINDS:
        handle_keys = {"packingType": "grid_ccsds", "ccsdsBlockSize": block, "ccsdsRsi": interval}
        body.append(message(2, "grid_ccsds", kind, bits, keys=handle_keys))
    write(f"ccsds-{block}-{interval}-{bits}", *body)
for packing in ("grid_second_order", "grid_second_order_SPD1", "grid_second_order_SPD3", "grid_second_order_no_SPD"):
    for bits in (8, 12, 16):
        write(f"{packing}-{bits}", *(message(1, packing, kind, bits) for kind in KINDS[:4]))
    write(f"{packing}-alternating", *(repack(message(1, "grid_simple", kind, 12), packing) for kind in KINDS[:3]))
for precision in (1, 2):
    write(f"ieee-{precision}", *(message(2, "grid_ieee", kind, 32 * precision, gaps=gaps, keys={
        "packingType": "grid_ieee", "precision": precision}) for kind in KINDS[:3] for gaps in (0, 0.2)))
for scan in range(16):
    flags = tuple((scan >> bit) & 1 for bit in range(4))
    write(f"scan2-{scan}", message(2, "grid_simple", "rough", 16, scan=flags),
          message(2, "grid_simple", "smooth", 16, scan=flags, gaps=0.2))
    if flags[3] == 0:
        write(f"scan1-{scan}", message(1, "grid_simple", "rough", 16, scan=flags, gaps=0.1))
# Times: forecasts in several units, and statistics over periods.
write("times1", *(message(1, "grid_simple", "smooth", 12, keys={
    "dataDate": 20240228, "dataTime": 1800, "unitOfTimeRange": unit, "timeRangeIndicator": indicator, "P1": p1, "P2": p2,
    "indicatorOfParameter": parameter, "table2Version": 2, "centre": 7, "indicatorOfTypeOfLevel": level, "level": height})
    for unit, indicator, p1, p2, parameter, level, height in (
        (1, 0, 6, 0, 11, 105, 2), (1, 4, 0, 12, 61, 1, 0), (11, 3, 1, 2, 71, 200, 0), (1, 10, 1, 44, 33, 105, 10),
        (2, 4, 1, 3, 61, 1, 0), (1, 1, 0, 0, 52, 105, 2))))
write("times2", *(message(2, "grid_simple", "smooth", 12, keys={
    "centre": 7, "dataDate": 20240228, "dataTime": 600, "productDefinitionTemplateNumber": template,
    "parameterCategory": category, "parameterNumber": number, "typeOfFirstFixedSurface": surface,
    **({"scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": height} if height else {}),
    **({"stepType": statistic} if statistic else {}), "stepRange": steps})
    for template, category, number, surface, height, statistic, steps in (
        (0, 0, 0, 103, 2, None, "42"), (8, 1, 8, 1, 0, "accum", "36-42"), (8, 1, 8, 1, 0, "accum", "0-42"),
        (8, 0, 4, 103, 2, "max", "36-42"), (8, 0, 5, 103, 2, "min", "36-42"), (8, 1, 7, 1, 0, "avg", "36-42"),
        (0, 2, 2, 103, 10, None, "240"))))
# Several fields in one message, with a heading of the WMO in front of it.
ec.codes_grib_multi_support_on()
several = ec.codes_grib_multi_new()
for kind in KINDS[:3]:
    handle = ec.codes_new_from_message(message(2, "grid_simple", kind, 16, gaps=0.1 if kind == "rough" else 0))
    ec.codes_grib_multi_append(handle, 4, several)
with open(folder / "several.grib", "wb") as file:
    file.write(b"\x01\r\r\n001\r\r\nYTXX98 KWBC 280600\r\r\n")
    ec.codes_grib_multi_write(several, file)

try:
    import rasterio
    import rasterio.shutil
    from rasterio.transform import from_origin
except ImportError:
    sys.exit(0)
for name, kind, options in (
    ("gdal-png-8", "steps", {"DATA_ENCODING": "PNG", "NBITS": "8"}),
    ("gdal-png-16", "smooth", {"DATA_ENCODING": "PNG", "NBITS": "16"}),
    ("gdal-png-24", "rough", {"DATA_ENCODING": "PNG", "NBITS": "24"}),
    ("gdal-complex", "rough", {"DATA_ENCODING": "COMPLEX_PACKING", "NBITS": "16"}),
    ("gdal-complex-1", "smooth", {"DATA_ENCODING": "COMPLEX_PACKING", "NBITS": "16", "SPATIAL_DIFFERENCING_ORDER": "1"}),
    ("gdal-complex-2", "smooth", {"DATA_ENCODING": "COMPLEX_PACKING", "NBITS": "16", "SPATIAL_DIFFERENCING_ORDER": "2"}),
    ("gdal-gaps", "rain", {"DATA_ENCODING": "COMPLEX_PACKING", "NBITS": "12", "gaps": 0.2}),
    ("gdal-gaps-1", "rough", {"DATA_ENCODING": "COMPLEX_PACKING", "NBITS": "18", "SPATIAL_DIFFERENCING_ORDER": "1", "gaps": 0.2}),
    ("gdal-gaps-2", "smooth", {"DATA_ENCODING": "COMPLEX_PACKING", "NBITS": "18", "SPATIAL_DIFFERENCING_ORDER": "2", "gaps": 0.4}),
    ("gdal-jpeg2000", "smooth", {"DATA_ENCODING": "JPEG2000", "NBITS": "11"}),
):
    gaps = options.pop("gaps", 0)
    values = field(kind).astype("float32")
    if gaps:
        values = np.where(random.uniform(size=values.shape) < gaps, np.float32(9999), values)
    # The GRIB driver only copies, so a file in memory comes first.
    with rasterio.MemoryFile() as memory:
        with memory.open(driver="GTiff", width=WIDTH, height=HEIGHT, count=1, dtype="float32", crs="EPSG:4326",
                         transform=from_origin(3.875, 56.125, 0.25, 0.25), nodata=9999 if gaps else None) as file:
            file.write(values, 1)
        with memory.open() as file:
            rasterio.shutil.copy(file, folder / f"{name}.grib", driver="GRIB", **options)
