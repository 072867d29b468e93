"""Curves, seasons, normals and anomalies from the formulas of docs/use/seasons.md: judge_seasons.py CASES.json.

Nothing of src/seasons is repeated here: the smoother is a sparse system solved by SuperLU, peaks are those of a
prominence, crossings are roots of an interpolant, integrals are quadratures, and dates come from datetime.
"""
import datetime
import json
import sys

import numpy as np
from scipy import integrate, signal, sparse, stats
from scipy.sparse.linalg import spsolve

TOLERANCE = 1e-7
EPOCH = datetime.date(1970, 1, 1)


def smooth(samples, smoothness, maxGapDays, envelope):
    days = np.array([s["day"] for s in samples])
    first, count = days.min(), np.ptp(days) + 1
    weights = np.bincount(days - first, [s["weight"] for s in samples], count)
    sums = np.bincount(days - first, [s["weight"] * s["value"] for s in samples], count)
    points = np.divide(sums, weights, out=np.zeros(count), where=weights > 0)
    differences = sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(count - 2, count))
    penalty = smoothness * (differences.T @ differences)

    def fit(w):
        return spsolve(sparse.csc_matrix(sparse.diags(w) + penalty), w * points)

    line = fit(weights)
    if envelope is not None:
        known = weights > 0
        sides = None
        for _ in range(10):
            now = points > line
            if sides is not None and (now == sides)[known].all():
                break
            sides = now
            line = fit(weights * np.where(sides, envelope, 1 - envelope))
    measured = np.flatnonzero(weights)
    for a, b in zip(measured, measured[1:]):
        if b - a > maxGapDays:
            line[a + 1:b] = np.nan
    return int(first), line


def crossing(line, days, level):
    """The place on a run of days, nearest to its first, at which the line meets the level."""
    values = line[days]
    k = int(np.argmax(values <= level))
    if k == 0:
        return float(days[0])
    return float(np.interp(level, [values[k], values[k - 1]], [days[k], days[k - 1]]))


def seasons_of(first, line, startFraction, endFraction, minAmplitude, minRangeFraction):
    least = max(minAmplitude, minRangeFraction * (np.nanmax(line) - np.nanmin(line)))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (~np.isnan(line)).astype(int), [0]])))
    found = []
    for begin, end in zip(edges[::2], edges[1::2]):
        part = line[begin:end]
        # Only peaks with a rise and a fall on both sides: what is open at an edge is judged by unit tests.
        peaks, _ = signal.find_peaks(part, prominence=least)
        for k, peak in enumerate(peaks):
            left_from = peaks[k - 1] if k > 0 else 0
            right_to = peaks[k + 1] if k + 1 < len(peaks) else len(part) - 1
            left = left_from + int(np.argmin(part[left_from:peak + 1]))
            right = peak + int(np.argmin(part[peak:right_to + 1]))
            # A last rise that has not turned yet is a peak to come: the minimum before it is before that rise.
            top = part[peak]
            low = min(part[left], part[right])
            closed_left = left != 0 or part[left] <= low + startFraction * (top - low)
            closed_right = right != len(part) - 1 or part[right] <= low + endFraction * (top - low)
            start_level = part[left] + startFraction * (top - part[left])
            end_level = part[right] + endFraction * (top - part[right])
            start = crossing(part, np.arange(peak, -1, -1), start_level) if closed_left else None
            stop = crossing(part, np.arange(peak, len(part)), end_level) if closed_right else None
            minima = ([part[left]] if closed_left else []) + ([part[right]] if closed_right else [])
            base = float(np.mean(minima)) if minima else None
            season = {
                "startDay": None if start is None else first + begin + start,
                "startValue": start_level if closed_left else None,
                "peakDay": int(first + begin + peak), "peakValue": top, "isPeakKnown": True,
                "endDay": None if stop is None else first + begin + stop,
                "endValue": end_level if closed_right else None,
                "lengthDays": None, "base": base, "amplitude": None if base is None else top - base,
                "largeIntegral": None, "smallIntegral": None,
            }
            if start is not None and stop is not None:
                grid = np.arange(len(part))
                breaks = [d for d in range(int(np.ceil(start)), int(np.floor(stop)) + 1) if start < d < stop]
                corners = np.array([start, *breaks, stop])
                season["lengthDays"] = stop - start
                season["largeIntegral"] = integrate.trapezoid(np.interp(corners, grid, part), corners)
                season["smallIntegral"] = integrate.trapezoid(np.interp(corners, grid, part) - base, corners)
            found.append(season)
    return found


def split(first, line):
    years = {}
    for i, value in enumerate(line):
        date = EPOCH + datetime.timedelta(days=first + i)
        if np.isnan(value) or (date.month, date.day) == (2, 29):
            continue
        # The same day of a year that is not a leap year.
        at = (date.replace(year=2001) - datetime.date(2001, 1, 1)).days
        years.setdefault(date.year, np.full(365, np.nan))[at] = value
    return years


def around(numbers, window):
    half = window // 2
    stacked = np.stack([np.roll(numbers, k) for k in range(-half, half + 1)])
    known = (~np.isnan(stacked)).sum(0)
    means = np.divide(np.nansum(stacked, 0), known, out=np.full(365, np.nan), where=known > 0)
    return np.where(np.isnan(numbers), np.nan, means)


def normals_of(years, windowDays, minYears):
    table = np.stack([years[y] for y in sorted(years)]) if years else np.empty((0, 365))
    counts = (~np.isnan(table)).sum(0)
    names = ["mean", "median", "p10", "p90", "min", "max", "std"]
    out = {name: np.full(365, np.nan) for name in names}
    for at in np.flatnonzero((counts >= minYears) & (counts > 0)):
        v = table[:, at][~np.isnan(table[:, at])]
        p10, p90 = np.percentile(v, [10, 90])
        std = v.std(ddof=1) if v.size > 1 else np.nan
        for name, value in zip(names, [v.mean(), np.median(v), p10, p90, v.min(), v.max(), std]):
            out[name][at] = value
    return table, {"counts": counts, **{name: around(values, windowDays) for name, values in out.items()}}


def anomaly_of(day, value, table, normals):
    date = EPOCH + datetime.timedelta(days=day)
    if (date.month, date.day) == (2, 29):
        date -= datetime.timedelta(days=1)
    at = (date.replace(year=2001) - datetime.date(2001, 1, 1)).days
    mean, std = normals["mean"][at], normals["std"][at]
    if np.isnan(mean):
        return None
    others = table[:, at][~np.isnan(table[:, at])]
    return {
        "difference": value - mean, "relative": (value - mean) / abs(mean),
        "z": (value - mean) / std if others.size >= 3 and std > 0 else None,
        "percentile": stats.percentileofscore(others, value, "mean"), "years": others.size,
    }


worst = 0.0
faults = []


def compare(name, got, wanted):
    global worst
    if isinstance(wanted, dict):
        if not isinstance(got, dict) or set(got) != set(wanted):
            return faults.append(f"{name}: {got} is not {wanted}")
        for key in wanted:
            compare(f"{name}.{key}", got[key], wanted[key])
    elif isinstance(wanted, (list, np.ndarray)):
        if len(got) != len(wanted):
            return faults.append(f"{name}: {len(got)} values, not {len(wanted)}")
        for i, (a, b) in enumerate(zip(got, wanted)):
            compare(f"{name}[{i}]", a, b)
    else:
        missing = wanted is None or (isinstance(wanted, float) and np.isnan(wanted))
        if missing or got is None:
            if not (missing and got is None):
                faults.append(f"{name}: {got} is not {wanted}")
            return
        off = abs(float(got) - float(wanted)) / max(1.0, abs(float(wanted)))
        worst = max(worst, off)
        if not off <= TOLERANCE:
            faults.append(f"{name}: {got} is not {wanted}")


cases = json.load(open(sys.argv[1]))
count = 0
for i, case in enumerate(cases):
    given, got = case["input"], case["got"]
    first, line = smooth(given["samples"], **given["smoothing"])
    compare(f"{i} firstDay", got["firstDay"], first)
    compare(f"{i} curve", got["curve"], line)
    # The rest is judged on the curve as it came, so that rounding of the smoother does not move a day.
    own = np.array([np.nan if v is None else v for v in got["curve"]])
    wanted = seasons_of(first, own, **given["seasons"])
    closed = [s for s in got["seasons"] if s["isPeakKnown"]]
    # A peak whose curve rises again before the end has its minimum before that rise in both; compare by peak.
    compare(f"{i} peaks", [s["peakDay"] for s in closed], [s["peakDay"] for s in wanted])
    for a, b in zip(closed, wanted):
        compare(f"{i} season {a['peakDay']}", a, b)
    count += len(wanted)
    years = split(first, own)
    years = {y: v for y, v in years.items() if y < max(years)}
    table, normals = normals_of(years, **given["normals"])
    compare(f"{i} years", got["years"], sorted(years))
    compare(f"{i} normals", got["normals"], normals)
    compare(f"{i} anomaly", got["anomaly"], anomaly_of(**given["anomaly"], table=table, normals=normals))
for fault in faults[:20]:
    print("MISMATCH", fault)
print(f"{len(cases)} curves, {count} seasons, worst {worst:.1e}, {len(faults)} mismatches")
sys.exit(1 if faults or count < 100 else 0)
