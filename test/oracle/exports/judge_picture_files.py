"""GDAL's verdict on files with pictures: reads the list of check-picture-files.ts and prints a line for each file."""

import json
import sys
import zipfile

import numpy as np
from osgeo import gdal, ogr, osr
from osgeo_utils.samples import validate_cloud_optimized_geotiff as cog

gdal.UseExceptions()
ogr.UseExceptions()
osr.UseExceptions()

METHODS = {"near": "near", "cubic": "cubic", "average": "average"}


def open_picture(entry):
    """The dataset as a user opens it, and the code of its reference system."""
    path, kind = entry["path"], entry["file"]["kind"]
    if kind == "kmz":
        return gdal.Open(path), 4326
    if kind == "world":
        names = zipfile.ZipFile(path).namelist()
        image = next(name for name in names if name.endswith("." + entry["file"]["format"]))
        prj = next(name for name in names if name.endswith(".prj"))
        system = osr.SpatialReference()
        system.ImportFromESRI([zipfile.ZipFile(path).read(prj).decode()])
        mercator = osr.SpatialReference()
        mercator.ImportFromEPSG(3857)
        assert system.IsSame(mercator), "the .prj is not EPSG:3857"
        return gdal.Open(f"/vsizip/{path}/{image}"), 3857
    warnings, errors, _ = cog.validate(path, full_check=True)
    assert not errors, errors
    return gdal.Open(path), 3857


def draw(entry, dataset, epsg):
    """What gdalwarp draws of the bands on the pixels of the picture; NaN where there is nothing."""
    geo = dataset.GetGeoTransform()
    width, height = dataset.RasterXSize, dataset.RasterYSize
    bounds = (geo[0], geo[3] + height * geo[5], geo[0] + width * geo[1], geo[3])
    planes = []
    for path in entry["bands"]:
        warped = gdal.Warp(
            "",
            path,
            format="MEM",
            dstSRS=f"EPSG:{epsg}",
            outputBounds=bounds,
            width=width,
            height=height,
            resampleAlg=METHODS[entry["method"]],
            outputType=gdal.GDT_Float32,
            dstNodata=-1e6,
            errorThreshold=0,
        )
        plane = warped.ReadAsArray()
        planes.append(np.where(plane == -1e6, np.nan, plane))
    drawn = np.stack(planes)
    drawn[:, np.isnan(drawn).any(axis=0)] = np.nan
    if entry["outline"] is not None:
        drawn[:, rasterize(entry["outline"], geo, (width, height), epsg) == 0] = np.nan
    low, high = entry["range"]["min"], entry["range"]["max"]
    return np.clip(np.floor((drawn - low) * 255 / (high - low) + 0.5), 0, 255)


def rasterize(outline, geo, size, epsg):
    """1 where the centre of a pixel lies in the area; edges are straight in degrees, so they are divided first."""
    ring = ogr.Geometry(ogr.wkbLinearRing)
    for lon, lat in outline:
        ring.AddPoint_2D(lon, lat)
    polygon = ogr.Geometry(ogr.wkbPolygon)
    polygon.AddGeometry(ring)
    polygon.Segmentize(1e-4)
    degrees, target = osr.SpatialReference(), osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    target.ImportFromEPSG(epsg)
    for system in (degrees, target):
        system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    polygon.Transform(osr.CoordinateTransformation(degrees, target))
    raster = gdal.GetDriverByName("MEM").Create("", size[0], size[1], 1)
    raster.SetGeoTransform(geo)
    raster.SetProjection(target.ExportToWkt())
    source = ogr.GetDriverByName("Memory").CreateDataSource("area")
    layer = source.CreateLayer("area", target)
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(polygon)
    layer.CreateFeature(feature)
    gdal.RasterizeLayer(raster, [1], layer, burn_values=[1])
    return raster.ReadAsArray()


def judge(entry):
    dataset, epsg = open_picture(entry)
    pixels = dataset.ReadAsArray().astype(float)
    wanted = draw(entry, dataset, epsg)
    system = dataset.GetSpatialRef()
    if system is not None:
        assert system.GetAuthorityCode(None) == str(epsg), "another reference system"
    is_jpeg = entry["file"].get("format") == "jpeg"
    shown = ~np.isnan(wanted[0])
    if is_jpeg:
        # Compressed, with colours for every four pixels, and black where there is nothing.
        wanted = np.nan_to_num(wanted)
        error = np.abs(pixels[:3] - wanted)
        assert error.mean() < 8, f"mean difference {error.mean():.2f}"
        moved = min(
            np.abs(np.roll(pixels[:3], step, axis=axis) - wanted).mean() for step in (-1, 1) for axis in (1, 2)
        )
        assert error.mean() < 0.9 * moved, "it fits better a pixel to the side"
        return f"{pixels.shape[2]} x {pixels.shape[1]}, mean difference {error.mean():.2f} of 255"
    assert pixels.shape[0] == 4, "no opacity"
    alpha = pixels[3] == 255
    edges = np.count_nonzero(alpha != shown)
    # An average counts where it reaches any data, and the two disagree on how much of a pixel that takes.
    assert edges <= (0.004 if entry["method"] == "average" else 0.0) * shown.size, f"{edges} pixels are shown in one of both only"
    both = alpha & shown
    error = np.abs(pixels[:3] - wanted)[:, both]
    off = np.count_nonzero(error > 1) / error.size
    assert off < 0.005, f"{100 * off:.2f} % of the pixels differ, by up to {error.max():.0f}"
    assert not pixels[:, ~alpha].any(), "transparent pixels are not zeros"
    return f"{pixels.shape[2]} x {pixels.shape[1]}, {100 * off:.3f} % differ by more than 1, {edges} edge pixels"


failed = 0
entries = json.load(open(sys.argv[1]))
for entry in entries:
    try:
        print(f"{entry['name']}: {judge(entry)}")
    except Exception as error:  # noqa: BLE001 - every fault is a verdict
        failed += 1
        print(f"{entry['name']}: WRONG: {error}")
print(f"GDAL {gdal.__version__}: {len(entries)} files judged, {failed} wrong")
sys.exit(1 if failed else 0)
