"""What GDAL reads from a TIFF: pixels of every level, masks, and everything that says where they lie."""

import hashlib
import os

import numpy as np
from osgeo import gdal

NAMES = {
    gdal.GDT_Byte: "uint8",
    gdal.GDT_UInt16: "uint16",
    gdal.GDT_Int16: "int16",
    gdal.GDT_UInt32: "uint32",
    gdal.GDT_Int32: "int32",
    gdal.GDT_UInt64: "uint64",
    gdal.GDT_Int64: "int64",
    gdal.GDT_Float32: "float32",
    gdal.GDT_Float64: "float64",
}


def type_of(band):
    """GDAL 3.6 has no type of its own for signed bytes."""
    if band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE") == "SIGNEDBYTE":
        return "int8"
    return NAMES[band.DataType]


def number(value):
    """JSON has no NaN; the other side reads these words back."""
    if value is None:
        return None
    value = float(value)
    return "nan" if np.isnan(value) else "inf" if value == np.inf else "-inf" if value == -np.inf else value


def as_read(array):
    """64-bit integers as the floats that hold them."""
    return array.astype(np.float64) if array.dtype in (np.uint64, np.int64) else array


def level_bytes(bands):
    parts = (np.ascontiguousarray(as_read(band.ReadAsArray())) for band in bands)
    return b"".join(part.astype(part.dtype.newbyteorder("<")).tobytes() for part in parts)


def mask_bytes(band):
    return (band.GetMaskBand().ReadAsArray() != 0).astype(np.uint8).tobytes()


def palette_of(band):
    # GDAL makes up a black and a white for single bits
    if band.GetMetadataItem("NBITS", "IMAGE_STRUCTURE") == "1":
        return None
    table = band.GetRasterColorTable()
    return None if table is None else [v for i in range(table.GetCount()) for v in table.GetColorEntry(i)[:3]]


def describe(path, keep_pixels=None):
    """Facts as JSON values; the pixels go to `keep_pixels(level, bytes)` or only leave their hash."""
    ds = gdal.Open(path)
    first = ds.GetRasterBand(1)
    levels = [[ds.GetRasterBand(b + 1) for b in range(ds.RasterCount)]]
    for level in range(first.GetOverviewCount()):
        levels.append([ds.GetRasterBand(b + 1).GetOverview(level) for b in range(ds.RasterCount)])
    images = []
    for index, bands in enumerate(levels):
        pixels = level_bytes(bands)
        image = {"width": bands[0].XSize, "height": bands[0].YSize, "sha256": hashlib.sha256(pixels).hexdigest()}
        if bands[0].GetMaskFlags() not in (gdal.GMF_ALL_VALID,):
            image["mask"] = hashlib.sha256(mask_bytes(bands[0])).hexdigest()
        if keep_pixels is not None:
            keep_pixels(index, pixels)
        images.append(image)
    transform = ds.GetGeoTransform(can_return_null=True)
    srs = ds.GetSpatialRef() or (ds.GetGCPSpatialRef() if ds.GetGCPCount() else None)
    code = srs.GetAuthorityCode(None) if srs is not None and srs.GetAuthorityName(None) == "EPSG" else None
    return {
        "type": type_of(first),
        "bandCount": ds.RasterCount,
        "images": images,
        "nodata": number(first.GetNoDataValue()),
        "transform": None if transform is None else list(transform),
        "gcps": [[g.GCPPixel, g.GCPLine, g.GCPX, g.GCPY, g.GCPZ] for g in ds.GetGCPs()],
        "epsg": None if code is None else int(code),
        "proj": None if srs is None else srs.ExportToProj4(),
        # only the text of sidecars is compared
        "wkt": srs.ExportToWkt() if srs is not None and os.path.exists(path + ".aux.xml") else None,
        "description": first.GetDescription() or None,
        "palette": palette_of(first),
    }
