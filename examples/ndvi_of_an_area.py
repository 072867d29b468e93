"""Saves a picture of the NDVI of a field: python ndvi_of_an_area.py ndvi.png (needs `pip install requests`)."""
import sys

import requests

SWATH = "http://127.0.0.1:8080"
KEY = {"x-api-key": "YOUR_KEY"}
WEST, SOUTH, EAST, NORTH = -122.404, 48.216, -122.396, 48.224
FIELD = {
    "type": "Polygon",
    "coordinates": [[[WEST, SOUTH], [EAST, SOUTH], [EAST, NORTH], [WEST, NORTH], [WEST, SOUTH]]],
}


def ask(method, path, **options):
    answer = requests.request(method, SWATH + path, headers=KEY, timeout=60, **options)
    answer.raise_for_status()
    return answer


# The newest clear scene that contains the whole field.
found = ask("POST", "/api/lms/search/v2/sentinel2l2a", json={
    "search": {"shape": FIELD, "shapeRelation": "CONTAINS", "cloudCoverage": {"to": 10}},
    "sort": {"date": "desc"},
    "limit": 1,
}).json()
scene = found["results"][0]

# Outside of the stored area the picture is transparent.
area = ask("POST", "/api/render/cropper", json=FIELD).json()["cropper_ref"]

picture = ask(
    "GET",
    f"/api/render/{scene['view_id']}/NDVI/16/{WEST};{EAST};4326/{NORTH};{SOUTH};4326",
    params={
        "TILE_SIZE": "600,600",
        "crs": "EPSG:4326",
        "COLORMAP": "RdYlGn",
        "MIN_MAX": "0,1",
        "CALIBRATE": 1,
        "cropper_ref": area,
        "mimetype": "image/png",
    },
)
with open(sys.argv[1], "wb") as file:
    file.write(picture.content)
print(f"{scene['sceneID']} of {scene['date']}: {sys.argv[1]}")
