"""
Computes the statistics of areas in scenes once more, with GDAL and NumPy on the stored pixels: reflectance by the
product's metadata, finer bands averaged over coarser pixels, pixels whose centre lies in the area, masks, clouds, population
variance, linear percentiles. Reads {scenes, fields, orders} as JSON from standard input, prints a table and fails on a
mismatch.
"""

import json
import math
import os
import re
import sys
from collections import defaultdict

import numpy as np
from osgeo import gdal, ogr, osr

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "pictures"))
from drawn_pictures import polygons_of, to_first_layout  # noqa: E402
from physical_values import ESUN_CBERS, GAIN_CBERS, near, nodata_of, physical, sun_distance  # noqa: E402
from datetime import date  # noqa: E402

gdal.UseExceptions()
# The service computes in float32, numbers with 24 bits: a value is right to 6e-8 of itself, a difference of two to that of
# the larger one, and an index of such differences to some 1e-7. Of values above 1 it is a share of the value.
TOLERANCE = 1e-6
# Pixels of grids that differ by less than a thousandth of a pixel are taken for the same: some decimated products have such.
LOOSE = 1e-4
HUGE = 10
LEVELS = {1: [9], 2: [8, 9], 3: [3, 7, 8, 9, 10], 4: [8, 9, 10]}
METRICS = ("q1", "q3", "max", "min", "p10", "p90", "std", "median", "average", "variance")
# edges of areas are straight in degrees: in pieces so short they are straight in any projection
PIECES = 64


def lon_lat():
    found = osr.SpatialReference()
    found.ImportFromEPSG(4326)
    found.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return found


class Grid:
    """Where the pixels of a file lie."""

    def __init__(self, source):
        self.transform = source.GetGeoTransform()
        self.width, self.height = source.RasterXSize, source.RasterYSize
        self.wkt = source.GetProjection()
        self.key = (self.transform, self.width, self.height, self.wkt)
        self.area = abs(self.transform[1] * self.transform[5])

    def memory(self, kind=gdal.GDT_Byte):
        made = gdal.GetDriverByName("MEM").Create("", self.width, self.height, 1, kind)
        made.SetGeoTransform(self.transform)
        made.SetProjection(self.wkt)
        return made

    def system(self):
        found = osr.SpatialReference(wkt=self.wkt)
        found.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        return found


def densified(ring):
    points = []
    for (x, y), (to_x, to_y) in zip(ring, ring[1:]):
        for step in range(PIECES):
            share = step / PIECES
            points.append((x + share * (to_x - x), y + share * (to_y - y)))
    return points + points[:1]


def on_grid(geometry, grid):
    """An area in pixels of a grid: columns and rows."""
    polygons = geometry["coordinates"] if geometry["type"] == "MultiPolygon" else [geometry["coordinates"]]
    way = osr.CoordinateTransformation(lon_lat(), grid.system())
    inverse = gdal.InvGeoTransform(grid.transform)
    made = ogr.Geometry(ogr.wkbMultiPolygon)
    for rings in polygons:
        polygon = ogr.Geometry(ogr.wkbPolygon)
        for ring in rings:
            line = ogr.Geometry(ogr.wkbLinearRing)
            for x, y, _ in way.TransformPoints(densified(ring)):
                line.AddPoint_2D(
                    inverse[0] + inverse[1] * x + inverse[2] * y, inverse[3] + inverse[4] * x + inverse[5] * y
                )
            polygon.AddGeometry(line)
        made.AddGeometry(polygon)
    return made


def touch(shape, grid):
    """Pixels that a small shape meets, by geometry: GDAL's ALL_TOUCHED misses some that are met by a corner only."""
    mask = np.zeros((grid.height, grid.width), bool)
    left, right, top, bottom = shape.GetEnvelope()
    for row in range(max(0, math.floor(top)), min(grid.height, math.floor(bottom) + 1)):
        for col in range(max(0, math.floor(left)), min(grid.width, math.floor(right) + 1)):
            square = f"POLYGON (({col} {row}, {col + 1} {row}, {col + 1} {row + 1}, {col} {row + 1}, {col} {row}))"
            mask[row, col] = ogr.CreateGeometryFromWkt(square).Intersects(shape)
    return mask


def rasterize(shape, grid):
    """Marks the pixels whose centre lies in a shape."""
    target = gdal.GetDriverByName("MEM").Create("", grid.width, grid.height, 1, gdal.GDT_Byte)
    target.SetGeoTransform((0, 1, 0, 0, 0, 1))
    source = ogr.GetDriverByName("Memory").CreateDataSource("")
    # any system, the same for both: GDAL warns of none
    target.SetProjection(lon_lat().ExportToWkt())
    layer = source.CreateLayer("", lon_lat())
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(shape)
    layer.CreateFeature(feature)
    gdal.RasterizeLayer(target, [1], layer, burn_values=[1])
    return target.ReadAsArray() == 1


class Cover:
    """The pixels of a grid that count for an area, and the window around them."""

    def __init__(self, geometry, grid):
        shape = self.shape = on_grid(geometry, grid)
        self.size = sum(
            abs(polygon.GetGeometryRef(0).GetArea())
            - sum(abs(polygon.GetGeometryRef(i).GetArea()) for i in range(1, polygon.GetGeometryCount()))
            for polygon in (shape.GetGeometryRef(n) for n in range(shape.GetGeometryCount()))
        )
        mask = rasterize(shape, grid)
        left, right, top, bottom = shape.GetEnvelope()
        reaches_beyond = left < 0 or top < 0 or right > grid.width or bottom > grid.height
        self.is_touched = not mask.any()
        if self.is_touched:
            mask = touch(shape, grid)
        self.count = int(mask.sum())
        # beyond the image there are no pixels to count
        self.pixels = self.size if reaches_beyond and not self.is_touched else self.count
        rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        self.window = None
        if self.count > 0:
            self.window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
            self.mask = mask[self.window]


    def closest(self, grid):
        """How close a centre of a pixel lies to the edge of the area, in pixels."""
        line = self.shape.Boundary()
        found = math.inf
        for n in range(line.GetGeometryCount()):
            points = np.array(line.GetGeometryRef(n).GetPoints())[:, :2]
            start, end = points[:-1], points[1:]
            for share in np.linspace(0, 1, 9):
                spot = np.floor(start + share * (end - start)) + 0.5
                along = end - start
                length = np.maximum(1e-12, (along**2).sum(1))
                t = np.clip(((spot - start) * along).sum(1) / length, 0, 1)
                found = min(found, np.sqrt(((start + t[:, None] * along - spot) ** 2).sum(1)).min())
        return found


def weights(start, step, count, own_start, own_step, own_count):
    """How much of each own pixel lies in each pixel of a coarser row."""
    edges = (start + step * np.arange(count + 1) - own_start) / own_step
    own = np.arange(own_count)
    low = np.maximum(edges[:-1, None], own[None, :])
    high = np.minimum(edges[1:, None], own[None, :] + 1)
    share = np.maximum(0, high - low)
    # what overlaps by rounding only does not overlap
    share[share < 1e-6] = 0
    # where the image ends within a pixel, its outermost pixel counts for the part beyond, as in GDAL
    several = (share > 0).sum(1) > 1
    share[:, 0] += np.where(several & (share[:, 0] > 0), np.maximum(0, -edges[:-1]), 0)
    share[:, -1] += np.where(several & (share[:, -1] > 0), np.maximum(0, edges[1:] - own_count), 0)
    return share


class Scene:
    """A product as it is stored."""

    def __init__(self, described):
        self.__dict__.update(described)
        self.opened, self.resampled, self.marked = {}, {}, {}

    def stored(self, name):
        """A band: its grid, its numbers, and where there are any."""
        if name not in self.opened:
            file = self.files[name]
            source = gdal.Open(file["path"])
            band = source.GetRasterBand(file["index"] + 1)
            nodata = band.GetNoDataValue()
            nodata = nodata_of(self.sensor) if nodata is None else nodata
            values = band.ReadAsArray()
            has = np.ones(values.shape, bool) if nodata is None else values != nodata
            self.opened[name] = Grid(source), values, has
        return self.opened[name]

    def reflectance(self, name):
        _, values, _ = self.stored(name)
        path = self.files[name]["path"]
        if self.sensor.startswith("L") and near(path, "*_MTL.txt") is None:
            # without metadata: published constants, and no correction by the sun, whose height is not known
            return values.astype(float) * 2e-5 - 0.1
        if self.sensor.startswith("CBERS4") and near(path, "*.xml", 0) is None:
            gain = GAIN_CBERS.get(name)
            distance = sun_distance(date.fromisoformat(self.date))
            return values.astype(float) * (1 if gain is None else gain * math.pi * distance**2 / ESUN_CBERS[name])
        return np.asarray(physical(self.sensor, path, name, values), float)

    def on(self, name, grid):
        """Reflectance on a grid of equal or coarser pixels, and where there is any."""
        key = name, grid.key
        if key not in self.resampled:
            own, _, has = self.stored(name)
            values = self.reflectance(name)
            if own.key != grid.key:
                across = weights(
                    grid.transform[0], grid.transform[1], grid.width, own.transform[0], own.transform[1], own.width
                )
                down = weights(
                    grid.transform[3], grid.transform[5], grid.height, own.transform[3], own.transform[5], own.height
                )
                covered = down @ has.astype(float) @ across.T
                with np.errstate(all="ignore"):
                    values = down @ np.where(has, values, 0) @ across.T / covered
                has = covered > 0
            self.resampled[key] = values, has
        return self.resampled[key]

    def at_centres(self, source_grid, values, grid):
        """The source's pixels below the centres of a grid's pixels; 0 beyond it."""
        across, down = grid.transform, source_grid.transform
        xs = across[0] + (np.arange(grid.width) + 0.5) * across[1]
        ys = across[3] + (np.arange(grid.height) + 0.5) * across[5]
        columns = np.floor((xs - down[0]) / down[1] + 1e-9).astype(int)
        rows = np.floor((ys - down[3]) / down[5] + 1e-9).astype(int)
        in_columns = (columns >= 0) & (columns < source_grid.width)
        in_rows = (rows >= 0) & (rows < source_grid.height)
        found = values[np.clip(rows, 0, source_grid.height - 1)][:, np.clip(columns, 0, source_grid.width - 1)]
        return np.where(in_rows[:, None] & in_columns[None, :], found, 0)

    def clouds(self, grid):
        """Where the product's own mask has clouds; None without one."""
        return self.cached(("clouds", grid.key), lambda: self.find_clouds(grid))

    def classes(self, grid):
        """The scene classification."""

        def find():
            own, values, _ = self.stored("SCL")
            return self.at_centres(own, values, grid)

        return self.cached(("classes", grid.key), find)

    def cached(self, key, make):
        if key not in self.marked:
            self.marked[key] = make()
        return self.marked[key]

    def find_clouds(self, grid):
        kind = self.clouds_of["kind"]
        if kind == "classes":
            return np.isin(self.classes(grid), (8, 9))
        if kind == "quality" and self.sensor in ("L8", "L9"):
            own, values, has = self.stored("BQA")
            bits = to_first_layout(values, self.files["BQA"]["path"])
            marked = has & (((bits >> 14 & 3) == 3) | ((bits >> 12 & 3) == 3))
            return self.at_centres(own, marked, grid) == 1
        if kind == "flags":
            source = gdal.Open(self.clouds_of["path"])
            return self.at_centres(Grid(source), source.GetRasterBand(1).ReadAsArray(), grid) != 0
        if kind == "polygons":
            finest = max((self.stored(name)[0] for name in self.files), key=lambda one: one.width)
            burned = finest.memory()
            for text in polygons_of(self.clouds_of["path"]):
                source = ogr.GetDriverByName("Memory").CreateDataSource("")
                layer = source.CreateLayer("", finest.system())
                feature = ogr.Feature(layer.GetLayerDefn())
                polygon = ogr.CreateGeometryFromWkt(text)
                move_slightly(polygon)
                feature.SetGeometry(polygon)
                layer.CreateFeature(feature)
                gdal.RasterizeLayer(burned, [1], layer, burn_values=[1])
            return self.at_centres(finest, burned.ReadAsArray(), grid) == 1
        return None


def move_slightly(polygon):
    """A centre on an edge lies in the area to the north or east of it; to GDAL, in the other one."""
    for n in range(polygon.GetGeometryCount()):
        ring = polygon.GetGeometryRef(n)
        for i in range(ring.GetPointCount()):
            x, y, _ = ring.GetPoint(i)
            ring.SetPoint_2D(i, x - 1e-6, y - 1e-6)


def are_nearly_same(grid, other):
    """Whether two grids differ, but by less than a hundredth of a pixel."""
    if grid.key == other.key or (grid.width, grid.height) != (other.width, other.height):
        return False
    ends = np.array([0, grid.width]), np.array([0, grid.height])
    (left, wide, _, top, _, high), (other_left, other_wide, _, other_top, _, other_high) = grid.transform, other.transform
    across = (left - other_left + ends[0] * (wide - other_wide)) / wide
    down = (top - other_top + ends[1] * (high - other_high)) / high
    return max(abs(across).max(), abs(down).max()) < 0.01


def names_in(numpy):
    return [name for name in dict.fromkeys(re.findall(r"[A-Za-z]\w*", numpy))]


class Judge:
    def __init__(self, task):
        self.scenes = task["scenes"]
        self.fields = task["fields"]
        self.covers = {}

    def cover(self, field, grid):
        key = field, grid.key
        if key not in self.covers:
            self.covers[key] = Cover(self.fields[field]["geometry"], grid)
        return self.covers[key]

    def measure(self, scene, order, numpy, sibling):
        """What the statistics of an expression should be."""
        names = names_in(numpy)
        grids = [scene.stored(name)[0] for name in names]
        grid = grids[0]
        for other in grids[1:]:
            if other.area > grid.area * (1 + 1e-6):
                grid = other
        cover = self.cover(order["field"], grid)
        own = scene.clouds(grid)
        level = order["level"] if scene.sensor.startswith("S2") else None
        classified = scene if scene.sensor == "S2L2A" else sibling
        has_classes = classified is not None and "SCL" in classified.files
        marks = own is not None or (level is not None and has_classes)
        found = {
            **{"valid": 0, "cloud": 0 if marks else None, "values": np.zeros(0)},
            **{"cover": cover, "grid": grid, "is_loose": any(are_nearly_same(grid, other) for other in grids)},
        }
        if cover.window is None:
            return found
        window = cover.window
        bands, valid = {}, cover.mask.copy()
        for name in names:
            values, has = scene.on(name, grid)
            bands[name] = values[window]
            valid &= has[window]
        with np.errstate(all="ignore"):
            values = eval(numpy, {"__builtins__": {}}, bands)
        valid &= ~np.isnan(values)
        clouds = np.zeros(valid.shape, bool)
        masked = np.zeros(valid.shape, bool)
        if own is not None:
            clouds |= own[window]
            if order["masked"] and scene.sensor.startswith("S2"):
                masked |= own[window]
        if level is not None and has_classes:
            classes = classified.classes(grid)[window]
            valid &= ~np.isin(classes, (0, 1))
            chosen = np.isin(classes, LEVELS[level])
            clouds |= chosen
            masked |= chosen
        found["valid"] = int(valid.sum())
        if marks:
            found["cloud"] = int((valid & clouds).sum())
        counted = values[valid & ~masked]
        found["values"] = counted[np.isfinite(counted)]
        return found


def statistics(values):
    if len(values) == 0:
        return None
    q1, median, q3, p10, p90 = np.percentile(values, [25, 50, 75, 10, 90])
    found = {"q1": q1, "median": median, "q3": q3, "p10": p10, "p90": p90}
    found.update(min=values.min(), max=values.max(), average=values.mean(), std=values.std(), variance=values.var())
    return found


def differ(found, expected, tolerance):
    return abs(found - expected) > tolerance * max(1, abs(expected))


def judge_scene(judge, order, scene, sibling):
    """What is wrong in the answer about a scene."""
    view = scene.viewId
    item, error = order["result"].get(view), order["errors"].get(view)
    if any(name not in scene.files for numpy in order["numpy"] for name in names_in(numpy)):
        return [] if item is None else ["has statistics of a band without file"]
    measured = [judge.measure(scene, order, numpy, sibling) for numpy in order["numpy"]]
    first = measured[0]
    if all(one["valid"] == 0 for one in measured):
        return [] if item is None else ["has statistics without data"]
    if item is None and error is None:
        return [f"was not found, with {first['valid']} pixels of data"]
    percent = None
    if first["cloud"] is not None:
        percent = 100 * first["cloud"] / first["valid"] if first["valid"] > 0 else None
    elif scene.sensor in ("S1", "NAIP", "MODIS") or scene.sensor.startswith("CBERS4"):
        percent = 0
    elif scene.cloudPercent is not None:
        percent = max(0, scene.cloudPercent)
    is_left_out = order["max"] is not None and percent is not None and percent > order["max"]
    if is_left_out:
        return [] if error is not None and "cloud" in error["error"] else [f"should be left out at {percent} % clouds"]
    if item is None:
        return [f"failed: {error['error']}"]
    faults = []
    if (item["cloud"] is None) != (percent is None) or (percent is not None and abs(item["cloud"] - percent) > 1e-9):
        faults.append(f"cloud {item['cloud']} and not {percent}")
    share = first["valid"] / max(1e-9, first["cover"].pixels)
    if abs(share - 0.9) > 0.02 and ("partial coverage" in item["notes"]) != (share < 0.9):
        faults.append(f"notes {item['notes']} at {share:.3f} of the area")
    is_touched = any("touches" in note for note in item["notes"])
    if is_touched != first["cover"].is_touched:
        faults.append(f"touched is {is_touched}")
    for n, (name, one) in enumerate(zip(order["expressions"], measured)):
        metrics = item.get("indexes", item)[name] if order["isList"] else item
        count = order["counts"][view][n]
        expected = statistics(one["values"])
        if count != len(one["values"]):
            gap = one["cover"].closest(one["grid"])
            faults.append(f"{name}: {count} pixels and not {len(one['values'])}; a centre is {gap:.1e} px from the edge")
        elif expected is None:
            if any(metrics[metric] is not None for metric in METRICS):
                faults.append(f"{name}: numbers without pixels")
        else:
            tolerance = LOOSE if one["is_loose"] else TOLERANCE
            # a quotient so large has a denominator of nearly nothing, the difference of two numbers: its digits are lost
            worst = abs(one["values"]).max()
            tolerance *= worst**2 if worst > HUGE else 1
            wrong = [metric for metric in METRICS if differ(metrics[metric], expected[metric], tolerance)]
            faults += [f"{name}: {metric} {metrics[metric]} and not {expected[metric]}" for metric in wrong]
    return faults


def main():
    task = json.load(sys.stdin)
    judge = Judge(task)
    rows = defaultdict(lambda: [set(), set(), 0, 0, 0])
    problems = []
    by_scene = defaultdict(list)
    for order in task["orders"]:
        for view in order["scenes"]:
            by_scene[view].append(order)
    for view, orders in by_scene.items():
        scene = Scene(task["scenes"][view])
        sibling = None
        if scene.sensor == "S2" and f"S2L2A{view[2:]}" in task["scenes"]:
            sibling = Scene(task["scenes"][f"S2L2A{view[2:]}"])
        for order in orders:
            faults = judge_scene(judge, order, scene, sibling)
            kind = task["fields"][order["field"]]["kind"]
            row = rows[scene.dataset]
            row[0].add(order["field"])
            row[1].add(view)
            row[2] += 1
            row[3] += view in order["result"]
            row[4] += len(faults) > 0
            problems += [f"{view} {kind} {order['options']}: {fault}" for fault in faults]
    print(f"{'dataset':14}{'fields':>8}{'dates':>8}{'compared':>10}{'with values':>13}{'disagree':>10}")
    for dataset, (fields, dates, compared, valued, wrong) in sorted(rows.items()):
        print(f"{dataset:14}{len(fields):8}{len(dates):8}{compared:10}{valued:13}{wrong:10}")
    for problem in problems[:60]:
        print(problem)
    total = sum(row[2] for row in rows.values())
    print(f"{total} comparisons of a field at a date, {sum(row[4] for row in rows.values())} disagreements")
    sys.exit(1 if problems or total == 0 else 0)


main()
