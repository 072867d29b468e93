"""Computes trees with NumPy and compares with what Swath made of the same trees.

Reads a folder: trees.json (pool of bands, trees, Swath's refusals) and results.bin (Swath's values: for every tree its
inexact parts from the inside out, then the tree itself with its mask). Prints one line of JSON.

An inexact part is compared with NumPy's answer for the very operands that Swath had, then replaced by Swath's answer,
so that an error cannot hide behind, or be blamed for, another one.
"""

import json
import sys

import numpy as np
from numpy_rules import INEXACT, Refused, Value, call, call_bands, f32, masked_pixels, to_band

# Where IEEE 754 leaves a result open it is compared twice, in units of the last place of a float32: with NumPy's answer
# in float64, which is as good as the truth, and with its answer in float32, which is itself up to 4 units off.
TRUTH_ULPS = 1
NUMPY_ULPS = 4
# These cancel: near zero NumPy's own result is off by units of an operand, which is then below one.
CANCELS = {"logaddexp", "logaddexp2"}


def order(data):
    """Floats as integers in their order, so that neighbours differ by one; both zeros are 0."""
    bits = data.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def far_apart(ours, numpys, ulps, floor=0.0):
    """Where two results differ by more than some units, of at floor a number's size."""
    both_nan = np.isnan(ours) & np.isnan(numpys)
    if ulps == 0:
        return (ours.view(np.int32) != numpys.view(np.int32)) & ~both_nan
    wrong = np.abs(order(ours) - order(numpys)) > ulps
    if floor > 0:
        size = np.maximum(np.abs(ours), f32(floor))
        wrong &= ~(np.abs(ours.astype(np.float64) - numpys) <= ulps * np.spacing(size))
    return wrong & ~both_nan


class Walk:
    """One tree: `take` gives Swath's next values; it is None for a tree that Swath refuses."""

    def __init__(self, planes, take, worst):
        self.planes, self.take, self.worst = planes, take, worst

    def compute(self, tree, is_root=False):
        if isinstance(tree, str):
            return self.leaf(tree)
        name, args, is_part = tree
        values = [self.compute(arg) for arg in args]
        result = call(name, values, self.planes)
        if is_root or not is_part:
            self.root = (name, values)
            return result
        if self.take is None:
            return result
        ours = self.take()
        self.compare(name, values, result, ours)
        return Value(ours, result.absent, result.uses)

    def leaf(self, text):
        if text == "NODATA":
            return Value(np.float64("nan"), np.asarray(True))
        if text == "pi":
            return Value(np.float64(np.pi))
        if text.startswith("B"):
            band = int(text[1:]) - 1
            return Value(self.planes[band][0], None, frozenset([band]))
        return Value(int(text)) if text.isdigit() else Value(np.float64(text))

    def compare(self, name, values, result, ours):
        is_band = any(value.kind == "band" for value in values)
        numpys = to_band(result, ours.shape)
        is_inexact = name in INEXACT
        wrong = far_apart(ours, numpys, TRUTH_ULPS if is_inexact else 0)
        if is_inexact and is_band:
            single = call_bands(name, values, self.planes, f32)
            finite = np.isfinite(ours) & np.isfinite(single)
            if name not in CANCELS:
                apart = np.abs(order(ours) - order(single))[finite]
                self.worst[name] = max(self.worst.get(name, 0), int(apart.max(initial=0)))
            wrong |= far_apart(ours, single, NUMPY_ULPS, 1.0 if name in CANCELS else 0.0)
        if wrong.any():
            at = tuple(int(one) for one in np.argwhere(wrong)[0])
            told = ", ".join(repr(float(to_band(value, ours.shape)[at])) for value in values)
            raise AssertionError(f"{name}({told}) is {ours[at]!r}, NumPy's {numpys[at]!r}")


def main(folder):
    with open(f"{folder}/trees.json", encoding="utf8") as file:
        job = json.load(file)
    results = np.fromfile(f"{folder}/results.bin", f32)
    side = job["side"]
    pool = [
        (
            np.frombuffer(bytes.fromhex(plane["values"]), f32).reshape(side, side),
            None if plane["mask"] is None else np.array(plane["mask"], np.uint8).reshape(side, side),
        )
        for plane in job["pool"]
    ]
    at = 0

    def take():
        nonlocal at
        at += side * side
        return results[at - side * side : at].reshape(side, side)

    problems, worst, refused = [], {}, 0
    approved = bytearray()
    for number, (tree, text, refusal, index) in enumerate(job["trees"]):
        planes = [pool[(index * 3 + band) % len(pool)] for band in range(3)]
        walk = Walk(planes, take if refusal is None else None, worst)
        start, count = at, job["counts"][number]
        try:
            try:
                result = walk.compute(tree, True)
            except Refused as reason:
                refused += 1
                if refusal != str(reason):
                    raise AssertionError(f"NumPy refuses ({reason}), Swath says {refusal}") from None
                continue
            if refusal is not None:
                raise AssertionError(f"Swath refuses: {refusal}")
            at = start + (count - 2) * side * side
            ours, mask = take(), take()
            name, values = walk.root if not isinstance(tree, str) else ("", [])
            numpys = to_band(result, ours.shape)
            walk.compare(name, values, result, ours)
            masked = masked_pixels([result], planes) | np.isnan(numpys)
            if not np.array_equal(mask != 0, ~masked):
                raise AssertionError("the mask differs")
            if job["approve"]:
                approved += numpys.tobytes() + (~masked).astype(np.uint8).tobytes()
        except AssertionError as problem:
            problems.append(f"{text}: {problem}")
        finally:
            at = start + count * side * side
    if job["approve"]:
        with open(f"{folder}/approved.bin", "wb") as file:
            file.write(approved)
    print(json.dumps({"numpy": np.__version__, "problems": problems, "worst": worst, "refused": refused}))


main(sys.argv[1])
