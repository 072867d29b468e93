"""Images with control points, and what GDAL makes of them: make_gcps.py <folder> [--golden] [product ...].

Each generated image lies exactly on an affine of a projected system; its control points are computed from that by PROJ,
on a lattice like Sentinel-1's (uneven lines, nothing beyond the last line). GDAL warps the same pixels by the affine,
which is the truth for a reader of the control points. Products given as files have no truth: they are warped by thin
plate splines (gdalwarp -tps). For all, some positions are placed by splines and by polynomials of order 3.
"""
import json
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
osr.UseExceptions()
NODATA = -9999.0
WGS84 = 4326

# name, system, affine, size, nodes, target systems
CASES = [
    ("rotated", 32633, (420000, 29, 6, 5300000, 7, -30), (700, 500), (21, 10), [3857, 4326]),
    ("mirrored", 32644, (520000, -39, -8, 1130000, -9, 40), (600, 450), (15, 7), [3857, 32643]),
    ("antimeridian", 32601, (345000, 60, 9, 7200000, 11, -60), (500, 400), (11, 8), [32660, 3857]),
    ("polar", 3413, (-31000, 100, 30, 11250, 35, -100), (500, 400), (21, 17), [3995, 3413]),
    ("few-points", 32719, (300000, 10, 1, 7500000, 1, -10), (200, 150), (4, 5), [3857]),
]
GOLDEN = [
    ("rotated", 32633, (420000, 290, 60, 5300000, 70, -300), (70, 50), (11, 6), [3857]),
    ("mirrored", 32644, (520000, -390, -80, 1130000, -90, 400), (60, 45), (8, 6), [3857]),
]
# source pixels a target pixel spans: finer for single pixels, so that GDAL's kernels keep their width
METHODS = {"near": 0.83, "bilinear": 0.63, "average": 2.9}


def system(code):
    made = osr.SpatialReference()
    made.ImportFromEPSG(code)
    made.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return made


def picture(width, height):
    """Hills a dozen pixels wide, so that a position off by a hundredth of a pixel shows as a few units at most."""
    col, row = np.meshgrid(np.arange(width), np.arange(height))
    hills = 5000 + 1500 * np.sin(col / 9) + 1500 * np.cos(row / 7) + 500 * np.sin((col + row) / 23)
    return hills.astype("u2")


def lattice(transform, size, nodes, code):
    (width, height), (across, down) = size, nodes
    step = -(-(height - 1) * 10 // (down * 10 - 16))
    to_ground = osr.CoordinateTransformation(system(code), system(WGS84))
    points = []
    for j in range(down):
        for i in range(across):
            col, row = i / (across - 1) * (width - 1), min(height - 1, j * step)
            x, y, _ = to_ground.TransformPoint(*gdal.ApplyGeoTransform(transform, col, row))
            points.append(gdal.GCP(x, y, 100.0 * (i % 3), col, row))
    return points


def write(path, pixels, points):
    options = ["COMPRESS=DEFLATE", "PREDICTOR=2"]
    made = gdal.GetDriverByName("GTiff").Create(path, pixels.shape[1], pixels.shape[0], 1, gdal.GDT_UInt16, options)
    made.SetGCPs(points, system(WGS84).ExportToWkt())
    made.GetRasterBand(1).WriteArray(pixels)


def target_grid(corners, code, pixel, size):
    """A grid over all corners, not aligned with anything."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    left, top = min(xs) - 3.3 * pixel, max(ys) + 3.7 * pixel
    width, height = (int((max(v) - min(v)) / pixel) + 7 for v in (xs, ys))
    assert width * height < 4e6, size
    return {"epsg": code, "transform": [left, pixel, 0, top, 0, -pixel], "width": width, "height": height}


def empty(target):
    made = gdal.GetDriverByName("MEM").Create("", target["width"], target["height"], 1, gdal.GDT_Float32)
    made.SetGeoTransform(target["transform"])
    made.SetProjection(system(target["epsg"]).ExportToWkt())
    made.GetRasterBand(1).SetNoDataValue(NODATA)
    made.GetRasterBand(1).Fill(NODATA)
    return made


def keep(folder, name, result):
    path = f"{folder}/{name}.tif"
    made = gdal.GetDriverByName("GTiff").Create(
        path, result.RasterXSize, result.RasterYSize, 1, gdal.GDT_Float32, ["COMPRESS=DEFLATE", "PREDICTOR=3"]
    )
    made.GetRasterBand(1).SetNoDataValue(NODATA)
    made.GetRasterBand(1).WriteArray(np.round(result.ReadAsArray(), 2))
    return f"{name}.tif"


def placed(source, width, height):
    """Places of some positions by splines and by polynomials, in degrees; GDAL's are lost where longitudes leap."""
    positions = [((i + 0.37) / 9 * width, (j + 0.61) / 9 * height) for j in range(9) for i in range(9)]
    found = {}
    lons = [point.GCPX for point in source.GetGCPs()]
    if max(lons) - min(lons) > 180:
        return {"positions": positions}
    for name, options in {
        "tps": ["SRC_METHOD=GCP_TPS"],
        "order3": ["SRC_METHOD=GCP_POLYNOMIAL", "MAX_GCP_ORDER=3"],
    }.items():
        places, _ = gdal.Transformer(source, None, options).TransformPoints(False, positions)
        found[name] = [list(place[:2]) for place in places]
    return {"positions": positions, **found}


def generated(folder, case):
    name, code, transform, (width, height), nodes, targets = case
    pixels = picture(width, height)
    points = lattice(transform, (width, height), nodes, code)
    write(f"{folder}/{name}.tif", pixels, points)
    true = gdal.GetDriverByName("MEM").Create("", width, height, 1, gdal.GDT_Float32)
    true.SetGeoTransform(transform)
    true.SetProjection(system(code).ExportToWkt())
    true.GetRasterBand(1).WriteArray(pixels.astype("f4"))
    warps = []
    for to in targets:
        convert = osr.CoordinateTransformation(system(code), system(to))
        outline = [(0, 0), (width, 0), (width, height), (0, height)]
        corners = [convert.TransformPoint(*gdal.ApplyGeoTransform(transform, *corner))[:2] for corner in outline]
        if name == "antimeridian" and to == 3857:
            # the part to the east of it, at the left edge of the map
            corners = [corner for corner in corners if corner[0] < 0] + [(-20037508.34, corners[0][1])]
        middle = [gdal.ApplyGeoTransform(transform, width / 2 + d, height / 2) for d in (-0.5, 0.5)]
        (x0, y0, _), (x1, y1, _) = (convert.TransformPoint(*one) for one in middle)
        for method, ratio in METHODS.items():
            target = target_grid(corners, to, ratio * float(np.hypot(x1 - x0, y1 - y0)), name)
            result = empty(target)
            width_kept = [] if method == "average" else ["XSCALE=1", "YSCALE=1"]
            gdal.Warp(result, true, resampleAlg=method, errorThreshold=0, warpOptions=width_kept)
            warps.append({"method": method, "target": target, "file": keep(folder, f"{name}-{to}-{method}", result)})
    source = gdal.Open(f"{folder}/{name}.tif")
    to_ground = osr.CoordinateTransformation(system(code), system(WGS84))
    facts = placed(source, width, height)
    at = [gdal.ApplyGeoTransform(transform, *position) for position in facts["positions"]]
    facts["true"] = [list(to_ground.TransformPoint(*one)[:2]) for one in at]
    return {"name": name, "path": f"{name}.tif", "warps": warps, "places": facts}


def product(folder, path, number):
    source = gdal.Open(path)
    width, height = source.RasterXSize, source.RasterYSize
    facts = placed(source, width, height)
    convert = osr.CoordinateTransformation(system(WGS84), system(3857))
    points = [convert.TransformPoint(p.GCPX, p.GCPY)[:2] for p in source.GetGCPs()]
    area = (max(x for x, _ in points) - min(x for x, _ in points)) * (max(y for _, y in points) - min(y for _, y in points))
    # about as many pixels as the image has, four million at most
    target = target_grid(points, 3857, max((area / (1.6 * width * height)) ** 0.5, (area / 3e6) ** 0.5), path)
    result = empty(target)
    gdal.Warp(result, source, resampleAlg="bilinear", errorThreshold=0, tps=True)
    warps = [{"method": "bilinear", "target": target, "file": keep(folder, f"product-{number}", result)}]
    return {"name": path.split("/")[-1], "path": path, "isProduct": True, "warps": warps, "places": facts}


folder = sys.argv[1]
is_golden = "--golden" in sys.argv
files = [word for word in sys.argv[2:] if not word.startswith("--")]
cases = [generated(folder, case) for case in (GOLDEN if is_golden else CASES)]
cases += [product(folder, path, number) for number, path in enumerate(files)]
with open(f"{folder}/facts.json", "w") as out:
    json.dump({"gdal": gdal.__version__, "cases": cases}, out)
print(f"GDAL {gdal.__version__}: {len(cases)} images with control points")
