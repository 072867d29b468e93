"""Validates an export with pystac: every line of the file, and the collections next to it.

    python3 judge_export.py catalog.ndjson

The schemas of STAC itself come with pystac. Those of extensions are read from the folder $STAC_SCHEMAS, such as
eo/v2.0.0/schema.json, or downloaded; the last line names those for which neither is possible. Prints a line for each
fault.
"""
import glob
import json
import logging
import os
import sys

import pystac
from pystac.errors import STACValidationError
from pystac.validation import RegisteredValidator
from pystac.validation.stac_validator import GetSchemaError

# pystac logs a page for each schema that it cannot download.
logging.disable(logging.CRITICAL)

ROOT = "https://stac-extensions.github.io/"
path = sys.argv[1]
folder = os.path.dirname(os.path.abspath(path))
validator = RegisteredValidator.get_validator()
faults, counts, used, missing = [], {}, set(), set()

schemas = os.environ.get("STAC_SCHEMAS", "")
for found in glob.glob(os.path.join(schemas, "*/*/schema.json")) if schemas else []:
    with open(found) as file:
        validator.schema_cache[ROOT + os.path.relpath(found, schemas)] = json.load(file)


def describe(error):
    cause = error.source[0] if isinstance(error.source, list) and error.source else error
    return str(getattr(cause, "message", cause)).split("\n")[0][:300]


def validate(document):
    counts[document["type"]] = counts.get(document["type"], 0) + 1
    name = f"{document['type']} {document['id']}"
    kind = pystac.STACObjectType(document["type"])
    try:
        validator.validate_core(document, kind, document["stac_version"])
    except STACValidationError as error:
        faults.append(f"{name}: {describe(error)}")
    for extension in document.get("stac_extensions", []):
        if extension in missing:
            continue
        try:
            validator.validate_extension(document, kind, document["stac_version"], extension)
            used.add(extension)
        except STACValidationError as error:
            faults.append(f"{name}: {extension}: {describe(error)}")
        except GetSchemaError:
            missing.add(extension)


collections = {}
for found in glob.glob(os.path.join(folder, "*.collection.json")):
    with open(found) as file:
        document = json.load(file)
    validate(document)
    collections[os.path.basename(found)] = pystac.Collection.from_dict(document)

with open(path) as file:
    for line in file:
        document = json.loads(line)
        validate(document)
        item = pystac.Item.from_dict(document)
        link = item.get_single_link("collection")
        target = None if link is None else collections.get(os.path.basename(str(link.target)))
        if target is None or target.id != item.collection_id:
            faults.append(f"{item.id}: its collection is not next to the export")

for fault in faults[:20]:
    print(f"INVALID: {fault}")
items, described = counts.get("Feature", 0), counts.get("Collection", 0)
print(f"pystac {pystac.__version__}: {items} items, {described} collections, {len(faults)} faults.")
print("Validated with STAC 1.1.0" + "".join(f", {one.removeprefix(ROOT)}" for one in sorted(used)) + ".")
if missing:
    names = ", ".join(one.removeprefix(ROOT) for one in sorted(missing))
    print(f"NOT validated, because their schemas can be neither read nor downloaded: {names}.")
sys.exit(1 if faults or not counts else 0)
