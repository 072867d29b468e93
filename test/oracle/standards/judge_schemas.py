"""
Validates documents of the OGC doors by the schemas of OGC, for ask-schemas.ts: judge_schemas.py <folder of schemas> <url>
<key> <layer>. The last line is JSON: the children that each element may have, as regular expressions of their names.
"""
import json
import os
import sys
import urllib.error
import urllib.request

import lxml.etree
import xmlschema

root, url, key, layer = sys.argv[1:]
failed = False
models = {}


def to_path(address):
    """Schemas are read from the folder, and nothing from the network."""
    for prefix in ("http://schemas.opengis.net/", "https://schemas.opengis.net/"):
        if address.startswith(prefix):
            return os.path.join(root, address[len(prefix):])
    return address


def get(path):
    try:
        return urllib.request.urlopen(f"{url}{path}&api_key={key}").read()
    except urllib.error.HTTPError as refused:
        return refused.read()


def tell(what, documents, wrong):
    global failed
    failed = failed or bool(wrong)
    standard = what.split(" capabilities")[0].split(" exceptions")[0]
    verdict = {"judge": "schemas of OGC", "classes": [standard], "what": what, "tests": documents,
               "passed": 0 if wrong else documents}
    print("VERDICT " + json.dumps(verdict))
    for one in wrong[:3]:
        print(f"{what}: {one}")


def is_known(error):
    """Tiles are numbered from 0, and the schema of their limits says positiveInteger: a mistake that OGC knows."""
    return error.path.split("/")[-1] in ("MinTileRow", "MaxTileRow", "MinTileCol", "MaxTileCol") and error.elem.text == "0"


def to_pattern(group):
    """The content model of a group as a regular expression of names, each with a space behind it."""
    parts = []
    for part in group:
        if isinstance(part, xmlschema.validators.XsdGroup):
            parts.append(to_pattern(part))
        elif isinstance(part, xmlschema.validators.XsdElement):
            own = [] if part.abstract else [part.local_name]
            names = own + sorted(other.local_name for other in part.iter_substitutes())
            parts.append(f"(?:(?:{'|'.join(names or ['_'])}) ){to_times(part)}")
        else:
            parts.append(rf"(?:\w+ ){to_times(part)}")
    return f"(?:{('|' if group.model == 'choice' else '').join(parts)}){to_times(group)}"


def to_times(part):
    low, high = part.min_occurs, part.max_occurs
    if (low, high) == (1, 1):
        return ""
    return {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((low, high), f"{{{low},{'' if high is None else high}}}")


def collect(name, element, above):
    """Models by parent and child: elements of one name may have several."""
    at = f"{name} {above}/{element.local_name}"
    content = None if element.type.is_simple() else element.type.content
    if at in models or not isinstance(content, xmlschema.validators.XsdGroup):
        return
    models[at] = to_pattern(content)
    for child in content.iter_elements():
        if isinstance(child, xmlschema.validators.XsdElement):
            for one in [child, *child.iter_substitutes()]:
                if not one.abstract:
                    collect(name, one, element.local_name)


def judge(what, file, documents):
    schema = xmlschema.XMLSchema(
        os.path.join(root, file), uri_mapper=to_path, allow="all", validation="lax"
    )
    texts = [get(path).decode() for path in documents]
    errors = [error for text in texts for error in schema.iter_errors(text) if not is_known(error)]
    tell(what, len(texts), [f"{error.path}: {error.reason}" for error in errors])
    head = lxml.etree.fromstring(texts[0].encode()).tag.split("}")[-1]
    element = next(one for one in schema.maps.elements.values() if one.local_name == head and one.schema.url.endswith(file))
    collect(what.split(",")[0], element, "")


def judge_dtd(what, file, documents):
    with open(os.path.join(root, file), "rb") as opened:
        dtd = lxml.etree.DTD(opened)
    wrong = []
    for path in documents:
        document = lxml.etree.fromstring(get(path), lxml.etree.XMLParser(load_dtd=False, no_network=True))
        if not dtd.validate(document):
            wrong += [error.message for error in dtd.error_log.filter_from_errors()]
    tell(what, len(documents), wrong)


WMTS, WMS = "/ogc/wmts?SERVICE=WMTS", "/ogc/wms?SERVICE=WMS"
judge(
    "WMTS 1.0.0 capabilities, XSD",
    "wmts/1.0/wmtsGetCapabilities_response.xsd",
    [f"{WMTS}&REQUEST=GetCapabilities", *(f"{WMTS}&REQUEST=GetCapabilities&LAYER={one}" for one in (layer, "terrain.slope"))],
)
judge(
    "WMTS 1.0.0 exceptions, XSD",
    "ows/1.1.0/owsExceptionReport.xsd",
    [f"{WMTS}&REQUEST=GetTile", f"{WMTS}&REQUEST=GetTile&LAYER=%3Cb%3E", "/ogc/wmts?SERVICE=WFS", "/ogc/wmts/1.0.0/a/b/c/0/0/0.png?a"],
)
judge(
    "WMS 1.3.0 capabilities, XSD",
    "wms/1.3.0/capabilities_1_3_0.xsd",
    [f"{WMS}&REQUEST=GetCapabilities", f"{WMS}&REQUEST=GetCapabilities&LAYER={layer}"],
)
judge(
    "WMS 1.3.0 exceptions, XSD",
    "wms/1.3.0/exceptions_1_3_0.xsd",
    [f"{WMS}&REQUEST=GetMap", f"{WMS}&REQUEST=Nothing", f"{WMS}&REQUEST=GetMap&LAYERS=%3Cb%3E&SLD_BODY=%3C!DOCTYPE%3E"],
)
OLD = f"{WMS}&VERSION=1.1.1"
judge_dtd("WMS 1.1.1 capabilities, DTD", "wms/1.1.1/WMS_MS_Capabilities.dtd", [f"{OLD}&REQUEST=GetCapabilities"])
judge_dtd("WMS 1.1.1 exceptions, DTD", "wms/1.1.1/WMS_exception_1_1_1.dtd", [f"{OLD}&REQUEST=GetMap", f"{OLD}&REQUEST=x"])
print(json.dumps(models, sort_keys=True))
sys.exit(1 if failed else 0)
