"""
Compares files of indices with NumPy on the bands as GDAL reads them. Reads {jobs} as JSON from standard input, prints a
table and fails on a mismatch: values, georeference, nodata, block size, descriptions, and whether it is a valid COG.
"""

import json
import os
import sys

import numpy as np
from osgeo import gdal, ogr, osr
from osgeo_utils.samples import validate_cloud_optimized_geotiff as cog

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "pictures"))
from physical_values import comparable, nodata_of, physical  # noqa: E402

gdal.UseExceptions()
F = np.float32
NODATA = F(-9999)
EMPTY = -99999.0
# of the value; expressions of few steps, each rounded to float32
RELATIVE = 1e-5
# differences of nearly equal numbers are as exact as the numbers themselves
SMALL = 0.1
# share of pixels of resampled images that may differ: positions between two pixels fall to either
STRAY = 0.002
# of a radar image on the ground: positions by control points differ by tenths of a pixel, between noisy pixels
RADAR_MEDIAN = 0.1


def system_of(file):
    found = osr.SpatialReference(wkt=file.GetProjection())
    found.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return found


def band_values(band, target, sensor):
    """A band on the grid of the file: as stored where that is its own grid, averaged or resampled elsewhere."""
    source = gdal.Open(band["path"])
    stored = source.GetRasterBand(band["index"] + 1)
    nodata = stored.GetNoDataValue()
    nodata = nodata_of(sensor) if nodata is None else nodata
    grid, own = target.GetGeoTransform(), source.GetGeoTransform()
    x, y = (grid[0] - own[0]) / own[1], (grid[3] - own[3]) / own[5]
    same = source.GetGCPCount() == 0 and np.allclose([grid[1], grid[5]], [own[1], own[5]], rtol=1e-9)
    if same and abs(x - round(x)) < 1e-3 and abs(y - round(y)) < 1e-3:
        window = (round(x), round(y), target.RasterXSize, target.RasterYSize)
        values = stored.ReadAsArray(*window).astype(F)
        return values, (values != F(nodata)) if nodata is not None else np.ones(values.shape, bool), True
    made = gdal.GetDriverByName("MEM").Create("", target.RasterXSize, target.RasterYSize, 1, gdal.GDT_Float32)
    made.SetGeoTransform(grid)
    made.SetProjection(target.GetProjection())
    made.GetRasterBand(1).SetNoDataValue(EMPTY)
    made.GetRasterBand(1).Fill(EMPTY)
    only = gdal.Translate("", source, options=["-of", "VRT", "-b", str(band["index"] + 1)])
    is_radar = source.GetGCPCount() > 0
    method = "bilinear" if is_radar else "near" if band["isClasses"] else "average"
    options = dict(resampleAlg=method, errorThreshold=0, srcNodata=nodata, dstNodata=EMPTY, overviewLevel="NONE")
    gdal.Warp(made, only, tps=is_radar, **options)
    values = made.ReadAsArray()
    return values, values != F(EMPTY), False


def inside(job, target):
    """Where the centres of pixels lie inside of the area."""
    width, height = target.RasterXSize, target.RasterYSize
    if "outline" not in job:
        return np.ones((height, width), bool)
    grid = target.GetGeoTransform()
    lonlat = osr.SpatialReference()
    lonlat.ImportFromEPSG(4326)
    lonlat.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    way = osr.CoordinateTransformation(system_of(target), lonlat)
    area = ogr.CreateGeometryFromJson(json.dumps(job["outline"]))
    columns, rows = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    xs = grid[0] + columns * grid[1] + rows * grid[2]
    ys = grid[3] + columns * grid[4] + rows * grid[5]
    spots = way.TransformPoints(np.stack([xs.ravel(), ys.ravel()], -1))
    found = [area.Contains(point(lon, lat)) for lon, lat, _ in spots]
    return np.array(found).reshape(height, width)


def point(lon, lat):
    made = ogr.Geometry(ogr.wkbPoint)
    made.AddPoint_2D(lon, lat)
    return made


def check_facts(job, target):
    """What is wrong with the file apart from its values."""
    faults = []
    _, errors, _ = cog.validate(target, check_tiled=True, full_check=True)
    faults += [f"not a valid COG: {error}" for error in errors]
    if target.RasterCount != len(job["numpy"]):
        faults.append(f"{target.RasterCount} bands")
    for i in range(target.RasterCount):
        band = target.GetRasterBand(i + 1)
        if band.DataType != gdal.GDT_Float32 or band.GetNoDataValue() != -9999 or band.GetBlockSize() != [512, 512]:
            faults.append(f"band {i + 1} is of another type, nodata or block size")
        if band.GetDescription() != job["descriptions"][i]:
            faults.append(f"band {i + 1} is called {band.GetDescription()!r}")
    if target.GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE") != "DEFLATE":
        faults.append("not compressed by deflate")
    return faults + check_position(job, target)


def check_position(job, target):
    """The file lies on the grid of its coarsest band, and covers what was ordered."""
    sources = [gdal.Open(band["path"]) for band in job["bands"].values()]
    if any(source.GetGCPCount() > 0 for source in sources):
        system, grid = system_of(target), target.GetGeoTransform()
        middle = system.GetUTMZone() != 0 and grid[1] == -grid[5] and grid[0] % grid[1] == 0 and grid[3] % grid[1] == 0
        return [] if middle else ["a radar image that is not upright in its UTM zone"]
    coarsest = max(sources, key=lambda source: abs(source.GetGeoTransform()[1]))
    faults = []
    if not system_of(target).IsSame(system_of(coarsest)):
        faults.append("another reference system")
    grid, own = target.GetGeoTransform(), coarsest.GetGeoTransform()
    x, y = (grid[0] - own[0]) / own[1], (grid[3] - own[3]) / own[5]
    if not np.allclose([grid[1], grid[5]], [own[1], own[5]], rtol=1e-9) or max(abs(x - round(x)), abs(y - round(y))) > 1e-6:
        faults.append("not on the grid of the coarsest band")
    x, y = round(x), round(y)
    window = [x, y, x + target.RasterXSize, y + target.RasterYSize]
    if window != expected_window(job, coarsest):
        faults.append(f"window {window}, not {expected_window(job, coarsest)}")
    return faults


def expected_window(job, source):
    """From the first to the last column and row that have centres within the extent of the area."""
    width, height = source.RasterXSize, source.RasterYSize
    if "extent" not in job:
        return [0, 0, width, height]
    lonlat = osr.SpatialReference()
    lonlat.ImportFromEPSG(4326)
    lonlat.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    way = osr.CoordinateTransformation(lonlat, system_of(source))
    spots = np.array(way.TransformPoints(job["extent"]))
    own = gdal.InvGeoTransform(source.GetGeoTransform())
    columns = own[0] + spots[:, 0] * own[1] + spots[:, 1] * own[2]
    rows = own[3] + spots[:, 0] * own[4] + spots[:, 1] * own[5]
    first = [int(np.ceil(columns.min() - 0.5)), int(np.ceil(rows.min() - 0.5))]
    last = [int(np.floor(columns.max() - 0.5)) + 1, int(np.floor(rows.max() - 0.5)) + 1]
    return [max(0, first[0]), max(0, first[1]), min(width, last[0]), min(height, last[1])]


def expected(job, formula, target):
    names = {name: band for name, band in job["bands"].items() if name in formula}
    has = inside(job, target)
    arrays, exact = {}, True
    for name, band in names.items():
        values, known, is_own = band_values(band, target, job["sensor"])
        change = physical if job["isPhysical"] else comparable
        arrays[name] = np.asarray(change(job["sensor"], band["path"], name, values), F)
        has, exact = has & known, exact and is_own
    with np.errstate(all="ignore"):
        result = eval(formula, {"np": np, "F": F}, arrays)  # noqa: S307
    result = np.asarray(result, F)
    return np.where(has & ~np.isnan(result), result, NODATA), exact


def check_overviews(target):
    """The first smaller copy is the mean of four pixels with data, where both sides are even."""
    band = target.GetRasterBand(1)
    width, height = band.XSize, band.YSize
    if band.GetOverviewCount() == 0 or width % 2 or height % 2:
        return []
    full = band.ReadAsArray().astype(float).reshape(height // 2, 2, width // 2, 2)
    has = full != -9999
    count = has.sum(axis=(1, 3))
    with np.errstate(all="ignore"):
        mean = np.where(count > 0, np.where(has, full, 0).sum(axis=(1, 3)) / count, -9999)
    copy = band.GetOverview(0).ReadAsArray()
    return [] if np.allclose(copy, mean, rtol=1e-6, atol=1e-12, equal_nan=True) else ["overviews are not means"]


def compare(job):
    target = gdal.Open(job["path"])
    faults = check_facts(job, target) + (check_overviews(target) if job.get("isAveraged", True) else [])
    worst, pixels = 0.0, 0
    for i, formula in enumerate(job["numpy"]):
        ours = target.GetRasterBand(i + 1).ReadAsArray()
        theirs, exact = expected(job, formula, target)
        both = (ours != NODATA) & (theirs != NODATA)
        lonely = ((ours != NODATA) != (theirs != NODATA)).mean()
        pixels += int(both.sum())
        off = np.abs(ours[both].astype(float) - theirs[both]) / np.maximum(np.abs(theirs[both]), SMALL)
        off[(ours[both] == theirs[both])] = 0
        worst = max(worst, float(np.nanmax(off, initial=0)))
        is_radar = "VV" in job["bands"]
        if not both.any():
            faults.append(f"band {i + 1} has no data")
        elif is_radar:
            if np.median(off) > RADAR_MEDIAN or lonely > 0.02:
                faults.append(f"band {i + 1}: median {np.median(off):.3f}, {lonely:.2%} in one only")
        elif (off > RELATIVE).mean() > (0 if exact else STRAY) or lonely > (STRAY if "outline" in job or not exact else 0):
            faults.append(f"band {i + 1}: {(off > RELATIVE).mean():.2%} of values, {lonely:.2%} in one only")
    return pixels, worst, faults


failed = 0
jobs = json.load(sys.stdin)["jobs"]
print(f"{'file':78} pixels     worst")
for one in jobs:
    count, furthest, wrong = compare(one)
    failed += bool(wrong)
    print(f"{one['name']:78} {count:6} {furthest:9.1e}{'' if not wrong else '  MISMATCH ' + '; '.join(wrong)}")
print(f"{len(jobs)} files of indices, {failed} mismatches")
sys.exit(1 if failed or not jobs else 0)
