"""Judges the COGs that check-writer.ts wrote: GDAL's own validator, its pixels, its overviews, its idea of the tags.

Called with the folder; prints one JSON object with the problems of each file.
"""

import json
import math
import os
import struct
import sys
from fractions import Fraction

import numpy as np
from osgeo import gdal, osr
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate

gdal.UseExceptions()
GDAL_TYPES = {"uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "int16": gdal.GDT_Int16, "float32": gdal.GDT_Float32}


def levels_of(ds):
    bands = [ds.GetRasterBand(i + 1) for i in range(ds.RasterCount)]
    count = bands[0].GetOverviewCount()
    return [bands] + [[band.GetOverview(i) for band in bands] for i in range(count)]


def expected_sizes(case):
    width, height, sizes = case["width"], case["height"], []
    while True:
        sizes.append((width, height))
        if width <= case["blockSize"] and height <= case["blockSize"]:
            return sizes
        width, height = (width + 1) // 2, (height + 1) // 2


def halve(arrays, case):
    """The next overview, made by GDAL from the level before."""
    height, width = arrays[0].shape
    ds = gdal.GetDriverByName("MEM").Create("", width, height, len(arrays), GDAL_TYPES[case["type"]])
    for i, array in enumerate(arrays):
        band = ds.GetRasterBand(i + 1)
        if case["nodata"] is not None:
            band.SetNoDataValue(float(case["nodata"]))
        band.WriteArray(array)
    ds.BuildOverviews(case["overviewMethod"].upper(), [2])
    return [ds.GetRasterBand(i + 1).GetOverview(0).ReadAsArray() for i in range(len(arrays))]


def exact_mean(source, x, y, shape, nodata):
    """The mean under one smaller pixel in rational numbers, rounded half away from zero."""
    total, weight = Fraction(0), Fraction(0)
    (height, width), (rows, columns) = source.shape, shape
    left, right = Fraction(x * width, columns), Fraction((x + 1) * width, columns)
    top, bottom = Fraction(y * height, rows), Fraction((y + 1) * height, rows)
    for row in range(math.floor(top), math.ceil(bottom)):
        for column in range(math.floor(left), math.ceil(right)):
            value = int(source[row, column])
            share = (min(column + 1, right) - max(column, left)) * (min(row + 1, bottom) - max(row, top))
            if value != nodata:
                total += value * share
                weight += share
    mean = total / weight
    return int(math.copysign(math.floor(abs(mean) + Fraction(1, 2)), mean))


def differing(ours, theirs, source, case):
    """Pixels that are not GDAL's and not excused: GDAL weighs in floats and misses some exact halves."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return ["shape %r %s, GDAL %r %s" % (ours.shape, ours.dtype, theirs.shape, theirs.dtype)]
    if case["type"] == "float32":
        # GDAL sums in single precision
        wrong = np.argwhere(~np.isclose(ours, theirs, rtol=1e-5, atol=0, equal_nan=True))
    else:
        wrong = [
            (y, x)
            for y, x in np.argwhere(ours != theirs)
            if case["overviewMethod"] == "nearest"
            or ours[y, x] != exact_mean(source, int(x), int(y), ours.shape, case["nodata"])
        ]
    return ["%d,%d: %r, GDAL %r" % (x, y, ours[y, x], theirs[y, x]) for y, x in wrong]


def check_block_order(path, levels, interleave):
    """GDAL's validator looks at band 1 only; this looks at every block of every band."""
    problems = []
    with open(path, "rb") as file:
        data = file.read()
    position = None
    for level in reversed(levels):
        block = level[0].GetBlockSize()
        across = (level[0].XSize + block[0] - 1) // block[0]
        down = (level[0].YSize + block[1] - 1) // block[1]
        for band in level if interleave == "band" else level[:1]:
            for y in range(down):
                for x in range(across):
                    offset = int(band.GetMetadataItem("BLOCK_OFFSET_%d_%d" % (x, y), "TIFF"))
                    size = int(band.GetMetadataItem("BLOCK_SIZE_%d_%d" % (x, y), "TIFF"))
                    if position is not None and offset != position + 4:
                        problems.append("block %d %d of band %d at %d, not %d" % (x, y, band.GetBand(), offset, position + 4))
                    if struct.unpack("<I", data[offset - 4:offset])[0] != size:
                        problems.append("leader of block %d %d" % (x, y))
                    end = offset + size
                    if data[end - 4:end] != data[end:end + 4]:
                        problems.append("trailer of block %d %d" % (x, y))
                    position = end + 4
    if position != len(data):
        problems.append("file ends at %d, not %d" % (len(data), position))
    return problems


def check(folder, case):
    problems = []
    path = os.path.join(folder, case["name"] + ".tif")
    gdal.ErrorReset()
    ds = gdal.Open(path)
    warnings, errors, _ = validate(ds, full_check=True)
    problems += ["validator: " + text for text in warnings + errors]
    if ds.GetMetadataItem("LAYOUT", "IMAGE_STRUCTURE") != "COG":
        problems.append("GDAL does not call it a COG")
    levels = levels_of(ds)
    problems += check_block_order(path, levels, case["interleave"])

    def compare(what, found, expected):
        if found != expected:
            problems.append("%s is %r, not %r" % (what, found, expected))

    structure = ds.GetMetadata("IMAGE_STRUCTURE")
    compare("compression", structure.get("COMPRESSION", "NONE").lower(), case["compression"])
    compare("predictor", int(structure.get("PREDICTOR", "1")), case["predictor"])
    if case["bandCount"] > 1:
        compare("interleave", structure["INTERLEAVE"].lower(), case["interleave"])
    with open(path, "rb") as file:
        compare("version", struct.unpack("<H", file.read(4)[2:])[0], 43 if case["bigTiff"] == "yes" else 42)
    compare("bands", ds.RasterCount, case["bandCount"])
    compare("type", ds.GetRasterBand(1).DataType, GDAL_TYPES[case["type"]])
    compare("block size", ds.GetRasterBand(1).GetBlockSize(), [case["blockSize"]] * 2)
    compare("transform", list(ds.GetGeoTransform()), [float(v) for v in case["transform"]])
    srs = ds.GetSpatialRef()
    compare("EPSG", (srs.GetAuthorityName(None), srs.GetAuthorityCode(None)), ("EPSG", str(case["epsg"])))
    compare("sizes", [(level[0].XSize, level[0].YSize) for level in levels], expected_sizes(case))
    facts = case.get("bands") or [{"description": "", "scale": 1.0, "offset": 0.0}] * case["bandCount"]
    for index, (band, fact) in enumerate(zip(levels[0], facts)):
        compare("description %d" % index, band.GetDescription(), fact["description"])
        compare("scale %d" % index, 1.0 if band.GetScale() is None else band.GetScale(), fact["scale"])
        compare("offset %d" % index, 0.0 if band.GetOffset() is None else band.GetOffset(), fact["offset"])
    for level in levels:
        for band in level:
            found = band.GetNoDataValue()
            expected = float(case["nodata"])
            if not (found == expected or (np.isnan(found) and np.isnan(expected))):
                problems.append("nodata is %r, not %r" % (found, expected))

    raw = np.fromfile(os.path.join(folder, case["name"] + ".raw"), dtype=case["type"])
    wanted = list(raw.reshape(case["bandCount"], case["height"], case["width"]))
    arrays = [[band.ReadAsArray() for band in level] for level in levels]
    if not all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in zip(arrays[0], wanted)):
        problems.append("pixels differ")
    for index in range(1, len(levels)):
        made = halve(arrays[index - 1], case)
        for band in range(case["bandCount"]):
            wrong = differing(arrays[index][band], made[band], arrays[index - 1][band], case)
            if wrong:
                problems.append("overview %d band %d: %d pixels, first at %s" % (index, band, len(wrong), wrong[0]))
    if gdal.GetLastErrorMsg():
        problems.append("GDAL said: " + gdal.GetLastErrorMsg())
    return problems


def check_codes(geographic):
    """Each EPSG code that a GeoTIFF can hold must go under the right key."""
    geographic = set(geographic)
    problems, compared = [], 0
    for info in osr.GetCRSInfoListFromDatabase("EPSG"):
        code = int(info.code)
        if code > 32766 or info.type not in (osr.OSR_CRS_TYPE_GEOGRAPHIC_2D, osr.OSR_CRS_TYPE_PROJECTED):
            continue
        compared += 1
        if (info.type == osr.OSR_CRS_TYPE_GEOGRAPHIC_2D) != (code in geographic):
            problems.append("EPSG:%d is on the wrong side of the table" % code)
    return compared, problems


def main(folder):
    with open(os.path.join(folder, "cases.json"), encoding="utf-8") as file:
        job = json.load(file)
    problems = {case["name"]: check(folder, case) for case in job["cases"]}
    compared, code_problems = check_codes(job["geographic"])
    json.dump({"gdal": gdal.__version__, "problems": problems, "codesCompared": compared, "codeProblems": code_problems},
              sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
