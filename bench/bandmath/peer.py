"""CPU microseconds of an expression over 256 x 256 float32 with NumPy and with numexpr, for bench/bandmath/run.ts."""

import json
import sys
import time

import numexpr
import numpy

numexpr.set_num_threads(1)
random = numpy.random.default_rng(1)
B = {f"B{i}": random.uniform(1, 10000, (256, 256)).astype("f4") for i in range(1, 7)}
half = numpy.float32(0.5)


def ndvi(B1, B2, **_):
    return (B2 - B1) / (B2 + B1)


def six(B1, B2, B3, B4, B5, B6):
    return numpy.where((B1 > B2) & (B3 < B4), (B5 - B6) / (B5 + B6), numpy.sqrt(B1 * B2) - half * B3)


def decibel(B1, **_):
    return numpy.float32(10) * numpy.log10(B1 * B1)


WORK = {
    "ndvi": (ndvi, "(B2 - B1) / (B2 + B1)"),
    "six": (six, "where((B1 > B2) & (B3 < B4), (B5 - B6) / (B5 + B6), sqrt(B1 * B2) - half * B3)"),
    "decibel": (decibel, "ten * log10(B1 * B1)"),
}


def measure(work, repeats):
    work()
    best = float("inf")
    for _ in range(5):
        before = time.process_time()
        for _ in range(repeats):
            work()
        best = min(best, (time.process_time() - before) / repeats * 1e6)
    return best


names = {**B, "half": half, "ten": numpy.float32(10)}
name = sys.argv[1]
function, text = WORK[name]
print(
    json.dumps(
        {
            "numpy": measure(lambda: function(**B), 200),
            "numexpr": measure(lambda: numexpr.evaluate(text, names), 200),
        }
    )
)
