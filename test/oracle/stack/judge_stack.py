"""Compares pictures made of stacks, and masks with their edges, with NumPy and SciPy: judge_stack.py FOLDER (with jobs.json).

Prints a line for each stack and mask, and fails if a pixel differs by more than the rounding of float32.
"""
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import scipy
from scipy import ndimage

folder = Path(sys.argv[1])
jobs = json.loads((folder / "jobs.json").read_text())
NO_SCENE = 0xFFFF
# pixels without a scene
warnings.simplefilter("ignore", RuntimeWarning)


def read(name, dtype):
    return np.fromfile(folder / name, dtype)


def read_scenes(job):
    """Clear pixels (scene, pixel), channels (scene, channel, pixel; NaN where not clear), values (scene, pixel)."""
    count, channels = job["count"], job["channelCount"]
    scene = np.dtype([("channels", "<f4", (channels, count)), ("values", "<f4", count), ("mask", "u1", count)])
    scenes = np.fromfile(folder / f"{job['seed']}.scenes", scene)
    stack = scenes["channels"].astype(float)
    clear = (scenes["mask"] % 2 == 1) & ~np.isnan(stack).any(axis=1)
    return clear, np.where(clear[:, None], stack, np.nan), scenes["values"].astype(float)


def chosen(stack, clear, order):
    """Channels and indexes of the scene with the least number in `order`, of the clear ones; the first of equal ones."""
    index = np.where(clear, order, np.inf).argmin(axis=0)
    has = clear.any(axis=0)
    channels = np.where(has, np.take_along_axis(stack, index[None, None, :], axis=0)[0], np.nan)
    return {"channels": channels, "indexes": np.where(has, index, NO_SCENE), "counts": clear.sum(axis=0)}


def sums_of_distances(stack):
    sums = np.zeros((len(stack), stack.shape[2]))
    for i, one in enumerate(stack):
        for other in stack:
            squares = np.zeros(stack.shape[2])
            for a, b in zip(one, other):
                squares = squares + (a - b) ** 2
            sums[i] += np.nan_to_num(np.sqrt(squares))
    return sums


def blended(stack, clear, values, opaque_at):
    alphas = np.where(clear & (values > 0), np.minimum(1, values / opaque_at), 0)
    left = np.cumprod(np.vstack([np.ones(alphas.shape[1]), 1 - alphas[:-1]]), axis=0)
    weights = alphas * left
    channels = (weights[:, None] * np.nan_to_num(stack)).sum(axis=0) / weights.sum(axis=0)
    return {"channels": np.where(weights.any(axis=0), channels, np.nan), "weights": weights}


def wanted(operation, stack, clear, values):
    counts = clear.sum(axis=0)
    if operation == "median":
        return {"channels": np.nanmedian(stack, axis=0), "counts": counts}
    if operation.startswith("percentile"):
        return {"channels": np.nanpercentile(stack, float(operation.split()[1]), axis=0), "counts": counts}
    if operation == "mean":
        return {"channels": np.nanmean(stack, axis=0), "counts": counts}
    if operation == "stddev":
        return {"channels": np.nanstd(stack, axis=0), "counts": counts}
    if operation == "count":
        return {"channels": np.where(counts > 0, counts, np.nan)[None], "counts": counts}
    if operation == "medoid":
        return chosen(stack, clear, sums_of_distances(stack))
    if operation == "blend":
        return blended(stack, clear, values, jobs["opaqueAt"])
    if operation == "first":
        return chosen(stack, clear, np.arange(len(stack))[:, None] + np.zeros_like(values))
    rated = clear & ~np.isnan(values)
    return chosen(stack, rated, values if operation == "lowest" else -values)


def faults_of(job, operation, stack, clear, values):
    """How many pixels are wrong."""
    want = wanted(operation, stack, clear, values)
    name = f"{job['seed']}.{operation}"
    bad = np.zeros(job["count"], bool)
    has = read(f"{name}.mask", "u1") == 1
    for i, channel in enumerate(want["channels"].astype(np.float32)):
        got = read(f"{name}.channel{i}", "<f4")
        # one unit in the last place; deviations are differences of larger numbers
        near = np.spacing(np.abs(channel)) + (1e-12 if operation == "stddev" else 0)
        bad |= (has == np.isnan(channel)) | (has & (np.abs(got - channel) > near))
    # a choice is right or wrong, and a median of float32 is not rounded twice
    if operation in ("median", "medoid", "highest", "lowest", "first", "count"):
        got = np.array([read(f"{name}.channel{i}", "<f4") for i in range(len(want["channels"]))])
        bad |= (has & (got != want["channels"].astype(np.float32))).any(axis=0)
    if "counts" in want and operation != "first":
        bad |= read(f"{name}.counts", "<u2") != want["counts"]
    if "indexes" in want:
        bad |= read(f"{name}.indexes", "<u2") != want["indexes"]
    if "weights" in want:
        index = read(f"{name}.indexes", "<u2")
        bad |= (index == NO_SCENE) != ~has
        own = np.take_along_axis(want["weights"], np.where(has, index, 0)[None].astype(int), axis=0)[0]
        bad |= has & (own < want["weights"].max(axis=0) * (1 - 1e-6))
    return int(bad.sum())


def judge_stack(job):
    clear, stack, values = read_scenes(job)
    faults = {operation: faults_of(job, operation, stack, clear, values) for operation in jobs["operations"]}
    wrong = {operation: count for operation, count in faults.items() if count}
    empty = int((~clear.any(axis=0)).sum())
    size = f"{job['sceneCount']} scenes x {job['channelCount']} channels x {job['count']} px ({job['kind']})"
    print(f"{'MISMATCH' if wrong else 'ok'} {size}, {empty} px empty, {len(faults)} operations {wrong or ''}")
    return len(wrong)


def judge_mask(job):
    mask = read(f"{job['seed']}.mask", "u1").reshape(job["height"], job["width"]) == 1
    wrong = []
    for i, radius in enumerate(jobs["radii"]):
        dilated = read(f"{job['seed']}.dilated{i}", "u1").reshape(mask.shape) == 1
        to_cloud = ndimage.distance_transform_edt(~mask) if mask.any() else np.full(mask.shape, np.inf)
        # squares are whole numbers, roots are not
        if not np.array_equal(dilated, np.round(to_cloud**2) <= radius**2):
            wrong.append(f"dilated {radius}")
        for outside in (0, 1):
            inner = np.pad(mask, 1, constant_values=False) if outside else mask
            far = ndimage.distance_transform_edt(inner) if not inner.all() else np.full(mask.shape, np.inf)
            far = far[1:-1, 1:-1] if outside else far
            got = read(f"{job['seed']}.distance{i}.{outside}", "<f4").reshape(mask.shape)
            if not np.array_equal(got, np.minimum(far, radius).astype(np.float32)):
                wrong.append(f"distance {radius} {outside}")
    size = f"mask {job['width']} x {job['height']}, {int(mask.sum())} px set"
    print(f"{'MISMATCH' if wrong else 'ok'} {size}, {len(jobs['radii'])} radii {wrong or ''}")
    return len(wrong)


bad = sum(map(judge_stack, jobs["stacks"])) + sum(map(judge_mask, jobs["masks"]))
print(f"NumPy {np.__version__} and SciPy {scipy.__version__}: {bad} mismatches")
sys.exit(bad != 0)
