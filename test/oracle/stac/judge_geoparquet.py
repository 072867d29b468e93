"""Reads a table of STAC items that Swath wrote, and writes tables of the same items: judge_geoparquet.py <folder>.

The folder has own.ndjson, own.parquet (the same items) and others.ndjson.
"""
import asyncio
import json
import os
import sys
from datetime import datetime

import geopandas
import pyarrow.parquet
import rustac
import stac_geoparquet.arrow as arrow

os.chdir(sys.argv[1])
rows = []


def check(judge, what, passed):
    rows.append((judge, what, bool(passed)))


def plain(value):
    """Without nulls; Swath writes its own objects as texts of JSON, and programs write times with more or fewer digits."""
    if isinstance(value, dict):
        return {
            name: json.loads(one) if name.startswith("swath:") and isinstance(one, str) and one.startswith("{")
            else one if name.startswith("swath:")
            else datetime.fromisoformat(one).timestamp() if name == "datetime"
            else plain(one)
            for name, one in value.items() if one is not None
        }
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


wanted = [plain(json.loads(line)) for line in open("own.ndjson")]
table = pyarrow.parquet.read_table("own.parquet")
check("PyArrow", f"{table.num_rows} rows", table.num_rows == len(wanted))
metadata = json.loads(table.schema.metadata[b"stac-geoparquet"])
check("PyArrow", "metadata stac-geoparquet", metadata["version"] == "1.0.0" and len(metadata["collections"]) == 1)
found = [plain(item) for item in arrow.stac_table_to_items(table)]
check("stac-geoparquet", "items as in the export of lines", found == wanted)
frame = geopandas.read_parquet("own.parquet")
check("GeoPandas", "WGS 84", frame.crs.equals("OGC:CRS84") or frame.crs.to_epsg() == 4326)
check("GeoPandas", "boxes of geometries", all(
    abs(a - b) < 1e-12 for shape, item in zip(frame.geometry, wanted) for a, b in zip(shape.bounds, item["bbox"])))
box = wanted[0]["bbox"]
near = geopandas.read_parquet("own.parquet", bbox=(box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1))
check("GeoPandas", "reads a box by the covering", 0 < len(near))


async def ask_rustac():
    collection = await rustac.read("own.parquet")
    check("rustac", "items as in the export of lines", [plain(item) for item in collection["features"]] == wanted)
    for name in ("own", "others"):
        items = [json.loads(line) for line in open(f"{name}.ndjson")]
        if name == "own":
            items = [with_texts(item) for item in items]
        await rustac.write(f"{name}.rustac.parquet", items)
        batches = arrow.parse_stac_items_to_arrow(items)
        arrow.to_parquet(batches, f"{name}.stac-geoparquet.parquet")


def with_texts(item):
    """Our own objects have the form that Swath gives them in a table: others cannot hold their nulls."""
    def text(parts):
        return {name: json.dumps(one) if name.startswith("swath:") and isinstance(one, dict) else one
                for name, one in parts.items()}
    return {**item, "properties": text(item["properties"]),
            "assets": {name: text(asset) for name, asset in item["assets"].items()}}


asyncio.run(ask_rustac())
for judge, what, passed in rows:
    print(f"| {judge} | {what} | {'passed' if passed else 'FAILED'} |")
sys.exit(0 if all(passed for *_, passed in rows) else 1)
