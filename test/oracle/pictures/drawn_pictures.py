"""The picture that a request must give, computed without Swath: GDAL's warp, NumPy's math, matplotlib's colours."""

import json
import re
from xml.etree import ElementTree

import numpy as np
from osgeo import gdal, ogr

from physical_values import comparable, nodata_of, physical, sigma_table
from stored_bands import dataset, open_level, system, warp

F = np.float32
ROLES = {
    "S2": dict(B="B02", G="B03", R="B04", N="B08", E="B05", S1="B11", S2="B12"),
    "L8": dict(B="B2", G="B3", R="B4", N="B5", S1="B6", S2="B7"),
    "TM": dict(B="B1", G="B2", R="B3", N="B4", S1="B5", S2="B7"),
    "MSS": dict(G="B1", R="B2", N="B4"),
    "MODIS": dict(B="B03", G="B04", R="B01", N="B02", S1="B06", S2="B07"),
    "CBERS4MUX": dict(B="BAND5", G="BAND6", R="BAND7", N="BAND8"),
    "CBERS4AWFI": dict(B="BAND13", G="BAND14", R="BAND15", N="BAND16"),
    "CBERS4PAN10M": dict(G="BAND2", R="BAND3", N="BAND4"),
    "NAIP": dict(B="B", G="G", R="R", N="N"),
}
SENSORS = {"S2L2A": "S2", "L9": "L8", "L7": "TM", "L5TM": "TM", "L4TM": "TM", "L5MSS": "MSS", "L4MSS": "MSS"}
# published formulas; those with a star are of reflectances
INDICES = {
    "NDVI": "(N-R)/(N+R)",
    "NDWI": "(G-N)/(G+N)",
    "NDSI": "(G-S1)/(G+S1)",
    "NDMI": "(N-S1)/(N+S1)",
    "NBR": "(N-S2)/(N+S2)",
    "NDRE": "(N-E)/(N+E)",
    "MSI": "S1/N",
    "GCI": "N/G-1.0",
    "ARVI": "(N-2.0*R+B)/(N+2.0*R-B)",
    "EVI": "*2.5*(N-R)/(N+6.0*R-7.5*B+1.0)",
    "SAVI": "*1.5*(N-R)/(N+R+0.5)",
    "MSAVI": "*(2.0*N+1.0-sqrt((2.0*N+1.0)**2-8.0*(N-R)))/2.0",
}
NDVI_COLORS = (
    "ad0028 c5142a e02d2c ef4c3a fe6c4a ff8d5a ffab69 ffc67d ffe093 ffefab "
    "fdfec2 eaf7ac d5ef94 b9e383 9bd873 77ca6f 53bd6b 14aa60 009755 007e47"
).split()


class Request:
    """One picture: its files, its grid and its query."""

    def __init__(self, job, tables, side):
        self.job, self.tables, self.side = job, tables, side
        self.sensor, self.query, self.grid = job["viewId"].split("/")[0], job["query"], job["grid"]
        self.method = self.query.get("RESAMPLE")
        self.levels = set()
        self.seen = np.ones((self.grid["height"], self.grid["width"]), bool)

    def band(self, name, calibrated):
        file = self.job["files"][name]
        is_classes = name in ("SCL", "BQA") or name.endswith("qa")
        method = self.method or ("near" if is_classes else "bilinear")
        values, has, level = warp(file, self.grid, method, nodata_of(self.sensor), self.side)
        self.levels.add(level)
        self.seen &= has
        if name == "BQA":
            return to_first_layout(values, file["path"])
        meaning = physical if calibrated else comparable
        with np.errstate(all="ignore"):
            return np.asarray(meaning(self.sensor, file["path"], name, values), F)

    def channel(self, text):
        calibrated = self.query.get("CALIBRATE") == "1"
        formula = INDICES.get(text)
        if formula is not None:
            calibrated = calibrated or formula.startswith("*")
            roles = ROLES[SENSORS.get(self.sensor, self.sensor)]
            text = re.sub(r"\b(S1|S2|[BGRNE])\b", lambda match: roles[match.group(1)], formula.lstrip("*"))
        names = {name for name in re.findall(r"[A-Z][A-Za-z0-9_]*", text) if name in self.job["files"]}
        scope = {name: self.band(name, calibrated) for name in names}
        scope.update(sqrt=np.sqrt, where=np.where, greater=np.greater)
        # whole numbers are divided as Python 2 divided them
        text = re.sub(r"(?<![\w.])(\d+)/(\d+)(?![\w.])", r"\1//\2", text)
        with np.errstate(all="ignore"):
            values = eval(text.replace("^", "**"), {"__builtins__": {}}, scope)
        return np.broadcast_to(np.asarray(values, F), self.seen.shape)


def to_first_layout(values, path):
    """Quality bits where the first layout had them, whose bit pairs requests name."""
    q = values.astype(int)
    if "_QA_PIXEL" in path:
        water = np.where(q >> 7 & 1, 0x30, 0x10)
        moved = (q & 1) | water | (q >> 10 & 3) << 6 | (q >> 12 & 3) << 10 | (q >> 14 & 3) << 12 | (q >> 8 & 3) << 14
        return np.where(q == 1, 1, moved)
    if re.search(r"_01_(T1|T2|RT)[_/]", path):
        return (q & 1) | (q >> 7 & 3) << 6 | (q >> 9 & 3) << 10 | (q >> 11 & 3) << 12 | (q >> 5 & 3) << 14
    return q


def to_rgb(text):
    return [int(text[i : i + 2], 16) for i in (0, 2, 4)]


def steps(values, thresholds, colors):
    """The colour behind all thresholds that are not above a value, and that of the neighbour where it is all but there."""
    limits = np.asarray(thresholds, float)
    wide = 3e-5 * max(1e-9, limits.max() - limits.min()) if len(limits) else 0
    colors = np.array([to_rgb(color) for color in colors], int)
    return [colors[np.digitize(values.astype(float) + off, limits)] for off in (0, -wide, wide)]


def shown(request, channels):
    """Answers that are right, each of them red, green and blue: more than one where a value lies on an edge."""
    query, contrast = request.query, request.job["contrast"]
    if "MIN_MAX" in query:
        contrast = [tuple(map(float, query["MIN_MAX"].split(",")))] * len(channels)
    if len(channels) == 3 or not {"COLORMAP", "COLORS", "PALETTE"} & set(query) and request.job["bands"] != "NDVI":
        levels = []
        for values, (low, high) in zip(channels, contrast):
            with np.errstate(all="ignore"):
                part = (values.astype(float) - low) / (high - low) * 255 + 0.5
            levels.append(np.floor(np.clip(np.nan_to_num(part), 0, 255)))
        return [np.stack(levels if len(levels) == 3 else levels * 3, -1)]
    values = np.nan_to_num(channels[0])
    if "PALETTE" in query:
        palette = json.loads(query["PALETTE"])
        answer = np.zeros((*values.shape, 3), int)
        has = np.zeros(values.shape, bool)
        for key, color in palette.items():
            bits = [int(bit) for bit in re.findall(r"\d+", key)]
            of_bits = request.job["bands"] == "BQA"
            mask = sum(1 << bit for bit in bits)
            here = (values.astype(int) & mask) == mask if of_bits else values == int(key)
            answer[here & ~has] = to_rgb(color.lstrip("#"))
            has |= here
        request.seen &= has
        return [answer]
    if "COLORMAP" in query:
        colors = request.tables[f"{query['COLORMAP']} {query.get('COLORS_LIMIT', 256)}"]
        count = len(colors) // 6
        (low, high), *_ = contrast
        limits = [low + (high - low) * i / count for i in range(1, count)]
        return steps(values, limits, [colors[6 * i : 6 * i + 6] for i in range(count)])
    if "COLORS" in query:
        return steps(values, list(map(float, query["THRESHOLDS"].split(","))), query["COLORS"].split(","))
    return steps(values, [i / 20 for i in range(1, 20)], NDVI_COLORS)


def polygons_of(path):
    """Opaque clouds of a GML mask as well-known text; cirrus counts when it is asked for, and it is not."""
    for feature in ElementTree.parse(path).getroot().iter():
        if not feature.tag.endswith("}MaskFeature"):
            continue
        kind = [e.text for e in feature.iter() if e.tag.endswith("}maskType")][0]
        if kind != "OPAQUE":
            continue
        rings = []
        for e in feature.iter():
            if e.tag.endswith("}posList"):
                numbers = e.text.split()
                size = int(e.get("srsDimension", 2))
                points = [f"{numbers[i]} {numbers[i + 1]}" for i in range(0, len(numbers), size)]
                rings.append(f"({', '.join(points)})")
        yield f"POLYGON ({', '.join(rings)})"


def burn(target, texts):
    """Burns areas one by one: a pixel is in when its centre is."""
    for text in texts:
        source = ogr.GetDriverByName("Memory").CreateDataSource("")
        layer = source.CreateLayer("", target.GetSpatialRef())
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(text))
        layer.CreateFeature(feature)
        gdal.RasterizeLayer(target, [1], layer, burn_values=[1])
    return target


def clouds(request):
    """Clouds on the picture's grid, as its product knows them."""
    job, grid = request.job, request.grid
    kind = job["clouds"]["kind"]
    if kind == "polygons":
        finest = max((open_level(f["path"], f["index"], 0) for f in job["files"].values()), key=lambda d: d.RasterXSize)
        burned = gdal.GetDriverByName("MEM").Create("", finest.RasterXSize, finest.RasterYSize, 1, gdal.GDT_Byte)
        burned.SetGeoTransform(finest.GetGeoTransform())
        burned.SetProjection(finest.GetProjection())
        burn(burned, polygons_of(job["clouds"]["path"]))
        target = dataset(grid)
        gdal.Warp(target, burned, resampleAlg="near", errorThreshold=0)
        return target.ReadAsArray() == 1
    if kind == "flags":
        return warp({"path": job["clouds"]["path"], "index": 0}, grid, "near", None)[0] == 1
    name = "SCL" if kind == "classes" else "BQA"
    values, has, _ = warp(job["files"][name], grid, "near", 0 if name == "SCL" else None)
    if name == "SCL":
        return has & np.isin(values, (8, 9))
    bits = to_first_layout(values, job["files"][name]["path"])
    # of Landsat cirrus counts too
    return has & (((bits >> 14 & 3) == 3) | ((bits >> 12 & 3) == 3))


def inside(area, grid):
    """The pixels whose centres lie in an area; its edges are straight in degrees."""
    shape = ogr.CreateGeometryFromJson(json.dumps(area))
    shape.Segmentize(1e-4)
    shape.AssignSpatialReference(system(4326))
    shape.TransformTo(system(grid["epsg"]))
    return burn(dataset(grid, gdal.GDT_Byte), [shape.ExportToWkt()]).ReadAsArray() == 1


def split(text):
    """At commas that no parentheses hold."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def draw(job, tables, side):
    """Right answers (height, width, 3), what is opaque, and the levels that were read."""
    request = Request(job, tables, side)
    channels = [request.channel(text) for text in split(job["bands"])]
    ground = request.seen.copy()
    for values in channels:
        request.seen &= ~np.isnan(values)
    answers = shown(request, channels)
    opaque = request.seen
    if "area" in job:
        within = inside(job["area"], request.grid)
        opaque, ground = opaque & within, ground & within
    if request.query.get("MASKING") == "CLOUD":
        covered = clouds(request) & ground
        color = to_rgb(request.query.get("MASK_COLOR", "ffffff"))
        answers = [np.where(covered[..., None], color, answer) for answer in answers]
        opaque = opaque | covered
    return answers, opaque, sorted(request.levels)


def radar_levels(job):
    """
    Levels of a radar band around each pixel: where control points georeference an image, every program interpolates between them in
    its own way, so the right level is that of the source pixel by thin plate splines or of a neighbour.
    """
    file, grid = job["files"][job["bands"]], job["grid"]
    source = gdal.Open(file["path"])
    stored = source.ReadAsArray().astype(float)
    empty = stored == 0
    if job["query"].get("CALIBRATE") == "1":
        stored = stored**2 / sigma_table(file["path"], stored.shape) ** 2
    (low, high), *_ = job["contrast"]
    levels = np.floor(np.clip((stored - low) / (high - low) * 255 + 0.5, 0, 255))
    levels[empty] = -1000
    way = gdal.Transformer(source, dataset(grid), ["METHOD=GCP_TPS"])
    columns, rows = np.meshgrid(np.arange(grid["width"]) + 0.5, np.arange(grid["height"]) + 0.5)
    spots = np.stack([columns.ravel(), rows.ravel()], -1).tolist()
    found = np.array(way.TransformPoints(1, spots)[0])[:, :2]
    padded = np.pad(levels, 2, constant_values=-1000)
    x, y = (np.floor(found).astype(int) + 2).T
    is_in = (x >= 1) & (y >= 1) & (x < padded.shape[1] - 1) & (y < padded.shape[0] - 1)
    x, y = np.where(is_in, x, 1), np.where(is_in, y, 1)
    shape = columns.shape
    around = [padded[y + dy, x + dx].reshape(shape) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    is_whole = is_in.reshape(shape) & (np.min(around, axis=0) >= 0)
    return around, is_whole
