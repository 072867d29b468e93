"""Files of elevation models as GDAL reads them: levels in metres, and several of them as one image."""
import functools

import numpy
from osgeo import gdal

# A height that no file has; stands for unknown ones in images in memory.
NODATA = -99999.0
METRES = {"": 1, "m": 1, "metre": 1, "foot": 0.3048, "ft": 0.3048, "US survey foot": 1200 / 3937}
# Unknown pixels around an image, so that GDAL handles its edge like any void, and so many that they fill a target pixel
# of an average: GDAL 3.6 reads averages in the wrong position if its chunk is larger than the image.
PAD_PX = 256


@functools.lru_cache(maxsize=16)
def read_level(path, level):
    """Heights in metres, NODATA where unknown; geotransform; reference system without its vertical part."""
    options = [f"OVERVIEW_LEVEL={level - 1}"] if level > 0 else []
    dataset = gdal.OpenEx(path, open_options=options)
    # Unit and scale are those of the full image. Without its dataset a band would be gone.
    full = gdal.Open(path)
    band = full.GetRasterBand(1)
    stored = dataset.ReadAsArray().astype(numpy.float64)
    scale = METRES[band.GetUnitType()]
    heights = (stored * (band.GetScale() or 1) + (band.GetOffset() or 0)) * scale
    is_void = numpy.isnan(stored)
    if band.GetNoDataValue() is not None:
        is_void |= stored == band.GetNoDataValue()
    heights[is_void] = NODATA
    system = dataset.GetSpatialRef().Clone()
    if system.IsCompound():
        system.StripVertical()
    return heights.astype(numpy.float32), dataset.GetGeoTransform(), system


def shifted(transform, by):
    return (transform[0] + by, *transform[1:])


def offset_on(lattice, transform):
    """Column and row of an image on the lattice of another one; None if its pixels do not lie on it."""
    x, y = (transform[0] - lattice[0]) / lattice[1], (transform[3] - lattice[3]) / lattice[5]
    off = max(abs(x - round(x)), abs(y - round(y)), abs(transform[1] / lattice[1] - 1))
    return None if off > 0.002 else (round(x), round(y))


class Mosaic:
    """Levels of files with pixels of one size on one lattice, as one image in memory with pixels around it."""

    def __init__(self, parts, sea):
        """`parts`: path, level, and by how much x is shifted; `sea`: whether pixels outside of all files are 0 m."""
        placed = [(*read_level(path, level), by) for path, level, by in parts]
        transforms = [shifted(transform, by) for _, transform, _, by in placed]
        first, self.system = transforms[0], placed[0][2]
        corners = [offset_on(first, transform) for transform in transforms]
        if None in corners:
            raise ValueError("these files do not lie on one lattice: %r" % (parts,))
        left, top = (min(corner[i] for corner in corners) - PAD_PX for i in (0, 1))
        width = max(x + h.shape[1] for (x, _), (h, *_) in zip(corners, placed)) + PAD_PX - left
        height = max(y + h.shape[0] for (_, y), (h, *_) in zip(corners, placed)) + PAD_PX - top
        self.transform = (first[0] + left * first[1], first[1], 0, first[3] + top * first[5], 0, first[5])
        self.heights = numpy.full((height, width), NODATA, numpy.float32)
        self.is_inside = numpy.zeros((height, width), bool)
        for (x, y), (heights, *_) in zip(corners, placed):
            window = (slice(y - top, y - top + heights.shape[0]), slice(x - left, x - left + heights.shape[1]))
            # Of pixels that two files have, the first known one counts.
            here = self.heights[window]
            here[:] = numpy.where(here == NODATA, heights, here)
            self.is_inside[window] = True
        if sea:
            self.heights[~self.is_inside] = 0

    def to_dataset(self, values, nodata):
        height, width = values.shape
        dataset = gdal.GetDriverByName("MEM").Create("", width, height, 1, gdal.GDT_Float32)
        dataset.SetGeoTransform(self.transform)
        dataset.SetSpatialRef(self.system)
        if nodata is not None:
            dataset.GetRasterBand(1).SetNoDataValue(nodata)
        dataset.GetRasterBand(1).WriteArray(values)
        return dataset

    @functools.cached_property
    def dataset(self):
        return self.to_dataset(self.heights, NODATA)

    @functools.cached_property
    def inside(self):
        """1 where a file has a pixel, known or not."""
        return self.to_dataset(self.is_inside.astype(numpy.float32), None)


@functools.lru_cache(maxsize=4)
def make_mosaic(parts, sea):
    return Mosaic(parts, sea)
