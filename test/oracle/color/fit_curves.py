"""Describes matplotlib's tabulated maps by cubic B-splines and writes src/color/named/smooth-curves.ts to stdout.

    python3 test/oracle/color/fit_curves.py > src/color/named/smooth-curves.ts
    npx biome check --write src/color/named

Least squares over the table, with as few pieces as give every level within 1 (mostly equal), of the table as it is
rounded and as it is cut off when matplotlib draws. The red of cividis stands still and bends at entry 23: it needs more.
"""
import numpy as np
from matplotlib import colormaps

PIECES = dict(berlin=32, cividis=150, inferno=32, magma=32, managua=32, plasma=32, turbo=40, twilight=64,
              vanimo=32, viridis=32)
# Control heights lie between these two, in 16 bits.
LOW, SPAN = -0.5, 2.0


def weights(entries, pieces):
    matrix = np.zeros((entries, pieces + 3))
    for k in range(entries):
        position = k / (entries - 1) * pieces
        i = min(int(position), pieces - 1)
        t = position - i
        matrix[k, i:i + 4] = np.array([(1 - t) ** 3, 3 * t ** 3 - 6 * t ** 2 + 4,
                                       -3 * t ** 3 + 3 * t ** 2 + 3 * t + 1, t ** 3]) / 6
    return matrix


HEAD = """import type { PackedCurve } from './packed-curve.ts';

/**
 * Maps known as tables, described by smooth curves through them: written by test/oracle/color/fit_curves.py, with about
 * as few pieces as keep every entry within one level. viridis, plasma, inferno, magma: Nathaniel Smith and Stéfan van
 * der Walt (CC0); cividis: Nuñez, Anderton and Renslow (CC0); turbo: Google (Apache-2.0); twilight: Bastian Bechtold
 * (CC0); berlin, managua, vanimo: Fabio Crameri (MIT).
 */
export const smoothCurves: Readonly<Record<string, PackedCurve>> = {"""


def write(name, entries, heights):
    print(f"  {name}: {{")
    print(f"    entries: {entries},")
    print("    channels: [")
    for channel in range(3):
        text = "".join(f"{round((h - LOW) / SPAN * 65535):04x}" for h in heights[:, channel])
        parts = [text[i:i + 96] for i in range(0, len(text), 96)]
        print("      " + " +\n        ".join(f"'{part}'" for part in parts) + ",")
    print("    ],\n  },")


print(HEAD)
for name, pieces in PIECES.items():
    table = np.array(colormaps[name].colors)[:, :3]
    matrix = weights(len(table), pieces)
    # Legends show the ends first: there the fit has to be closer than elsewhere.
    weight = np.ones((len(table), 1))
    weight[[0, -1]] = 20
    heights = np.linalg.lstsq(matrix * weight, table * weight, rcond=None)[0]
    assert heights.min() > LOW and heights.max() < LOW + SPAN
    write(name, len(table), heights)
print("};")
