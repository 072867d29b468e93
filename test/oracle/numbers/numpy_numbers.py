"""Statistics of planes of float32 without their NaN, as JSON: numpy_numbers.py FOLDER (with jobs.json)."""
import json
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])


def cut(values):
    low, high = np.percentile(values, [2, 98 - 0.75 * 20])
    if high > low:
        return low, high
    return low, low + (1 if (values == np.floor(values)).all() else 1e-6)


def without_tails(values):
    if values.min() == values.max():
        return values.min(), values.max()
    counts, edges = np.histogram(values, 256)
    thick = np.flatnonzero(counts >= 0.0005 * values.size)
    return edges[thick[0]], edges[thick[-1] + 1]


def describe(values):
    p10, q1, median, q3, p90 = np.percentile(values, [10, 25, 50, 75, 90])
    mean, std = values.mean(), values.std()
    (cc_min, cc_max), (histogram_min, histogram_max) = cut(values), without_tails(values)
    return {
        "count": values.size, "min": values.min(), "max": values.max(), "average": mean, "std": std,
        "variance": values.var(), "q1": q1, "median": median, "q3": q3, "p10": p10, "p90": p90,
        "ccMin": cc_min, "ccMax": cc_max, "meanMin": mean - 2 * std, "meanMax": mean + 2 * std,
        "histogramMin": histogram_min, "histogramMax": histogram_max,
    }


results = []
for name in json.loads((folder / "jobs.json").read_text()):
    plane = np.fromfile(folder / name, np.float32).astype(float)
    results.append({key: float(value) for key, value in describe(plane[~np.isnan(plane)]).items()})
print(json.dumps(results))
