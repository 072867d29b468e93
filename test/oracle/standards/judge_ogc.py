"""Asks OWSLib whether the OGC doors of Swath read as their standards say: judge_ogc.py <url> <key> <layer>."""
import json
import sys

from owslib.ogcapi.maps import Maps
from owslib.wms import WebMapService
from owslib.wmts import WebMapTileService

url, key, layer = sys.argv[1:]
rows = []


def check(standard, what, passed):
    rows.append((standard, what, bool(passed)))


wmts = WebMapTileService(f"{url}/ogc/wmts?api_key={key}")
check("WMTS 1.0.0", "capabilities", layer in wmts.contents)
check("WMTS 1.0.0", "tile matrix sets", set(wmts.tilematrixsets) == {"WebMercatorQuad", "WorldCRS84Quad", "UTM10WGS84Quad"})
check("WMTS 1.0.0", "styles", "ndvi" in wmts[layer].styles)
check("WMTS 1.0.0", "time dimension", "Time" in wmts[layer].dimensions)
tile = wmts.gettile(
    layer=layer, style="natural", tilematrixset="WebMercatorQuad", tilematrix="12", row=1420, column=655,
    format="image/png",
).read()
check("WMTS 1.0.0", "GetTile", tile[:4] == b"\x89PNG")

for version in ("1.3.0", "1.1.1"):
    wms = WebMapService(f"{url}/ogc/wms?api_key={key}", version=version)
    name = f"WMS {version}"
    check(name, "capabilities", layer in wms.contents)
    check(name, "operations", {"GetMap", "GetFeatureInfo"} <= {one.name for one in wms.operations})
    check(name, "time dimension", wms[layer].timepositions)
    box = (-122.44, 48.20, -122.37, 48.24)
    asked = dict(
        layers=[layer], styles=["natural"], srs="EPSG:4326", size=(300, 200), format="image/png", transparent=True,
    )
    image = wms.getmap(bbox=box, **asked).read()
    check(name, "GetMap", image[:4] == b"\x89PNG")
    info = wms.getfeatureinfo(
        bbox=box, query_layers=[layer], info_format="application/json", xy=(150, 100), **asked
    ).read()
    check(name, "GetFeatureInfo", b"index_value" in info)
    try:
        wms.getmap(bbox=box, **{**asked, "layers": ["nope"]})
        check(name, "ServiceException", False)
    except Exception as error:
        check(name, "ServiceException", "unknown-layer" in str(error))

api = Maps(f"{url}/ogc", headers={"x-api-key": key})
COMMON = ["ogcapi-common-1/1.0/conf/core", "ogcapi-common-1/1.0/conf/landing-page", "ogcapi-common-1/1.0/conf/json"]
check(COMMON, "landing page", any(link["rel"] == "data" for link in api.links))
check(COMMON, "conformance", "http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/core" in api.conformance()["conformsTo"])
check("ogcapi-common-2/1.0/conf/collections", "collections", layer in [one["id"] for one in api.collections()["collections"]])
check("ogcapi-common-2/1.0/conf/collections", "a collection", api.collection(layer)["id"] == layer)
MAPS = [f"ogcapi-maps-1/1.0/conf/{name}" for name in ("core", "collection-map", "scaling", "spatial-subsetting", "png")]
check(MAPS, "collections with maps", layer in api.maps())
picture = api.map(layer, bbox=[-122.44, 48.20, -122.37, 48.24], width=300, height=200).read()
check(MAPS, "a map", picture[:4] == b"\x89PNG" and picture[16:24] == (300).to_bytes(4, "big") + (200).to_bytes(4, "big"))

for standard, what, passed in rows:
    classes = standard if isinstance(standard, list) else [standard]
    verdict = {"judge": "OWSLib", "classes": classes, "what": what, "tests": 1, "passed": int(passed)}
    print("VERDICT " + json.dumps(verdict))
sys.exit(0 if all(passed for *_, passed in rows) else 1)
