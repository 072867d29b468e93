"""What stored numbers mean, from the product's own metadata: the formulas of each agency, written down once more."""

import json
import math
import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

F = np.float32
NODATA = {"MODIS": 32767, "NAIP": None}
ESUN_TM5 = {"1": 1983, "2": 1796, "3": 1536, "4": 1031, "5": 220.0, "7": 83.44}
ESUN_CBERS = {
    **{"BAND5": 1984.65, "BAND13": 1984.65, "BAND6": 1823.40, "BAND14": 1823.40, "BAND2": 1823.40},
    **{"BAND7": 1536.38, "BAND15": 1536.38, "BAND3": 1536.38, "BAND8": 981.91, "BAND16": 981.91},
    **{"BAND4": 981.91, "BAND1": 1259.85},
}
GAIN_CBERS = {
    **{"BAND5": 1.68, "BAND6": 1.62, "BAND7": 1.59, "BAND8": 1.42},
    **{"BAND13": 0.379, "BAND14": 0.498, "BAND15": 0.360, "BAND16": 0.351},
}


def nodata_of(sensor):
    """The number that stands for nothing, where a file does not say it."""
    return NODATA.get(sensor, 0)


def near(path, pattern, up=4):
    """The file of that name in the folder of an image, or in one above it."""
    for folder in list(Path(path).parents)[: up + 1]:
        found = sorted(folder.glob(pattern))
        if found:
            return found[0]
    return None


def sentinel2_offset(path, band):
    """What is added to stored numbers before they are divided by 10,000."""
    product = near(path, "MTD_MSIL*.xml")
    if product is not None:
        text = product.read_text()
        order = ["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B10", "B11", "B12"]
        pattern = rf'_ADD_OFFSET band_id="{order.index(band)}">(-?\d+)<'
        found = re.search(pattern, text)
        return int(found.group(1)) if found else 0
    item = near(path, f"{Path(path).parent.name}.json", 0)
    if item is not None:
        properties = json.loads(item.read_text())["properties"]
        applied = properties.get("earthsearch:boa_offset_applied", True)
        baseline = float(properties.get("s2:processing_baseline", properties.get("sentinel2:processing_baseline", 0)))
        return 0 if applied or baseline < 4 else -1000
    # a tile of the bucket: only the name of its product says the baseline
    tile = near(path, "productInfo.json", 0) or near(path, "tileInfo.json", 0)
    named = None if tile is None else re.search(r"_N(\d{4})_", tile.read_text())
    return -1000 if named is not None and int(named.group(1)) >= 400 else 0


def sun_distance(day):
    number = day.timetuple().tm_yday
    return 1 - 0.01672 * math.cos(math.radians(0.9856 * (number - 4)))


def landsat(path, band, values):
    text = near(path, "*_MTL.txt").read_text()

    def number(key):
        found = re.search(rf"\b{key} = (\S+)", text)
        return None if found is None else float(found.group(1))

    name = re.search(r"_(?:SR_|ST_)?B(\w+)\.(?:TIF|tif)$", path).group(1)
    if "_L2SP_" in path:
        is_thermal = "_ST_B" in path
        return values * F(0.00341802) + F(149) if is_thermal else values * F(2.75e-05) + F(-0.2)
    sine = math.sin(math.radians(number("SUN_ELEVATION")))
    first, second = number(f"K1_CONSTANT_BAND_{name}"), number(f"K2_CONSTANT_BAND_{name}")
    is_tm = re.search(r"L[TE]0?[457]", Path(path).name) is not None
    is_thermal = name.startswith("6") if is_tm else name in ("10", "11") and "LC0" in path
    mult, add = number(f"RADIANCE_MULT_BAND_{name}"), number(f"RADIANCE_ADD_BAND_{name}")
    if is_thermal:
        if first is None:
            first, second = 607.76, 1260.56
        return second / np.log(first / (values.astype(float) * mult + add) + 1)
    scale, shift = number(f"REFLECTANCE_MULT_BAND_{name}"), number(f"REFLECTANCE_ADD_BAND_{name}")
    if scale is not None:
        return values.astype(float) * (scale / sine) + shift / sine
    taken = date.fromisoformat(re.search(r"(?:DATE_ACQUIRED|ACQUISITION_DATE) = (\S+)", text).group(1))
    distance = number("EARTH_SUN_DISTANCE") or sun_distance(taken)
    return math.pi * (values.astype(float) * mult + add) * distance**2 / (ESUN_TM5[name] * sine)


def cbers(path, band, values):
    sidecar = Path(path).with_suffix(".xml")
    root = ElementTree.parse(sidecar).getroot() if sidecar.exists() else None

    # a file holds the coefficients of all bands of the camera, by their numbers
    gains = [] if root is None else [e for e in root.iter() if e.get("name") == band[4:] and e.text]
    stated = gains[0].text if gains else None
    # those of AWFI are three to four times what was measured in flight (Pinto 2016)
    is_trusted = stated is not None and "_AWFI_" not in path
    gain = float(stated) if is_trusted else GAIN_CBERS.get(band)
    if gain is None:
        return values
    elevation = [e for e in root.iter() if e.tag.split("}")[-1] == "sunPosition"][0]
    degrees = float([e for e in elevation if e.tag.split("}")[-1] == "elevation"][0].text)
    day = re.search(r"_(\d{4})(\d{2})(\d{2})_", Path(path).name)
    distance = sun_distance(date(*map(int, day.groups())))
    factor = math.pi * distance**2 / (ESUN_CBERS[band] * math.sin(math.radians(degrees)))
    return values.astype(float) * gain * factor


def sigma_table(path, shape):
    """The calibration vectors of a radar image, interpolated to every pixel."""
    name = f"calibration-{Path(path).stem}.xml"
    found = near(path, f"annotation/calibration/{name}")
    vectors = ElementTree.parse(found).getroot().find("calibrationVectorList")
    lines, pixels, values = [], [], []
    for vector in vectors:
        lines.append(int(vector.find("line").text))
        pixels.append(np.array(vector.find("pixel").text.split(), float))
        values.append(np.array(vector.find("sigmaNought").text.split(), float))
    rows = np.array([np.interp(np.arange(shape[1]), p, v) for p, v in zip(pixels, values)])
    return np.array([np.interp(np.arange(shape[0]), lines, column) for column in rows.T]).T


def physical(sensor, path, band, values):
    """Reflectance or kelvin of stored numbers."""
    if sensor.startswith("S2"):
        return (values.astype(float) + sentinel2_offset(path, band)) / 10_000
    if sensor == "MODIS":
        return values.astype(float) * 0.0001
    if sensor.startswith("L"):
        return landsat(path, band, values)
    if sensor.startswith("CBERS4"):
        return cbers(path, band, values)
    return values


def comparable(sensor, path, band, values):
    """Stored numbers that mean the same in all products: those of Sentinel-2 without offset, but at least 1."""
    if not sensor.startswith("S2") or band == "SCL":
        return values
    offset = sentinel2_offset(path, band)
    return values if offset == 0 else np.maximum(F(1), values + F(offset))
