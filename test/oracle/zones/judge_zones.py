"""Zones by scikit-learn, NumPy, SciPy and Shapely, and tasks by isoxml: judge_zones.py CASES.json."""
import dataclasses
import enum
import json
import re
import sys
import warnings

import numpy as np
from pyproj import Geod, Transformer
from scipy import ndimage
from shapely import transform as move
from shapely.geometry import box, shape
from shapely.ops import unary_union
from sklearn.cluster import KMeans
from xsdata.formats.dataclass.parsers import XmlParser
from xsdata.formats.dataclass.parsers.config import ParserConfig

from isoxml.models.base.v4 import Iso11783TaskData

faults = []
GEOD = Geod(ellps="WGS84")


def fail(name, text):
    faults.append(f"{name}: {text}")


def to_array(values, case):
    flat = np.array([np.nan if v is None else v for v in values], float)
    return flat.reshape(case["height"], case["width"])


def check_scores(name, case, scores, values):
    stack = np.stack([to_array(layer, case) for layer in case["layers"]])
    flat = stack.reshape(len(stack), -1)
    z = (stack - np.nanmean(flat, 1)[:, None, None]) / np.nanstd(flat, 1)[:, None, None]
    with warnings.catch_warnings():
        # Pixels that no scene shows have no mean.
        warnings.simplefilter("ignore", RuntimeWarning)
        for own, wanted in ((scores, np.nanmean(z, 0)), (values, np.nanmean(stack, 0))):
            if not np.allclose(own, wanted, atol=1e-5, equal_nan=True):
                fail(name, f"planes differ by {np.nanmax(np.abs(own - wanted))}")


def check_classes(name, case, scores):
    known = ~np.isnan(scores)
    data = scores[known].astype(np.float32).astype(float)
    k = case["count"]
    bounds = np.quantile(data, np.arange(1, k) / k)
    wanted = np.searchsorted(bounds, data, side="left") + 1
    got = np.array(case["quantiles"]).reshape(scores.shape)[known]
    if (got != wanted).any():
        fail(name, f"{(got != wanted).sum()} pixels are in other quantiles")
    starts = np.quantile(data, (np.arange(k) + 0.5) / k)[:, None]
    model = KMeans(k, init=starts, n_init=1, tol=1e-8, max_iter=1000, algorithm="lloyd").fit(data[:, None])
    rank = np.argsort(np.argsort(model.cluster_centers_[:, 0]))
    labels = rank[model.labels_] + 1
    got = np.array(case["kmeans"]).reshape(scores.shape)[known]
    same = (labels == got).mean()
    # Both stop when centres hardly move: a few pixels lie between the two.
    own = sum(((data[got == c] - data[got == c].mean()) ** 2).sum() for c in np.unique(got))
    if same < 0.995 or own > model.inertia_ * 1.0005 + 1e-9:
        fail(name, f"clusters agree in {same:.4f} of the pixels, inertia {own} and {model.inertia_}")
    return same


def check_majority(name, case):
    labels = np.array(case["kmeans"]).reshape(case["height"], case["width"])

    def vote(window):
        own = int(window[4])
        counts = np.bincount(window[window > 0].astype(int), minlength=own + 1)
        return 0 if own == 0 else own if counts[own] == counts.max() else counts.argmax()

    wanted = ndimage.generic_filter(labels, vote, size=3, mode="constant", cval=0)
    got = np.array(case["majority"]).reshape(labels.shape)
    if (got != wanted).any():
        fail(name, f"the majority differs in {(got != wanted).sum()} pixels")


def check_polygons(name, case, zones, is_exact):
    back = Transformer.from_crs(4326, case["epsg"], always_xy=True)
    x0, dx, _, y0, _, dy = case["transform"]

    def to_pixels(points):
        x, y = back.transform(points[:, 0], points[:, 1])
        return np.round(np.column_stack([(x - x0) / dx, (y - y0) / dy]), 4)

    polygons = []
    for zone in zones:
        lon_lat = shape(zone["geometry"])
        hectares = abs(GEOD.geometry_area_perimeter(lon_lat)[0]) / 1e4
        if abs(hectares - zone["hectares"]) > 1e-5 * hectares:
            fail(name, f"zone {zone['number']} has {zone['hectares']} ha, not {hectares}")
        polygon = move(lon_lat, to_pixels)
        if not polygon.is_valid:
            fail(name, f"zone {zone['number']} is not valid")
        polygons.append(polygon)
    whole = unary_union(polygons)
    field = unary_union(
        [box(i % case["width"], i // case["width"], i % case["width"] + 1, i // case["width"] + 1)
         for i, one in enumerate(case["inside"]) if one]
    )
    overlap = sum(p.area for p in polygons) - whole.area
    if overlap > 1e-2:
        fail(name, f"zones overlap by {overlap} pixels")
    off = whole.symmetric_difference(field).area
    if is_exact and off > 1e-2:
        fail(name, f"zones and field differ by {off} pixels")
    # Simplified borders between zones leave nothing open inside.
    inner = field.buffer(-1.5, join_style="mitre")
    if inner.difference(whole).area > 1e-2:
        fail(name, f"zones leave {inner.difference(whole).area} pixels open")
    return sum(len(g.exterior.coords) for p in polygons for g in p.geoms)


def walk(node, path, found):
    """Values of generated classes against their patterns, lengths and ranges: the parser itself does not look."""
    for field in dataclasses.fields(node):
        value, meta = getattr(node, field.name), field.metadata
        where = f"{path}.{meta.get('name', field.name)}"
        items = value if isinstance(value, list) else [value]
        if isinstance(value, list) and len(value) < meta.get("min_occurs", 0):
            found.append(f"{where} is missing")
        for item in items:
            if dataclasses.is_dataclass(item):
                walk(item, where, found)
            elif item is None:
                if meta.get("required"):
                    found.append(f"{where} is required")
            else:
                plain = item.value if isinstance(item, enum.Enum) else item
                text = str(plain)
                if "pattern" in meta and isinstance(plain, str) and not re.fullmatch(meta["pattern"], text):
                    found.append(f"{where} is {text}")
                if len(text) > meta.get("max_length", 1e9) or len(text) < meta.get("min_length", 0):
                    found.append(f"{where} has {len(text)} characters")
                if not isinstance(plain, (str, bytes)):
                    if plain < meta.get("min_inclusive", plain) or plain > meta.get("max_inclusive", plain):
                        found.append(f"{where} is {plain}")


def check_task(name, case):
    config = ParserConfig(fail_on_unknown_properties=True, fail_on_unknown_attributes=True,
                          fail_on_converter_warnings=True)
    parsed = XmlParser(config=config).from_string(case["taskData"], Iso11783TaskData)
    found = []
    walk(parsed, "TaskData", found)
    for fault in found[:5]:
        fail(name, fault)
    zones = parsed.tasks[0].treatment_zones
    rates = {z.code: z.process_data_variables[0] for z in zones}
    for zone in case["simple"]:
        number = zone["number"]
        rate = rates[number]
        ddi = rate.process_data_ddi
        written = ddi.hex().upper() if isinstance(ddi, bytes) else str(ddi)
        if rate.process_data_value != round((10 * (number - 1) + 0.5) * case["rates"]["factor"] + 1e-9):
            fail(name, f"zone {number} gets {rate.process_data_value}")
        if written != case["rates"]["ddi"]:
            fail(name, f"zone {number} has DDI {written}")
        polygons = next(z for z in zones if z.code == number).polygons
        if len(polygons) != zone["patches"]:
            fail(name, f"zone {number} has {len(polygons)} polygons")
    if parsed.partfields[0].designator[:6] != "Field ":
        fail(name, "the field has another name")


cases = json.load(open(sys.argv[1]))
agreement, corners = [], [0, 0]
for i, case in enumerate(cases):
    scores, values = to_array(case["scores"], case), to_array(case["values"], case)
    check_scores(f"{i} scores", case, scores, values)
    agreement.append(check_classes(f"{i} classes", case, scores))
    check_majority(f"{i} majority", case)
    corners[0] += check_polygons(f"{i} polygons", case, case["zones"], True)
    corners[1] += check_polygons(f"{i} simple", case, case["simple"], False)
    check_task(f"{i} task", case)
for fault in faults[:20]:
    print("MISMATCH", fault)
print(f"{len(cases)} fields, clusters agree in {min(agreement):.4f} of the pixels at least, "
      f"{corners[0]} corners become {corners[1]}, {len(faults)} mismatches")
sys.exit(1 if faults else 0)
