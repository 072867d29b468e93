"""Sharpens pictures by the formulas of docs/use/pansharpening.md, in float64: numpy_pansharpen.py FOLDER (with jobs.json).

Writes a plane of float32 each for three composite bands, one band sharpened pixelwise, and an index; NaN has no data.
"""
import json
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
facts = json.loads((folder / "jobs.json").read_text())


def edges(grid, axis):
    """Where pixels begin and end along x (0) or y (1), in metres; y is counted downwards."""
    start, step, count = (
        (grid["transform"][0], grid["transform"][1], grid["width"])
        if axis == 0
        else (-grid["transform"][3], -grid["transform"][5], grid["height"])
    )
    return start + step * np.arange(count + 1)


def overlaps(target, source, axis):
    """How much of each source pixel lies in each target pixel: a matrix, target by source."""
    to, of = edges(target, axis), edges(source, axis)
    last = np.minimum(to[1:, None], of[None, 1:])
    first = np.maximum(to[:-1, None], of[None, :-1])
    parts = np.maximum(0, last - first)
    # where the image ends within a target pixel its outermost pixels count for what is missing beyond, as in GDAL
    touches = parts.any(axis=1)
    parts[:, 0] += touches * np.maximum(0, of[0] - to[:-1])
    parts[:, -1] += touches * np.maximum(0, to[1:] - of[-1])
    return parts


def average(plane, source, target):
    """The mean of what lies under each target pixel, by area, of pixels with data."""
    rows, cols = overlaps(target, source, 1), overlaps(target, source, 0)
    has = ~np.isnan(plane)
    total = rows @ np.where(has, plane, 0) @ cols.T
    weight = rows @ has.astype(float) @ cols.T
    with np.errstate(invalid="ignore"):
        return np.where(weight > 0, total / weight, np.nan)


def positions(target, source, axis):
    """Centres of target pixels in pixels of the source."""
    to, of = edges(target, axis), edges(source, axis)
    return ((to[1:] + to[:-1]) / 2 - of[0]) / (of[1] - of[0])


def resample(plane, source, target, method):
    """Nearest or bilinear; there is data where the pixel under the centre has some, and only those count."""
    x, y = positions(target, source, 0), positions(target, source, 1)
    height, width = plane.shape

    def take(rows, cols):
        inside = ((rows >= 0) & (rows < height))[:, None] & ((cols >= 0) & (cols < width))[None, :]
        taken = plane[np.clip(rows, 0, height - 1)[:, None], np.clip(cols, 0, width - 1)[None, :]]
        return np.where(inside, taken, np.nan)

    under = take(np.floor(y).astype(int), np.floor(x).astype(int))
    if method == "near":
        return under
    left, top = np.floor(x - 0.5).astype(int), np.floor(y - 0.5).astype(int)
    right_part, lower_part = x - 0.5 - left, y - 0.5 - top
    total, weight = np.zeros_like(under), np.zeros_like(under)
    for rows, row_part in ((top, 1 - lower_part), (top + 1, lower_part)):
        for cols, col_part in ((left, 1 - right_part), (left + 1, right_part)):
            taken = take(rows, cols)
            part = row_part[:, None] * col_part[None, :] * ~np.isnan(taken)
            total += part * np.nan_to_num(taken)
            weight += part
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.isnan(under), np.nan, total / weight)


def read(name, grid):
    planes = np.fromfile(folder / name, np.float32).astype(float)
    return planes.reshape(-1, grid["height"], grid["width"])


band_grid, pan_grid = facts["bandGrid"], facts["panGrid"]
bands, (pan,) = read("bands.raw", band_grid), read("pan.raw", pan_grid)
low = average(pan, pan_grid, band_grid)
# all planes of a grid have data or none
bands, low = np.where(np.isnan(low), np.nan, bands), np.where(np.isnan(bands[0]), np.nan, low)
for job in facts["jobs"]:
    up = [resample(plane, band_grid, job["target"], job["method"]) for plane in (*bands, low)]
    (first, second, third), low_up = up[:3], up[3]
    pan_up = resample(pan, pan_grid, job["target"], job["method"])
    has = ~(np.isnan(first) | np.isnan(pan_up))
    composite = np.array((first, second, third))
    composite = composite * pan_up / np.tensordot(facts["weights"], composite, 1)
    detail = pan_up / low_up - 1
    index = (third - first) / (third + first)
    amount = 0.5 * index[has].std() / detail[has].std()
    sharp = np.clip(index + amount * detail, index[has].min(), index[has].max())
    results = [*composite, second * (1 + detail), sharp]
    planes = [np.where(has, plane, np.nan).astype(np.float32) for plane in results]
    np.array(planes).tofile(folder / f"{job['name']}.raw")
print(f"NumPy {np.__version__} made {len(facts['jobs'])} pictures")
