"""Warps with GDAL, sharpens with NumPy, and compares with the tiles given as JSON on standard input."""

import json
import math
import re
import sys
from pathlib import Path

import numpy as np
from osgeo import gdal

gdal.UseExceptions()
WEIGHTS = (0.52, 0.25, 0.23)


def warp(source, grid, method):
    """A band on a grid as float64, NaN without data. Collection files have no nodata of their own: it is 0."""
    left, width, _, top, _, height = grid["transform"]
    bounds = (left, top + height * grid["height"], left + width * grid["width"], top)
    dataset = gdal.Warp(
        "",
        source,
        format="MEM",
        dstSRS=f"EPSG:{grid['epsg']}",
        outputBounds=bounds,
        width=grid["width"],
        height=grid["height"],
        resampleAlg=method,
        errorThreshold=0,
        outputType=gdal.GDT_Float32,
        srcNodata=0,
        dstNodata=-9999,
        # at these scales pictures read the full images, and so must the mean
        overviewLevel="NONE",
    )
    return dataset, np.where(dataset.ReadAsArray() == -9999, np.nan, dataset.ReadAsArray().astype(float))


def up(dataset, grid, method):
    """As `warp`, of what `warp` has made."""
    left, width, _, top, _, height = grid["transform"]
    bounds = (left, top + height * grid["height"], left + width * grid["width"], top)
    options = dict(format="MEM", dstSRS=f"EPSG:{grid['epsg']}", outputBounds=bounds, resampleAlg=method)
    size = dict(width=grid["width"], height=grid["height"])
    result = gdal.Warp("", dataset, errorThreshold=0, dstNodata=-9999, **options, **size).ReadAsArray()
    return np.where(result == -9999, np.nan, result.astype(float))


def grid_of(path):
    dataset = gdal.Open(path)
    epsg = dataset.GetSpatialRef().GetAuthorityCode(None)
    size = dict(width=dataset.RasterXSize, height=dataset.RasterYSize)
    return dict(epsg=epsg, transform=dataset.GetGeoTransform(), **size)


def to_reflectance(path, values):
    """By the product's own MTL."""
    band = re.search(r"_B(\d+)\.TIF$", path).group(1)
    text = next(Path(path).parent.glob("*_MTL.txt")).read_text()
    number = lambda key: float(re.search(rf"\b{key} = (\S+)", text).group(1))
    scaled = values * number(f"REFLECTANCE_MULT_BAND_{band}") + number(f"REFLECTANCE_ADD_BAND_{band}")
    return scaled / math.sin(math.radians(number("SUN_ELEVATION")))


def planes(job, grid, names):
    """The bands, the panchromatic one and its local mean on a grid."""
    method, hrefs = job["method"], job["hrefs"]
    bands = [warp(hrefs[name], grid, method)[1] for name in names]
    pan = warp(hrefs["B8"], grid, method)[1]
    low = up(warp(hrefs["B8"], grid_of(hrefs[names[0]]), "average")[0], grid, method)
    if job["calibrated"]:
        bands = [to_reflectance(hrefs[name], band) for name, band in zip(names, bands)]
        pan, low = (to_reflectance(hrefs["B8"], plane) for plane in (pan, low))
    return bands, pan, low


def index_of(bands):
    near_infrared, red = bands
    return (near_infrared - red) / (near_infrared + red)


def expected(job):
    names = re.findall(r"B\d+", job["bands"])
    if "/" in job["bands"]:
        names = names[:2]
        indices, details = [], []
        for sample in job["samples"]:
            bands, pan, low = planes(job, sample, names)
            index, detail = index_of(bands), pan / low - 1
            has = np.isfinite(index) & np.isfinite(detail)
            indices.append(index[has])
            details.append(detail[has])
        index, detail = np.concatenate(indices), np.concatenate(details)
        amount = 0.5 * index.std() / detail.std()
        low, high = index.min(), index.max()
        bands, pan, low = planes(job, job["grid"], names)
        index = index_of(bands)
        sharp = index + amount * (pan / low - 1)
        return [np.clip(sharp, np.minimum(index, low), np.maximum(index, high))]
    bands, pan, low = planes(job, job["grid"], names)
    if len(bands) == 3:
        result = [band * pan / sum(w * b for w, b in zip(WEIGHTS, bands)) for band in bands]
    else:
        result = [bands[0] * (pan / low)]
    return result if job["calibrated"] else [np.clip(plane, 0, 65535) for plane in result]


failed = 0
for job in json.load(sys.stdin):
    with np.errstate(invalid="ignore", divide="ignore"):
        wanted = np.array(expected(job))
    seen = np.isfinite(wanted).all(axis=0)
    low, high = job["range"]["min"], job["range"]["max"]
    levels = np.floor(np.clip((np.nan_to_num(wanted) - low) / (high - low) * 255 + 0.5, 0, 255))
    picture = gdal.Open(job["picture"]).ReadAsArray()
    if picture.ndim == 2:
        picture = picture[None]
    opaque = picture.shape[0] in (1, 3)
    alpha = np.ones(seen.shape, bool) if opaque else picture[-1] > 0
    colors = picture if opaque else picture[:-1]
    off = np.abs(colors[: len(levels)].astype(int) - levels)[:, seen & alpha]
    masks = int((seen != alpha).sum())
    worst = int(off.max()) if off.size else 255
    spread = float(levels[:, seen].std())
    # nearest neighbours: a position between two pixels may fall to either
    stray = 2e-4 if job["method"] == "near" else 0
    good = (off > 1).mean() <= stray and masks <= 0.002 * seen.size and spread > 5
    failed += not good
    kind = "reflectance" if job["calibrated"] else "stored"
    print(
        f"{'ok ' if good else 'BAD'} {job['viewId']:28} {job['bands']:16} {job['method']:9} {kind:12}"
        f"largest difference {worst}, {100 * (off > 0).mean():.2f} % differ, masks differ in {masks}"
    )
sys.exit(1 if failed else 0)
