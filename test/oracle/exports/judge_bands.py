"""Compares files of bands with the files that they were made of.

Every image of an order, alone or in an archive, is opened with GDAL. Its bands are found by their descriptions. Each must
have the numbers of the source in the window that the georeference says, the nodata value of the catalog, and lie where the
source lies. The window must be the smallest that holds all pixels whose centre lies in the rectangle of the order; outside
of an outline, by GDAL's own rasterisation, there must be no data. GeoTIFFs must be valid COGs, and their names those of
the documentation.
"""
import json
import re
import sys
import zipfile

import numpy as np
from osgeo import gdal, ogr, osr
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate

gdal.UseExceptions()
WGS84 = osr.SpatialReference()
WGS84.ImportFromEPSG(4326)
WGS84.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
agreed = 0


def complain(job, text):
    print(f"{job['what']}: {text}")


def images_of(job):
    """Paths and names of the images in a file."""
    path, name = job["path"], job["name"]
    if not name.endswith(".zip"):
        return [(path, name)]
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() is not None:
            complain(job, "the archive is damaged")
        return [(f"/vsizip/{path}/{entry}", entry) for entry in archive.namelist()]


def check_type(job):
    bands, name = job["order"]["bands"], job["name"]
    scene = name.rsplit("_", 1)[0]
    if "/" in name or len(name) > 120 or not name.startswith(scene):
        complain(job, f"the name {name}")
    if len(bands) == 1:
        expected = ".jp2" if job["sentinel2"] else ".TIF"
        if not name.endswith(expected):
            complain(job, f"{name} does not end with {expected}")
    elif not job["order"]["merge"] and not name.startswith("NAIP") and not name.endswith(".zip"):
        complain(job, f"{name} is not an archive")


def points_of(dataset):
    return [(p.GCPPixel, p.GCPLine, p.GCPX, p.GCPY, p.GCPZ) for p in dataset.GetGCPs()]


def offset_of(image, source, band):
    """Column and row of the source where the image begins; from georeference alone."""
    if band["hasPoints"]:
        ours, theirs = points_of(image), points_of(source)
        if len(ours) != len(theirs):
            return None
        shifts = {(round(t[0] - o[0], 6), round(t[1] - o[1], 6)) for o, t in zip(ours, theirs)}
        if len(shifts) != 1 or any(o[2:] != t[2:] for o, t in zip(ours, theirs)):
            return None
        return shifts.pop()
    ours = image.GetGeoTransform()
    # the catalog may know more than the file: sidecars, other products
    theirs = band["transform"]
    if not np.allclose(np.array(ours)[[1, 2, 4, 5]], np.array(theirs)[[1, 2, 4, 5]], rtol=1e-9):
        return None
    inverse = gdal.InvGeoTransform(list(theirs))
    column, row = gdal.ApplyGeoTransform(inverse, ours[0], ours[3])
    return round(column, 4), round(row, 4)


def to_degrees(source, band):
    """A function from pixel positions of the source to longitude and latitude."""
    options = [] if band["hasPoints"] else ["METHOD=GEOTRANSFORM"]
    if band["hasPoints"]:
        transformer = gdal.Transformer(source, None, ["METHOD=GCP_TPS", "DST_SRS=EPSG:4326"])
    else:
        transformer = None
    system = source.GetSpatialRef()
    if transformer is None:
        system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        change = osr.CoordinateTransformation(system, WGS84)
        t = band["transform"]

        def convert(columns, rows):
            x = t[0] + columns * t[1] + rows * t[2]
            y = t[3] + columns * t[4] + rows * t[5]
            out = np.array(change.TransformPoints(np.column_stack([x, y])))
            return out[:, 0], out[:, 1]

        return convert
    return None


def check_window(job, source, band, window):
    """The centres just inside and just outside of each side of the window: the window fits the rectangle."""
    convert = to_degrees(source, band)
    if convert is None or job["bounds"] is None:
        return True
    b = job["bounds"]
    x, y, width, height = window
    slack = 1e-7

    def inside(columns, rows, margin):
        keep = (columns >= 0) & (columns < source.RasterXSize) & (rows >= 0) & (rows < source.RasterYSize)
        if not keep.any():
            return False
        lon, lat = convert(columns[keep] + 0.5, rows[keep] + 0.5)
        return bool(
            (
                (lon >= b["minX"] - margin) & (lon <= b["maxX"] + margin) & (lat >= b["minY"] - margin) & (lat <= b["maxY"] + margin)
            ).any()
        )

    columns = np.arange(x - 2, x + width + 2).astype(float)
    rows = np.arange(y - 2, y + height + 2).astype(float)
    within = [
        inside(columns, np.full_like(columns, y), slack),
        inside(columns, np.full_like(columns, y + height - 1), slack),
        inside(np.full_like(rows, x), rows, slack),
        inside(np.full_like(rows, x + width - 1), rows, slack),
    ]
    beyond = [
        inside(columns, np.full_like(columns, y - 1), -slack),
        inside(columns, np.full_like(columns, y + height), -slack),
        inside(np.full_like(rows, x - 1), rows, -slack),
        inside(np.full_like(rows, x + width), rows, -slack),
    ]
    return all(within) and not any(beyond)


def outline_mask(job, image):
    """1 where the centre of a pixel lies in the ring, whose edges are straight in degrees; None for radar."""
    if image.GetGCPCount() > 0:
        return None
    ring = ogr.Geometry(ogr.wkbLinearRing)
    for lon, lat in job["ring"]:
        ring.AddPoint_2D(lon, lat)
    polygon = ogr.Geometry(ogr.wkbPolygon)
    polygon.AddGeometry(ring)
    span = max(abs(job["ring"][1][0] - job["ring"][0][0]), abs(job["ring"][2][1] - job["ring"][0][1]))
    polygon.Segmentize(span / 2000)
    polygon.AssignSpatialReference(WGS84)
    system = image.GetSpatialRef()
    system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    polygon.TransformTo(system)
    layers = ogr.GetDriverByName("Memory").CreateDataSource("")
    layer = layers.CreateLayer("", system)
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(polygon)
    layer.CreateFeature(feature)
    target = gdal.GetDriverByName("MEM").Create("", image.RasterXSize, image.RasterYSize, 1, gdal.GDT_Byte)
    target.SetGeoTransform(image.GetGeoTransform())
    target.SetSpatialRef(system)
    gdal.RasterizeLayer(target, [1], layer, burn_values=[1])
    return target.ReadAsArray()


def same_system(image, source):
    ours, theirs = image.GetSpatialRef() or image.GetGCPSpatialRef(), source.GetSpatialRef() or source.GetGCPSpatialRef()
    if theirs is None or ours is None:
        return ours is None or theirs is None
    return bool(ours.IsSame(theirs, ["CRITERION=EQUIVALENT"])) or ours.GetAuthorityCode(None) == theirs.GetAuthorityCode(None) is not None


def check_overviews(job, image, name):
    """Each level is about the mean of the one before: same numbers, not those of another part or band."""
    for number in range(1, image.RasterCount + 1):
        band = image.GetRasterBand(number)
        for level in range(min(band.GetOverviewCount(), 2)):
            overview = band.GetOverview(level)
            full = band.ReadAsArray(buf_xsize=overview.XSize, buf_ysize=overview.YSize, resample_alg=gdal.GRIORA_NearestNeighbour)
            small = overview.ReadAsArray().astype(float)
            if full is None or np.std(full.astype(float)) == 0 or small.size < 100:
                continue
            correlation = np.corrcoef(full.astype(float).ravel(), small.ravel())[0, 1]
            if np.isfinite(correlation) and correlation < 0.3:
                complain(job, f"{name}: overview {level} of band {number} shows something else ({correlation:.2f})")


def check_image(job, path, name):
    global agreed
    image = gdal.Open(path)
    if name.endswith(".TIF"):
        warnings, errors, _ = validate(image, full_check=True)
        # GDAL 3.6 does not know INTERLEAVE=BAND in the ghost area
        for fault in [*errors, *[w for w in warnings if "overviews" in w]]:
            complain(job, f"{name} is not a valid COG: {fault}")
        found = [image.GetRasterBand(i + 1).GetDescription() for i in range(image.RasterCount)]
        check_overviews(job, image, name)
    else:
        found = [re.search(r"_([A-Za-z0-9]+)\.jp2$", name).group(1)]
    by_name = {band["name"]: band for band in job["bands"]}
    ok = True
    for number, band_name in enumerate(found, 1):
        band = by_name.get(band_name)
        if band is None:
            complain(job, f"{name} has a band {band_name!r}")
            return []
        source = gdal.Open(band["href"])
        if not same_system(image, source):
            complain(job, f"{name} has another reference system than {band['href']}")
            ok = False
        offset = offset_of(image, source, band)
        if offset is None or any(abs(value - round(value)) > 1e-3 for value in offset):
            complain(job, f"{name} {band_name}: it begins at {offset} of its source")
            return found
        x, y = round(offset[0]), round(offset[1])
        window = (x, y, image.RasterXSize, image.RasterYSize)
        if job["bounds"] is None and window != (0, 0, source.RasterXSize, source.RasterYSize):
            complain(job, f"{name} {band_name}: the window {window} is not the whole")
            ok = False
        if not check_window(job, source, band, window):
            complain(job, f"{name} {band_name}: {window} is not the window of the rectangle")
            ok = False
        expected = source.GetRasterBand(band["band"]).ReadAsArray(*window)
        made = image.GetRasterBand(number).ReadAsArray()
        nodata = image.GetRasterBand(number).GetNoDataValue()
        same = (made == expected) | ((made != made) & (expected != expected))
        mask = None
        flags = source.GetRasterBand(band["band"]).GetMaskFlags()
        if flags & (gdal.GMF_PER_DATASET | gdal.GMF_ALPHA) and not flags & gdal.GMF_NODATA:
            mask = source.GetRasterBand(band["band"]).GetMaskBand().ReadAsArray(*window) > 0
        if job["ring"] is not None:
            inside = outline_mask(job, image)
            if inside is None:
                filled = made == (band["nodata"] or 0)
                inside = ~(filled & ~(expected == (band["nodata"] or 0)))
                share = inside.mean()
                if not 0.1 < share < 0.9:
                    complain(job, f"{name} {band_name}: {share:.2f} of it lies in the outline")
            mask = inside.astype(bool) if mask is None else mask & inside.astype(bool)
        if mask is not None:
            fill = nodata if nodata is not None else 0
            wanted = np.where(mask, expected, fill)
            same = (made == wanted) | ((made != made) & (wanted != wanted))
        # GDAL and we may decide differently about centres on an edge
        allowed = 0 if job["ring"] is None else 4 + made.size // 50_000
        wrong = int((~same).sum())
        if "jpeg" in band["href"].lower():
            # two decoders of JPEG may differ by a level
            wrong = int((np.abs(made.astype(int) - expected.astype(int)) > 2)[same | True].sum()) if job["ring"] is None else 0
        if wrong > allowed:
            complain(job, f"{name} {band_name}: {wrong} of {made.size} numbers differ")
            ok = False
        if name.endswith(".TIF") and len({b["nodata"] for b in job["bands"]}) == 1 and band["nodata"] is not None:
            if nodata is None or (nodata != band["nodata"] and band["nodata"] == band["nodata"]):
                complain(job, f"{name} {band_name}: nodata {nodata}, not {band['nodata']}")
                ok = False
    if ok:
        agreed += 1
    return found


for job in json.load(sys.stdin):
    check_type(job)
    seen = []
    for path, name in images_of(job):
        try:
            seen += check_image(job, path, name)
        except RuntimeError as error:
            complain(job, f"{name}: {error}")
    if sorted(seen) != sorted(job["order"]["bands"]):
        complain(job, f"bands {seen} instead of {job['order']['bands']}")
print(f"ok {agreed}")
