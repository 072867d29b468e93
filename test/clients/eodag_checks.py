"""Uses EODAG as its users do: python eodag_checks.py ADDRESS KEY FOLDER. Fails loudly, prints a line if all is well."""
import os
import sys

from eodag import EODataAccessGateway

url, key, folder = sys.argv[1:]
dag = EODataAccessGateway()
dag.update_providers_config(f"""
aws_eos:
  search:
    api_endpoint: '{url}/api/lms/search/v2/{{_collection}}'
  search_auth:
    matching_url: '{url}'
    credentials:
      api_key: '{key}'
""")
dag.set_preferred_provider("aws_eos")
BOX = [-122.5, 48.1, -122.3, 48.3]


def find(**filters):
    found = dag.search(collection="S2_MSI_L1C", provider="aws_eos", raise_errors=True, count=True, **filters)
    return list(found), found.number_matched


everything, count = find(geom=BOX)
assert count == len(everything) > 2, (count, everything)
far, _ = find(geom=[10, 10, 11, 11])
assert far == [], far
late, _ = find(geom=BOX, start="2026-01-01", end="2026-12-31")
assert 0 < len(late) < len(everything), late
assert all(product.properties["start_datetime"].startswith("2026") for product in late)
cloudless, _ = find(geom=BOX, **{"eo:cloud_cover": 0})
assert cloudless and all(product.properties["eo:cloud_cover"] == 0 for product in cloudless)
first, _ = find(geom=BOX, limit=2, page=1)
second, _ = find(geom=BOX, limit=2, page=2)
assert len(first) == 2 and second and first[0].properties["id"] != second[0].properties["id"]
wanted = everything[0].properties["id"]
one, _ = find(id=wanted)
assert [product.properties["id"] for product in one] == [wanted], one
# A quicklook is fetched without a key.
one[0].properties["eodag:quicklook"] = one[0].properties["eodag:thumbnail"]
picture = one[0].get_quicklook(filename="quicklook.png", output_dir=folder)
assert picture and os.path.getsize(picture) > 1_000, picture
print(f"{len(everything)} products by box; date, cloud, page, id; a quicklook of {os.path.getsize(picture)} bytes")
