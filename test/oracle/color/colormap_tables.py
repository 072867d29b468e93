"""Prints matplotlib's colours of every map, as JSON: {version, tables: [{name, type, count, colors, drawn}]}.

Arguments are numbers of colours to ask for. Colours are rounded as matplotlib's to_hex rounds; drawn ones are cut off,
as in its pictures.
"""
import json
import sys

import matplotlib
import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap

QUALITATIVE = 20


def table(cmap, count):
    """A map's own colours when it has fewer than asked for, else as many as asked for."""
    is_discrete = isinstance(cmap, ListedColormap) and cmap.N <= QUALITATIVE
    if not is_discrete and cmap.N != count:
        cmap = cmap.resampled(count)
    rows = np.round(cmap(np.arange(cmap.N))[:, :3] * 255).astype(int)
    drawn = cmap(np.arange(cmap.N), bytes=True)[:, :3]
    return "discrete" if is_discrete else "continuous", to_hex(rows), to_hex(drawn)


def to_hex(rows):
    return "".join("%02x%02x%02x" % tuple(row) for row in rows)


tables = []
for name in sorted(colormaps):
    for count in map(int, sys.argv[1:]):
        kind, colors, drawn = table(colormaps[name], count)
        tables.append(dict(name=name, type=kind, count=count, colors=colors, drawn=drawn))
json.dump(dict(version=matplotlib.__version__, tables=tables), sys.stdout)
