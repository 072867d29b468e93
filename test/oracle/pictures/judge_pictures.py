"""
Compares pictures of the running service with the same pictures computed by GDAL, NumPy and matplotlib.
Reads {jobs, tables} as JSON from standard input, prints a table and fails on a mismatch. What was computed for golden
pictures is written to their files.
"""

import json
import sys

import numpy as np

from drawn_pictures import draw, radar_levels
from stored_bands import read_picture

# methods that pick a value instead of computing one: a position between two pixels may fall to either
PICKING = ("near", "mode", "max", "min", "med", "q1", "q3")
STRAY = 5e-4
# share of pixels that may be opaque in one of the two only
MASKS = 1e-4
# Where a picture shrinks and its scale changes within a tile, kernels get wider from part to part. The parts of pictures are
# squares of some power of two; the right level is that of one of them.
SIDES = (32, 16, 64, 8, 128, 256)


def compare(job, tables):
    picture = np.moveaxis(read_picture(job["picture"]).astype(int), 0, -1)
    alpha = picture[..., 3] > 0
    if job["viewId"].startswith("S1/"):
        around, is_whole = radar_levels(job)
        off = np.min([np.abs(picture[..., 0] - levels) for levels in around], axis=0)[is_whole & alpha]
        return off, int((is_whole & ~alpha).sum()), picture[..., 0][alpha].std(), "0"
    off = None
    for side in SIDES:
        answers, opaque, levels = draw(job, tables, side)
        these = np.min([np.abs(picture[..., :3] - answer).max(axis=-1) for answer in answers], axis=0)
        off = these if off is None else np.minimum(off, these)
        # kernels of methods that do not compute anything have no width
        if off[opaque & alpha].max(initial=0) <= 1 or job["query"].get("RESAMPLE") in PICKING:
            break
    off = off[opaque & alpha]
    spread = answers[0][opaque].std() if opaque.any() else 0
    if "golden" in job:
        rgba = np.concatenate([np.where(opaque[..., None], answers[0], 0), 255 * opaque[..., None]], -1)
        rgba.astype(np.uint8).tofile(job["golden"]["file"])
    return off, int((opaque != alpha).sum()), spread, ",".join(map(str, levels))


given = json.load(sys.stdin)
failed, total = 0, 0
print(f"{'picture':86} level  pixels  worst  >1 level  masks<>")
for job in given["jobs"]:
    off, masks, spread, levels = compare(job, given["tables"])
    far = float((off > 1).mean()) if off.size else 1.0
    method = job["query"].get("RESAMPLE", "bilinear")
    classes = job["bands"] in ("SCL", "BQA") or "MASKING" in job["query"]
    stray = STRAY if method in PICKING or classes else 0
    size = job["grid"]["width"] * job["grid"]["height"]
    good = off.size > 0 and far <= stray and masks <= MASKS * size and spread > 3
    failed, total = failed + (not good), total + 1
    print(
        f"{job['name']:86} {levels:>5} {off.size:7} {int(off.max()) if off.size else -1:6} "
        f"{100 * far:8.3f}% {masks:7}{'' if good else '  MISMATCH'}"
    )
print(f"{total} pictures, {failed} mismatches")
sys.exit(1 if failed else 0)
