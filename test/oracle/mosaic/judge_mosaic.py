"""Judges mosaics with GDAL and NumPy: judge_mosaic.py FOLDER (with jobs.json).

Warps every band and mask onto the grid of each case with gdalwarp's own arithmetic, leaves out what the masks hide, makes
each selection of the stack, and compares every pixel: values, data, counts, and the scene that each pixel is of. Only the
rounding of float32 may differ, and of numbers that are equal but for rounding either scene may win.
"""
import json
import sys
import warnings
from datetime import datetime
from pathlib import Path

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
folder = Path(sys.argv[1])
jobs = json.loads((folder / "jobs.json").read_text())
NO_SCENE = 0xFFFF
NODATA = -9999.0
# pixels without a scene
warnings.simplefilter("ignore", RuntimeWarning)


def target_of(grid, pad=0):
    a, b, _, d, _, f = grid["transform"]
    width, height = grid["width"] + 2 * pad, grid["height"] + 2 * pad
    made = gdal.GetDriverByName("MEM").Create("", width, height, 1, gdal.GDT_Float32)
    made.SetGeoTransform((a - pad * b, b, 0, d - pad * f, 0, f))
    system = osr.SpatialReference()
    system.ImportFromEPSG(grid["epsg"])
    made.SetProjection(system.ExportToWkt())
    made.GetRasterBand(1).SetNoDataValue(NODATA)
    made.GetRasterBand(1).Fill(NODATA)
    return made


def warp(file, grid, method, pad=0):
    """A band on the grid, NaN where it has no data."""
    source = gdal.Open(file["path"])
    one = gdal.Translate("", source, format="MEM", bandList=[file["band"]], noData=file["nodata"])
    written = target_of(grid, pad)
    options = {} if file["nodata"] is None else {"srcNodata": file["nodata"]}
    # a class of a mask is never interpolated; no approximation of positions
    gdal.Warp(written, one, resampleAlg=method, errorThreshold=0, dstNodata=NODATA, overviewLevel="NONE", **options)
    values = written.ReadAsArray().astype(float)
    return np.where(values == NODATA, np.nan, values)


def confidence(quality, first):
    """Two bits of Landsat's quality, collection 2: 3 is high."""
    return (quality >> first) & 3


def hidden(mask, grid, masked, pad):
    values = warp(mask, grid, "near", pad)
    known = np.nan_to_num(values).astype(int)
    out = np.zeros(known.shape, bool)
    if mask["kind"] == "classes":
        for name, classes in (("clouds", (8, 9)), ("cirrus", (10,)), ("shadows", (3,))):
            if masked[name]:
                out |= np.isin(known, classes)
        return out
    for name, first in (("clouds", 8), ("cirrus", 14), ("shadows", 10)):
        if masked[name]:
            out |= confidence(known, first) == 3
    # fill is not a cloud
    return out & ~np.isnan(values)


def dilate(marks, radius):
    out = marks.copy()
    height, width = marks.shape
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            if dx * dx + dy * dy > radius * radius:
                continue
            ys, xs = slice(max(0, dy), height + min(0, dy)), slice(max(0, dx), width + min(0, dx))
            yt, xt = slice(max(0, -dy), height + min(0, -dy)), slice(max(0, -dx), width + min(0, -dx))
            out[yt, xt] |= marks[ys, xs]
    return out


def crop(plane, pad):
    return plane[pad : plane.shape[0] - pad, pad : plane.shape[1] - pad]


def read_stack(case):
    """Scenes, the newest first; their channels (scene, channel, pixel; NaN where not clear) and clear pixels (scene, pixel).

    Also how far each pixel lies from the nearest one that its scene does not show (scene, pixel), up to the widest feather:
    so far is read around the picture, and as far again as masks grow.
    """
    grid, method = case["grid"], case["method"]
    feather = max(selection.get("featherPx", 0) for selection in jobs["selections"].values())
    pad = case["dilatePx"] + feather
    scenes = sorted(jobs["scenes"], key=lambda scene: scene["acquiredAt"], reverse=True)
    stack, clear, depth = [], [], []
    for scene in scenes:
        channels = np.array([warp(file, grid, method, pad) + file["shift"] for file in scene["bands"]], np.float32)
        hides = hidden(scene["mask"], grid, case["masked"], pad)
        shown = ~np.isnan(channels).any(axis=0) & ~dilate(hides, case["dilatePx"])
        depth.append(crop(depths(shown, feather), pad))
        clear.append(crop(shown, pad))
        stack.append([crop(channel, pad) for channel in channels])
    stack = np.array(stack).reshape(len(scenes), len(scenes[0]["bands"]), -1).astype(float)
    clear, depth = (np.array(planes).reshape(len(scenes), -1) for planes in (clear, depth))
    return scenes, np.where(clear[:, None], stack, np.nan), clear, depth


def depths(shown, most):
    """The distance of each pixel to the nearest one that is not shown, between centres; at most `most`."""
    far = np.where(shown, float(most), 0.0)
    height, width = shown.shape
    for dy in range(-most, most + 1):
        for dx in range(-most, most + 1):
            distance = np.hypot(dx, dy)
            if distance >= most:
                continue
            ys, xs = slice(max(0, dy), height + min(0, dy)), slice(max(0, dx), width + min(0, dx))
            yt, xt = slice(max(0, -dy), height + min(0, -dy)), slice(max(0, -dx), width + min(0, -dx))
            far[yt, xt] = np.minimum(far[yt, xt], np.where(shown[ys, xs], far[yt, xt], distance))
    return far


def feathered(stack, clear, depth, feather):
    """Scenes over each other in their order: each has its own weight of what those before it leave."""
    left = np.ones(clear.shape[1])
    weights = np.zeros(clear.shape)
    for i in range(len(clear)):
        weights[i] = left * np.where(clear[i], np.minimum(1, depth[i] / feather), 0)
        left = left - weights[i]
    total = weights.sum(axis=0)
    channels = (np.nan_to_num(stack) * weights[:, None]).sum(axis=0) / np.where(total > 0, total, np.nan)
    return {
        "channels": channels,
        "indexes": np.where(total > 0, weights.argmax(axis=0), NO_SCENE),
        "order": -weights,
        "stack": None,
    }


def chosen(stack, clear, order):
    """The scene with the least number in `order`, of the clear ones; the first of equal ones."""
    index = np.where(clear, order, np.inf).argmin(axis=0)
    has = clear.any(axis=0)
    channels = np.where(has, np.take_along_axis(stack, index[None, None, :], axis=0)[0], np.nan)
    return {"channels": channels, "indexes": np.where(has, index, NO_SCENE), "order": order, "stack": stack}


def pick(planes, index):
    return np.take_along_axis(planes, index[None], axis=0)[0]


def sums_of_distances(stack):
    sums = np.zeros((len(stack), stack.shape[2]))
    for i, one in enumerate(stack):
        for other in stack:
            sums[i] += np.nan_to_num(np.sqrt(((one - other) ** 2).sum(axis=0)))
    return sums


def order_of(selection, scenes):
    """The scenes, newest first, in the order of a selection by order; None for others."""
    kind, all_of_them = selection["kind"], range(len(scenes))
    if kind == "newest":
        return list(all_of_them)
    if kind == "oldest":
        return list(reversed(all_of_them))
    if kind == "least-cloudy":
        return sorted(all_of_them, key=lambda i: scenes[i]["cloudPercent"])
    if kind == "nearest":
        noon = datetime.fromisoformat(selection["date"] + "T12:00:00+00:00")
        times = [datetime.fromisoformat(scene["acquiredAt"].replace("Z", "+00:00")) for scene in scenes]
        return sorted(all_of_them, key=lambda i: abs(times[i] - noon))
    return None


def wanted(selection, scenes, stack, clear, depth):
    kind = selection["kind"]
    in_order = np.arange(len(scenes))[:, None] + np.zeros(clear.shape)
    red, _, near = (stack[:, channel] for channel in range(3))
    order = order_of(selection, scenes)
    if order is not None:
        # candidates come in the order of the selection
        own, shown = stack[order], clear[order]
        feather = selection.get("featherPx", 0)
        return feathered(own, shown, depth[order], feather) if feather else chosen(own, shown, in_order)
    if kind in ("highest", "lowest"):
        ndvi = (near - red) / (near + red)
        return chosen(stack, clear & ~np.isnan(ndvi), ndvi if kind == "lowest" else -ndvi)
    if kind == "medoid":
        return chosen(stack, clear, sums_of_distances(stack))
    counts = clear.sum(axis=0)
    if kind == "count":
        return {"channels": np.where(counts > 0, counts, np.nan)[None], "counts": counts}
    channels = {
        "mean": lambda: np.nanmean(stack, axis=0),
        "median": lambda: np.nanmedian(stack, axis=0),
        "deviation": lambda: np.nanstd(stack, axis=0),
        "percentile": lambda: np.nanpercentile(stack, selection.get("percent", 50), axis=0),
    }[kind]()
    return {"channels": channels, "counts": counts}


def faults_of(case, name, selection, scenes, stack, clear, depth):
    """Which pixels are wrong."""
    want = wanted(selection, scenes, stack, clear, depth)

    def read(part, dtype):
        return np.fromfile(folder / case["name"] / f"{name}.{part}", dtype)

    has = read("mask", "u1") == 1
    bad = has != ~np.isnan(want["channels"][0])
    exact = case["method"] == "near"
    got = np.array([read(f"channel{i}", "<f4") for i in range(len(want["channels"]))]).astype(float)
    expected = want["channels"]
    if "indexes" in want:
        index = read("indexes", "<u2")
        bad |= (index == NO_SCENE) != ~has
        at = np.where(has, index, 0).astype(int)
        own, best = (pick(want["order"], i) for i in (at, np.where(has, want["indexes"], 0)))
        # the order of scenes is whole numbers, but weights are not
        is_whole = order_of(selection, scenes) is not None and want["stack"] is not None
        slack = 0 if is_whole else 1e-6 if exact else 1e-4
        bad |= has & ~(own <= best + slack * np.abs(best))
        if want["stack"] is not None:
            expected = np.array([pick(want["stack"][:, i], at) for i in range(len(expected))])
    # rounding of float32; positions of interpolated pixels are exact to 2e-5 pixels
    near = 2 * np.spacing(np.abs(expected).astype(np.float32)).astype(float) if exact else 1e-5 * np.abs(expected) + 0.25
    if selection["kind"] == "deviation":
        near = near + (1e-3 if exact else 0.5)
    if "featherPx" in selection:
        # distances are float32
        near = near + 1e-6 * np.abs(expected)
    bad |= has & (np.abs(got - expected) > near).any(axis=0)
    if "counts" in want:
        bad |= read("counts", "<u2") != want["counts"]
    return bad


def judge(case):
    scenes, stack, clear, depth = read_stack(case)
    faults = {
        name: int(faults_of(case, name, selection, scenes, stack, clear, depth).sum())
        for name, selection in jobs["selections"].items()
    }
    wrong = {name: count for name, count in faults.items() if count}
    counts = clear.sum(axis=0)
    size = f"{counts.size} px, {counts.mean():.1f} clear scenes of {len(scenes)}, {int((counts == 0).sum())} px empty"
    print(f"{'MISMATCH' if wrong else 'ok'} {case['name']}: {size}, {len(faults)} selections {wrong or ''}")
    return len(wrong)


clouds = [scene["cloudPercent"] for scene in jobs["scenes"]]
assert None not in clouds and len(set(clouds)) > 3, f"scenes must differ in their clouds: {clouds}"
bad = sum(map(judge, jobs["cases"]))
print(f"GDAL {gdal.__version__} and NumPy {np.__version__}: {bad} mismatches")
sys.exit(bad != 0)
