"""Asks GDAL about the products that check-world.ts made; called with the job's JSON file, prints one JSON object."""

import glob
import hashlib
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
from osgeo import gdal, osr
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate

gdal.UseExceptions()
SINUSOIDAL = "+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs"
WEATHER = {
    "weather-daily": ["Temperature_Air_2m_Min_24h", "Temperature_Air_2m_Max_24h", "Vapour_Pressure_Mean",
                      "Wind_Speed_10m_Mean", "Precipitation_Flux", "Snow_Thickness_Mean"],
    "soil-moisture-daily": ["sm_surface"],
    "forecast": ["TMP_2maboveground", "TSOIL_0M0D1mbelowground", "RH_2maboveground", "WIND_10maboveground",
                 "APCP_surface", "SNOD_surface"],
}
TIMES = {"weather-daily": 730, "soil-moisture-daily": 730, "forecast": 61}


class Judge:
    """Counts what was asked about a part, and keeps what was wrong."""

    def __init__(self, part):
        self.part = part
        self.row = {"images": 0, "georeferenced": 0, "equal bands": 0, "COGs": 0, "texts": 0, "other": 0}
        self.problems = []

    def say(self, path, problem):
        self.problems.append("%s %s: %s" % (self.part["key"], os.path.basename(path), problem))

    def compare(self, path, what, found, expected):
        if found != expected:
            self.say(path, "%s is %r, not %r" % (what, found, expected))
        return found == expected

    def ask(self):
        for image in self.part["images"]:
            self.judge_image(image)
        self.judge_texts()
        kind = self.part["kind"]
        if kind == "weather":
            self.judge_weather()
        elif kind == "sentinel1":
            self.judge_safe("manifest.safe", "SAFE")
        elif kind == "sentinel2-l1c" and glob.glob(self.part["folder"] + "/*.SAFE"):
            self.judge_safe("MTD_MSIL1C.xml", "SENTINEL2")

    def judge_image(self, image):
        path = image["path"]
        ds = gdal.Open(path)
        self.row["images"] += 1
        self.compare(path, "size", [ds.RasterXSize, ds.RasterYSize], [image["width"], image["height"]])
        self.compare(path, "number of bands", ds.RasterCount, len(image["hashes"]))
        for index, expected in enumerate(image["hashes"]):
            pixels = np.ascontiguousarray(ds.GetRasterBand(index + 1).ReadAsArray())
            found = hashlib.sha256(pixels.tobytes()).hexdigest()
            if found == expected:
                self.row["equal bands"] += 1
            else:
                self.say(path, "band %d has other pixels (%s)" % (index + 1, pixels.dtype))
        if ds.GetDriver().ShortName == "GTiff":
            warnings, errors, _ = validate(ds, full_check=True)
            for problem in warnings + errors:
                self.say(path, "validator: " + problem)
            self.row["COGs"] += 0 if warnings + errors else 1
        self.judge_georeference(path, ds, image)

    def judge_georeference(self, path, ds, image):
        if self.part["kind"] == "sentinel1":
            return self.judge_control_points(path, ds)
        if not self.compare(path, "transform", list(ds.GetGeoTransform()), image["transform"]):
            return None
        srs = ds.GetSpatialRef()
        if self.part["kind"] == "modis":
            known = osr.SpatialReference()
            known.ImportFromProj4(SINUSOIDAL)
            is_known = srs.ExportToProj4() == known.ExportToProj4()
            if not is_known:
                self.say(path, "its reference system is " + srs.ExportToProj4())
            pixel = 6371007.181 * np.pi / 18 / 2400
            if abs(ds.GetGeoTransform()[1] - pixel) > 1e-6:
                self.say(path, "its pixels are %r m" % ds.GetGeoTransform()[1])
            self.row["georeferenced"] += is_known
            return None
        expects = self.part["expects"]
        is_right = self.compare(path, "EPSG", srs.GetAuthorityCode(None), str(expects["epsg"]))
        west, across, _, north, _, down = ds.GetGeoTransform()
        corner = expects["corner"]
        if corner is not None:
            off = max(abs(west - corner["x"]), abs(north - corner["y"]))
            if off > corner["slackM"]:
                is_right = False
                self.say(path, "its corner is %g m away from the plan's" % off)
            if across not in expects["pixelsM"] or down != -across:
                is_right = False
                self.say(path, "its pixels are %g x %g m" % (across, down))
        self.row["georeferenced"] += is_right
        return None

    def judge_control_points(self, path, ds):
        self.compare(path, "number of control points", ds.GetGCPCount(), 21 * 10)
        self.compare(path, "EPSG", ds.GetGCPSpatialRef().GetAuthorityCode(None), "4326")
        # thin plates go through every control point
        transformer = gdal.Transformer(ds, None, ["METHOD=GCP_TPS", "DST_SRS=EPSG:32610"])
        worst = 0
        for point in self.part["expects"]["points"]:
            _, found = transformer.TransformPoint(0, point["col"], point["row"])
            worst = max(worst, float(np.hypot(found[0] - point["x"], found[1] - point["y"])))
        if worst > 3:
            self.say(path, "pixels lie %g m away from the pass" % worst)
        self.row["georeferenced"] += worst <= 3

    def judge_texts(self):
        for path in sorted(glob.glob(self.part["folder"] + "/**/*", recursive=True)):
            ending = os.path.splitext(path)[1]
            try:
                if ending in (".xml", ".gml", ".safe"):
                    ElementTree.parse(path)
                elif ending == ".json":
                    with open(path, encoding="utf-8") as file:
                        json.load(file)
                elif ending == ".jpg":
                    gdal.Open(path).ReadAsArray()
                else:
                    continue
                self.row["texts"] += 1
            except Exception as error:
                self.say(path, str(error))

    def judge_safe(self, marker, driver):
        """GDAL has readers of its own for whole products: what they see must be all the images."""
        (path,) = glob.glob(self.part["folder"] + "/*.SAFE/" + marker)
        gdal.ErrorReset()
        ds = gdal.Open(path)
        self.compare(path, "driver", ds.GetDriver().ShortName, driver)
        for name, _ in ds.GetSubDatasets():
            gdal.Open(name).ReadAsArray()
            self.row["other"] += 1
        if self.row["other"] < 3:
            self.say(path, "GDAL sees only %d datasets" % self.row["other"])
        if gdal.GetLastErrorMsg():
            self.say(path, "GDAL says: " + gdal.GetLastErrorMsg())

    def judge_weather(self):
        for start, names in WEATHER.items():
            (path,) = glob.glob(self.part["folder"] + "/" + start + "_*.nc")
            found = gdal.Open(path).GetSubDatasets()
            listed = [name.split(":")[-1] for name, _ in found] or names
            self.compare(path, "variables", sorted(listed), sorted(names))
            for name in names:
                ds = gdal.Open('NETCDF:"%s":%s' % (path, name))
                self.compare(path, name + " times", ds.RasterCount, TIMES[start])
                self.compare(path, name + " size", [ds.RasterXSize, ds.RasterYSize], [16, 12])
                transform = np.array(ds.GetGeoTransform())
                if np.abs(transform - [-123.05, 0.1, 0, 48.85, 0, -0.1]).max() > 1e-9:
                    self.say(path, "%s lies at %r" % (name, transform.tolist()))
                else:
                    self.row["georeferenced"] += 1
                values = ds.ReadAsArray()
                band = ds.GetRasterBand(1)
                self.compare(path, name + " fill", band.GetNoDataValue(), -9999.0)
                is_kelvin = band.GetMetadataItem("units") == "K"
                low, high = (220, 330) if is_kelvin else (0, 1700)
                if not (np.isfinite(values).all() and values.min() >= low and values.max() <= high):
                    self.say(path, "%s goes from %g to %g" % (name, values.min(), values.max()))
                self.row["other"] += 1


def judge_heights(part, heights):
    """The terrain files against the ground itself, in the middle of cells."""
    problems, met = [], 0
    for image in part["images"]:
        ds = gdal.Open(image["path"])
        west, step, _, north, _, _ = ds.GetGeoTransform()
        values = ds.ReadAsArray()
        for point in heights:
            col = int(np.floor((point["longitude"] - west) / step))
            row = int(np.floor((north - point["latitude"]) / step))
            if not (0 <= col < ds.RasterXSize and 0 <= row < ds.RasterYSize):
                continue
            met += 1
            off = abs(float(values[row, col]) - point["heightM"])
            # cells between two that were projected are off by centimetres, on slopes of up to 2 in 1
            if off > 0.2:
                problems.append("terrain at %r: %g, off by %g m" % (point, values[row, col], off))
    if met < len(heights):
        problems.append("terrain: only %d of %d points are in its files" % (met, len(heights)))
    return met, problems


def main(path):
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    rows, problems = {}, []
    for part in job["parts"]:
        judge = Judge(part)
        judge.ask()
        if part["kind"] == "terrain":
            judge.row["other"], wrong = judge_heights(part, job["heights"])
            judge.problems += wrong
        judge.row["problems"] = len(judge.problems)
        rows[part["key"]] = judge.row
        problems += judge.problems
    json.dump({"gdal": gdal.__version__, "rows": rows, "problems": problems}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
