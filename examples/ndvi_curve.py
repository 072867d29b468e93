"""Prints the mean NDVI of a field by date, as CSV (needs `pip install requests`)."""
import requests

SWATH = "http://127.0.0.1:8080"
KEY = {"x-api-key": "YOUR_KEY"}
FIELD = {
    "type": "Polygon",
    "coordinates": [[[-122.404, 48.216], [-122.396, 48.216], [-122.396, 48.224], [-122.404, 48.224], [-122.404, 48.216]]],
}

answer = requests.post(
    f"{SWATH}/api/statistics",
    headers=KEY,
    timeout=120,
    json={
        "geometry": FIELD,
        "expressions": "NDVI",
        "sensors": "sentinel2l2a",
        "date_start": "2025-11-01",
        "date_end": "2026-10-31",
        "max_cloud_cover_in_aoi": 20,
    },
)
answer.raise_for_status()
print("date,mean,p10,p90")
for row in sorted(answer.json()["results"], key=lambda row: row["date"]):
    ndvi = row["values"]["NDVI"]
    print(f"{row['date']},{ndvi['average']:.3f},{ndvi['p10']:.3f},{ndvi['p90']:.3f}")
