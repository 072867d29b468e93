"""Loads items of a service into xarray and compares pixels with its points.

    python3 judge_stac_xarray.py http://localhost:8080 KEY COLLECTION VIEW_ID
"""
import json
import sys
import urllib.request

import odc.stac
import pyproj
import stackstac
from pystac_client import Client

url, key, collection, view_id = sys.argv[1:]
bands = ["B04", "B08", "B11"]
client = Client.open(f"{url}/stac", headers={"x-api-key": key})
items = list(client.search(collections=[collection], limit=10).items())
sensor, scene = view_id.split("/", 1)
rows = []


def point(band, lat, lon):
    """The stored number at a point, by the first door."""
    address = f"{url}/api/render/{sensor}/point/{scene}/{band}/{lat}/{lon}"
    request = urllib.request.Request(address, headers={"x-api-key": key})
    return json.load(urllib.request.urlopen(request))["index_value"]


def compare(judge, cube, read):
    """At the centres of some pixels: each program has its own way to name them."""
    to_degrees = pyproj.Transformer.from_crs(32610, 4326, always_xy=True)
    checked, faults = 0, []
    for row in range(7, cube.sizes["y"], 130):
        for column in range(5, cube.sizes["x"], 130):
            x, y = float(cube.x[column]), float(cube.y[row])
            lon, lat = to_degrees.transform(x, y)
            for band in bands:
                wanted, found = point(band, lat, lon), read(band, row, column)
                checked += 1
                if wanted is None or abs(found - wanted) > 1e-6 * abs(wanted):
                    faults.append((band, lat, lon, found, wanted))
    rows.append((judge, checked, faults))


cube = odc.stac.load(items, bands=bands, crs="EPSG:32610", resolution=10, resampling="nearest")
compare("odc-stac", cube, lambda band, row, column: float(cube[band].values[0, row, column]))

# The ground of the scene; stackstac names pixels by their corners unless it is told otherwise.
box = items[0].assets["B11"]
a, _, left, _, e, top = box.extra_fields["proj:transform"][:6]
height, width = box.extra_fields["proj:shape"]
stack = stackstac.stack(
    items, assets=bands, epsg=32610, resolution=10, xy_coords="center", rescale=False, fill_value=float("nan"),
    bounds=(left, top + e * height, left + a * width, top)).compute()
names = list(stack.band.values)
compare("stackstac", stack, lambda band, row, column: float(stack.values[0, names.index(band), row, column]))

for judge, checked, faults in rows:
    verdict = {"judge": judge, "classes": ["v1.0.0/item-search"], "what": "values in xarray", "tests": checked,
               "passed": checked - len(faults)}
    print("VERDICT " + json.dumps(verdict))
    for fault in faults[:5]:
        print("FAULT:", *fault)
sys.exit(1 if any(faults or not checked for _, checked, faults in rows) else 0)
