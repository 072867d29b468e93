"""Filters speckle and finds thresholds: judge_classes.py FOLDER (with jobs.json)."""
import json
import sys
from pathlib import Path

import numpy as np
import scipy
import skimage
from scipy import ndimage
from skimage.filters import threshold_otsu

folder = Path(sys.argv[1])
jobs = json.loads((folder / "jobs.json").read_text())


def lee(amplitude, known, radius, looks):
    """Lee (1980), on intensities; means are of the known pixels of a square."""
    size = 2 * radius + 1
    intensity = np.where(known, amplitude.astype(np.float64) ** 2, 0)

    def total(plane):
        return ndimage.convolve(plane, np.ones((size, size)), mode="constant", cval=0)

    count = np.maximum(1, total(known.astype(np.float64)))
    mean = total(intensity) / count
    variance = total(np.where(known, (intensity - 0) ** 2, 0)) / count - mean**2
    noise = 1 / looks
    signal = (variance - mean**2 * noise) / (1 + noise)
    weight = np.clip(np.divide(signal, variance, out=np.zeros_like(signal), where=variance > 0), 0, None)
    return np.where(known, np.sqrt(np.maximum(0, mean + weight * (intensity - mean))), amplitude)


bad = 0
for job in jobs["images"]:
    shape = (job["height"], job["width"])
    values, got = (np.fromfile(folder / f"{job['seed']}.{name}", "<f4").reshape(shape) for name in ("values", "filtered"))
    known = np.fromfile(folder / f"{job['seed']}.mask", "u1").reshape(shape) == 1
    wanted = lee(values, known, job["radius"], job["looks"])
    # a float32, and variances that are small differences of large numbers
    off = np.abs(got - wanted) / np.maximum(1, wanted)
    wrong = int((off > 1e-5).sum())
    bad += wrong
    print(f"{'MISMATCH' if wrong else 'ok'} {job['width']} x {job['height']}, {job['looks']} looks, {int((~known).sum())} px empty, off by {off.max():.1e}")
for job in jobs["thresholds"]:
    # scikit-image names the middle of the last bin below the threshold
    wanted = threshold_otsu(hist=(np.array(job["counts"]), np.arange(len(job["counts"])) + 0.5)) + 0.5
    # in a gap between the groups ours is the middle, theirs the first
    low, high = sorted((wanted, job["threshold"]))
    wrong = sum(job["counts"][int(low) : int(high)]) != 0
    bad += wrong
    print(f"{'MISMATCH' if wrong else 'ok'} threshold {job['threshold']}, scikit-image {wanted}")
print(f"NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-image {skimage.__version__}: {bad} mismatches")
sys.exit(bad != 0)
