"""Sends searches to a STAC API with pystac-client. Argument: the address of the API. Each line of the input is a JSON
object with the arguments of `Client.search`; each line of the output is what was found, in order: identifiers, the
number that the API states, or the error."""

import json
import sys
import warnings

from pystac_client import Client

# It does not know newer names of conformance classes, and warns about each search.
warnings.simplefilter("ignore")
client = Client.open(sys.argv[1])

for line in sys.stdin:
    try:
        search = client.search(**json.loads(line), limit=500, fields=["id", "collection"])
        pages = list(search.pages_as_dicts())
        found = [[item.get("collection"), item["id"]] for page in pages for item in page["features"]]
        # Of the first page: `matched` would search once more.
        answer = {"items": found, "matched": pages[0].get("numberMatched") if pages else None}
    except Exception as error:  # The other side tells which search it was.
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
