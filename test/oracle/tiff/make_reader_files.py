"""Makes one small TIFF for each combination that Swath promises to read, and writes down what GDAL reads from each.

Called by check-reader.ts with a folder; the real files named on standard input, one a line, are only described. With
`--golden` it renews the subset that the default tests read, test/golden/tiff/reader.
"""

import json
import os
import shutil
import struct
import sys
import tempfile
import zlib

import numpy as np
from osgeo import gdal, osr

from reader_facts import describe

gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
# of overviews in files of their own
gdal.SetConfigOption("COMPRESS_OVERVIEW", "LZW")
gdal.SetConfigOption("GDAL_TIFF_OVR_BLOCKSIZE", "64")
TYPES = {
    "uint8": (gdal.GDT_Byte, np.uint8, []),
    "int8": (gdal.GDT_Byte, np.int8, ["PIXELTYPE=SIGNEDBYTE"]),
    "uint16": (gdal.GDT_UInt16, np.uint16, []),
    "int16": (gdal.GDT_Int16, np.int16, []),
    "uint32": (gdal.GDT_UInt32, np.uint32, []),
    "int32": (gdal.GDT_Int32, np.int32, []),
    "uint64": (gdal.GDT_UInt64, np.uint64, []),
    "int64": (gdal.GDT_Int64, np.int64, []),
    "float16": (gdal.GDT_Float32, np.float32, ["NBITS=16"]),
    "float32": (gdal.GDT_Float32, np.float32, []),
    "float64": (gdal.GDT_Float64, np.float64, []),
}
UTM = (600000.0, 10.0, 0.0, 5100000.0, 0.0, -10.0)
TILES = ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"]
#: Everything about storage that takes turns over the matrix: neighbours differ in all of it.
LAYOUTS = [
    (bands, interleave, layout, endian, big)
    for big in ("NO", "YES")
    for endian in ("LITTLE", "BIG")
    for bands, interleave, layout in (
        (1, "PIXEL", TILES), (3, "PIXEL", ["BLOCKYSIZE=7"]), (3, "BAND", TILES), (2, "PIXEL", TILES),
        (1, "PIXEL", ["BLOCKYSIZE=50"]), (2, "BAND", ["BLOCKYSIZE=9"]), (5, "PIXEL", TILES),
    )
]


def pixels(dtype, bands, height, width):
    """Smooth and rough parts over the whole range of the type."""
    b, y, x = np.meshgrid(np.arange(bands), np.arange(height), np.arange(width), indexing="ij")
    rough = (x * 7919 + y * 104729 + b * 1299709) % 251
    if np.issubdtype(dtype, np.floating):
        return (np.sin(x / 9.0) * 1e3 + np.cos(y / 5.0) * 1e-3 + b * 17 + rough / 64.0).astype(dtype)
    size = np.dtype(dtype).itemsize
    step = np.uint64({1: 1, 2: 300, 4: 20_000_003, 8: 90_000_000_000_000_003}[size])
    whole = (x + 2 * y + 40 * b + rough // 50).astype(np.uint64) * step + rough.astype(np.uint64) * np.uint64(size > 1)
    return whole.astype({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[size]).view(dtype)


class Maker:
    def __init__(self, folder, size=(70, 50)):
        self.folder, self.size, self.cases, self.turn = folder, size, [], 0

    def create(self, name, kind, bands=1, size=None, options=(), data=None, epsg=32631, srs=None, transform=UTM,
               nodata=None, tweak=None, tolerance=0):
        gdal_type, dtype, extra = TYPES[kind]
        size = size or self.size
        path = os.path.join(self.folder, name + ".tif")
        ds = gdal.GetDriverByName("GTiff").Create(path, size[0], size[1], bands, gdal_type, list(options) + extra)
        if srs is None and epsg is not None:
            srs = osr.SpatialReference()
            srs.ImportFromEPSG(epsg)
        if srs is not None:
            ds.SetProjection(srs.ExportToWkt())
        if transform is not None:
            ds.SetGeoTransform(transform)
        if nodata is not None:
            for i in range(bands):
                ds.GetRasterBand(i + 1).SetNoDataValue(nodata)
        if data is not False:
            whole = pixels(dtype, bands, size[1], size[0]) if data is None else data
            array = whole[:bands, : size[1], : size[0]].astype(dtype)
            ds.WriteRaster(0, 0, size[0], size[1], np.ascontiguousarray(array).tobytes())
        if tweak is not None:
            tweak(ds)
        ds.FlushCache()
        del ds
        self.cases.append((name, path, tolerance))

    def in_layout(self, name, kind, options, rounds=1, only_endian=None):
        for _ in range(rounds):
            self.turn += 1
            bands, interleave, layout, endian, big = LAYOUTS[self.turn * 5 % len(LAYOUTS)]
            endian = only_endian or endian
            if "PREDICTOR=3" in options and bands > 1 and interleave == "PIXEL":
                endian = "LITTLE"  # GDAL 3.6 damages the big-endian ones while it writes them
            storage = layout + ["INTERLEAVE=" + interleave, "ENDIANNESS=" + endian, "BIGTIFF=" + big]
            full = "-".join([name, "%d%s" % (bands, interleave.lower()), layout[-1].lower().replace("=", ""),
                             endian.lower(), "big" if big == "YES" else "classic", str(self.turn)])
            self.create(full, kind, bands=bands, options=storage + options)


def make_matrix(maker):
    for kind in TYPES:
        is_float = kind.startswith("float")
        for codec in ("NONE", "LZW", "DEFLATE", "ZSTD", "PACKBITS"):
            for predictor in (1, 2, 3) if codec in ("LZW", "DEFLATE", "ZSTD") else (1,):
                if predictor == 3 and not is_float:
                    continue
                options = ["COMPRESS=" + codec] + (["PREDICTOR=%d" % predictor] if predictor > 1 else [])
                maker.in_layout("%s-%s-p%d" % (kind, codec.lower(), predictor), kind, options, rounds=2)


def make_odd_depths(maker):
    codecs = ["NONE", "LZW", "DEFLATE", "PACKBITS", "ZSTD"]
    for bits in [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 20, 23, 24, 25, 31]:
        kind = "uint8" if bits < 8 else "uint16" if bits < 16 else "uint32"
        for bands in (1, 3, 3):
            maker.turn += 1
            _, interleave, layout, endian, _ = LAYOUTS[maker.turn * 5 % len(LAYOUTS)]
            data = pixels(TYPES[kind][1], bands, 50, 70) & TYPES[kind][1](2**bits - 1)
            codec = codecs[maker.turn % len(codecs)]
            maker.create("nbits%d-%d-%s-%s" % (bits, bands, codec.lower(), endian.lower()), kind, bands=bands, data=data,
                         options=layout + ["NBITS=%d" % bits, "COMPRESS=" + codec, "INTERLEAVE=" + interleave,
                                           "ENDIANNESS=" + endian])


def make_pictures(maker):
    smooth = np.stack([(np.add.outer(np.arange(50) * (b + 2), np.arange(70) * 2) // 2).astype(np.uint8) for b in range(5)])
    for bands in (1, 2, 3, 4):
        for layout in (TILES, ["BLOCKYSIZE=16"], ["BLOCKYSIZE=50"]):
            for endian in ("LITTLE", "BIG"):
                name = "jpeg-%d-%s-%s" % (bands, layout[-1].lower().replace("=", ""), endian.lower())
                options = layout + ["COMPRESS=JPEG", "ENDIANNESS=" + endian]
                maker.create(name, "uint8", bands=bands, data=smooth, options=options, tolerance=1)
    maker.create("jpeg-planar", "uint8", bands=5, data=smooth, tolerance=1,
                 options=TILES + ["COMPRESS=JPEG", "INTERLEAVE=BAND"])
    for quality in (20, 75, 95):
        for layout in (TILES, ["BLOCKYSIZE=16"]):
            maker.create("jpeg-ycbcr-%d-%s" % (quality, layout[-1].lower().replace("=", "")), "uint8", bands=3, data=smooth,
                         options=layout + ["COMPRESS=JPEG", "PHOTOMETRIC=YCBCR", "JPEG_QUALITY=%d" % quality], tolerance=2)
    noise = pixels(np.uint8, 4, 50, 70)
    for bands in (3, 4):
        for layout in (TILES, ["BLOCKYSIZE=50"]):
            name = "webp-%d-%s" % (bands, layout[-1].lower().replace("=", ""))
            maker.create(name + "-lossless", "uint8", bands=bands, data=noise,
                         options=layout + ["COMPRESS=WEBP", "WEBP_LOSSLESS=YES"])
            maker.create(name + "-lossy", "uint8", bands=bands, data=smooth, tolerance=2, options=layout + ["COMPRESS=WEBP"])


def make_lerc(maker):
    for kind in ("uint8", "uint16", "int16", "uint32", "int32", "float32", "float64"):
        for wrap in ("LERC", "LERC_DEFLATE", "LERC_ZSTD"):
            # GDAL cannot read the big-endian LERC floats that it writes
            only_endian = "LITTLE" if kind.startswith("float") else None
            maker.in_layout("%s-%s" % (kind, wrap.lower()), kind, ["COMPRESS=" + wrap], 2, only_endian)
    maker.create("lerc-lossy", "float32", options=TILES + ["COMPRESS=LERC", "MAX_Z_ERROR=0.5"])
    holes = pixels(np.float32, 3, 50, 70)
    holes[:, 10:30, 20:60] = np.nan
    for kind in ("float32", "float64"):
        # GDAL 3.6 writes NaN in interleaved bands so that it cannot read them itself
        for bands, interleave in ((1, "PIXEL"), (3, "BAND")):
            maker.create("lerc-nan-%s-%d%s" % (kind, bands, interleave.lower()), kind, bands=bands, data=holes,
                         options=TILES + ["COMPRESS=LERC_ZSTD", "INTERLEAVE=" + interleave])
    maker.create("lerc-all-nan", "float32", data=np.full((1, 50, 70), np.nan, np.float32),
                 options=TILES + ["COMPRESS=LERC"])
    alpha = pixels(np.uint8, 4, 50, 70)
    alpha[3] = np.where(np.add.outer(np.arange(50), np.arange(70)) % 3 == 0, 0, 255)
    maker.create("lerc-alpha", "uint8", bands=4, data=alpha, options=TILES + ["COMPRESS=LERC", "ALPHA=YES"])


def make_holes(maker):
    def half(ds):
        ds.GetRasterBand(1).WriteArray(pixels(np.int16, 1, 16, 32)[0])

    def masked(ds):
        ds.CreateMaskBand(gdal.GMF_PER_DATASET)
        mask = np.where(np.add.outer(np.arange(53) ** 2, np.arange(75) ** 2) % 2000 < 1000, 255, 0).astype(np.uint8)
        ds.GetRasterBand(1).GetMaskBand().WriteArray(mask)
        ds.FlushCache()
        ds.BuildOverviews("NEAREST", [2, 4])

    for nodata in (None, -9999):
        for endian in ("LITTLE", "BIG"):
            maker.create("sparse-%s-%s" % (nodata, endian.lower()), "int16", nodata=nodata, data=False, tweak=half,
                         options=TILES + ["SPARSE_OK=TRUE", "COMPRESS=LZW", "ENDIANNESS=" + endian])
    for codec in ("DEFLATE", "LZW", "JPEG", "ZSTD"):
        for endian in ("LITTLE", "BIG"):
            maker.create("mask-%s-%s" % (codec.lower(), endian.lower()), "uint8", bands=3, size=(75, 53), tweak=masked,
                         options=["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32", "COMPRESS=" + codec,
                                  "ENDIANNESS=" + endian], tolerance=1 if codec == "JPEG" else 0)
    for kind, nodata in (("uint8", None), ("int16", -9999)):
        name = "external-overviews-" + kind
        maker.create(name, kind, bands=2, nodata=nodata, options=TILES + ["COMPRESS=LZW"])
        gdal.Open(os.path.join(maker.folder, name + ".tif")).BuildOverviews("NEAREST", [2, 4])
    rgba = pixels(np.uint8, 4, 50, 70)
    rgba[3] = np.where(np.add.outer(np.arange(50), np.arange(70)) % 7 < 3, 0, 255)
    for interleave in ("PIXEL", "BAND"):
        maker.create("alpha-" + interleave.lower(), "uint8", bands=4, data=rgba,
                     options=TILES + ["ALPHA=YES", "INTERLEAVE=" + interleave, "COMPRESS=LZW"])
    values = [("uint8", 77), ("int16", -9999), ("float32", float("nan")), ("float64", -1.7976931348623157e308),
              ("int32", -2147483648), ("uint32", 4294967295), ("float32", 0.1), ("float16", -1.5)]
    for kind, nodata in values:
        data = pixels(TYPES[kind][1], 1, 50, 70)
        data[0, 5:12, 7:30] = nodata
        maker.create("nodata-%s-%s" % (kind, nodata), kind, nodata=nodata, data=data, options=TILES + ["COMPRESS=LZW"])

    def coloured(ds):
        table = gdal.ColorTable()
        for i in range(256):
            table.SetColorEntry(i, (i, 255 - i, i * 7 % 256, 255))
        ds.GetRasterBand(1).SetColorTable(table)

    maker.create("palette-8", "uint8", data=False, tweak=coloured, options=["COMPRESS=PACKBITS"])
    maker.create("palette-4", "uint8", data=False, tweak=coloured, options=["NBITS=4"])


def handmade(path, data, tags):
    """A little-endian TIFF in one strip, for what GDAL reads and does not write."""
    tags = {256: 70, 257: 50, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 50, 279: len(data), **tags}
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in sorted(tags.items()))
    with open(path, "wb") as file:
        file.write(b"II*\0" + struct.pack("<I", 8 + len(data)) + data)
        file.write(struct.pack("<H", len(tags)) + entries + struct.pack("<I", 0))


def old_lzw(data):
    """Single bytes as codes, lowest bit first, wider when the table needs it: how LZW was before TIFF 6.0."""
    bits, length, width, count = 256, 9, 9, 258
    for i, byte in enumerate(data):
        bits |= byte << length
        length += width
        count += i > 0
        if count == 1 << width:
            width += 1
    return (bits | 257 << length).to_bytes((length + width + 7) // 8, "little")


def make_old_files(maker):
    turn = bytes(int("{:08b}".format(i)[::-1], 2) for i in range(256))
    plain = pixels(np.uint8, 1, 50, 70)[0].tobytes()
    packed = b"".join(b"\x45" + plain[row * 70 : row * 70 + 70] for row in range(50))
    for name, data, tags in (
        ("old-lzw", old_lzw(plain), {259: 5}),
        ("fill-order-none", plain.translate(turn), {266: 2}),
        ("fill-order-bits", plain[: 50 * 9].translate(turn), {266: 2, 258: 1}),
        ("fill-order-packbits", packed.translate(turn), {266: 2, 259: 32773}),
        ("fill-order-deflate", zlib.compress(plain).translate(turn), {266: 2, 259: 8}),
    ):
        path = os.path.join(maker.folder, name + ".tif")
        handmade(path, data, tags)
        maker.cases.append((name, path, 0))


PROJECTIONS = {
    "sinusoidal": "+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs",
    "albers-conus": "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +datum=NAD83 +units=m +no_defs",
    "albers-brazil": "+proj=aea +lat_0=-12 +lon_0=-54 +lat_1=-2 +lat_2=-22 +x_0=5000000 +y_0=10000000 +ellps=GRS80 +units=m +no_defs",
    "polar-north": "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "polar-south": "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=12.5 +x_0=10 +y_0=20 +datum=WGS84 +units=m +no_defs",
    "transverse-mercator": "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +units=m +no_defs",
    "utm-by-hand": "+proj=tmerc +lat_0=0 +lon_0=9 +k=0.9996 +x_0=500000 +y_0=0 +a=6378140 +rf=298.257 +units=m +no_defs",
    "lambert-2": "+proj=lcc +lat_0=39 +lon_0=-101 +lat_1=33 +lat_2=45 +x_0=1000 +y_0=2000 +datum=WGS84 +units=m +no_defs",
    "lambert-1": "+proj=lcc +lat_1=46.5 +lat_0=46.5 +lon_0=3 +k_0=0.99987742 +x_0=600000 +y_0=2200000 +ellps=clrk80 +units=m +no_defs",
    "laea": "+proj=laea +lat_0=12 +lon_0=34 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "mercator-1": "+proj=merc +lon_0=10 +k=0.9 +x_0=5 +y_0=6 +datum=WGS84 +units=m +no_defs",
    "equirectangular": "+proj=eqc +lat_ts=30 +lat_0=0 +lon_0=20 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "azimuthal-equidistant": "+proj=aeqd +lat_0=53 +lon_0=24 +x_0=5837287.82 +y_0=2121415.696 +datum=WGS84 +units=m +no_defs",
    "oblique-stereo": "+proj=sterea +lat_0=52.15 +lon_0=5.38 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +units=m +no_defs",
    "albers-feet": "+proj=aea +lat_0=34 +lon_0=-120 +lat_1=34 +lat_2=40.5 +x_0=0 +y_0=-4000000 +datum=NAD83 +units=us-ft +no_defs",
    "geographic-sphere": "+proj=longlat +R=6371007.181 +no_defs",
    "geographic-wgs72": "+proj=longlat +ellps=WGS72 +no_defs",
}


def make_georeferences(maker):
    for name, proj in PROJECTIONS.items():
        srs = osr.SpatialReference()
        srs.ImportFromProj4(proj)
        maker.create("crs-" + name, "uint8", size=(20, 10), srs=srs)
    for base in (4258, 4674, 4283, 7844, 4612, 6668, 4617, 4167, 4171, 4269, 4267, 4008, 4030):
        srs = osr.SpatialReference()
        srs.SetProjCS("made by hand")
        geographic = osr.SpatialReference()
        geographic.ImportFromEPSG(base)
        srs.CopyGeogCSFrom(geographic)
        srs.SetLAEA(12, 34, 1000, 2000)
        maker.create("crs-laea-on-%d" % base, "uint8", size=(20, 10), srs=srs)
    for epsg in (4326, 3857, 32721, 32633, 26915, 3031, 3413, 5070, 3035, 4269, 27700, 2056):
        maker.create("epsg-%d" % epsg, "uint8", size=(20, 10), epsg=epsg)

    def point(ds):
        ds.SetMetadataItem("AREA_OR_POINT", "Point")

    def gcps(ds, is_point=False):
        if is_point:
            point(ds)
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(4326)
        points = [gdal.GCP(10 + x * 0.1, 50 - y * 0.1, 100 + x + y, x, y) for y in (0, 5, 10) for x in (0, 10, 20)]
        ds.SetGCPs(points, srs.ExportToWkt())

    # the georeference in a sidecar: PAM's .aux.xml, a world file alone, and both with a rotation
    small = {"size": (20, 10), "epsg": 32721}
    turned = (600000, 8, 6, 5100000, 6, -8)
    facts = {"nodata": 7, "tweak": lambda ds: ds.GetRasterBand(1).SetDescription('<"ä"> & b')}
    maker.create("beside-aux", "uint8", options=["PROFILE=BASELINE"], **facts, **small)
    maker.create("beside-aux-rotated", "uint8", options=["PROFILE=BASELINE"], transform=turned, **small)
    maker.create("beside-aux-gcps", "uint8", size=(20, 10), epsg=None, transform=None, tweak=gcps, options=["PROFILE=BASELINE"])
    maker.create("beside-world", "uint8", options=["PROFILE=BASELINE", "TFW=YES"], **small)
    maker.create("beside-world-rotated", "uint8", options=["PROFILE=BASELINE", "TFW=YES"], transform=turned, **small)
    for name in ("beside-world", "beside-world-rotated"):
        os.remove(os.path.join(maker.folder, name + ".tif.aux.xml"))

    for endian in ("LITTLE", "BIG"):
        small = {"size": (20, 10), "options": ["ENDIANNESS=" + endian]}
        tail = "-" + endian.lower()
        maker.create("place-none" + tail, "uint8", epsg=None, transform=None, **small)
        maker.create("place-rotated" + tail, "uint8", transform=(600000, 8, 6, 5100000, 6, -8), **small)
        maker.create("place-south-up" + tail, "uint8", transform=(600000, 10, 0, 5100000, 0, 10), **small)
        maker.create("place-point" + tail, "uint8", tweak=point, **small)
        maker.create("place-point-rotated" + tail, "uint8", tweak=point, transform=(600000, 8, 6, 5100000, 6, -8), **small)
        maker.create("place-gcps" + tail, "uint8", epsg=None, transform=None, tweak=gcps, **small)
        maker.create("place-gcps-point" + tail, "uint8", epsg=None, transform=None, tweak=lambda ds: gcps(ds, True), **small)


MAKERS = (make_matrix, make_odd_depths, make_pictures, make_lerc, make_holes, make_old_files, make_georeferences)

#: The first case of each name joins the default tests.
GOLDEN = """
uint8-lzw-p1 uint8-lzw-p2 uint8-packbits int8-lzw-p2 int8-none uint16-lzw-p2 int16-packbits int16-lzw-p1 uint32-lzw-p2
uint32-packbits int32-deflate-p2 int32-zstd-p2 uint64-lzw-p2 uint64-zstd-p1 int64-zstd-p2 int64-deflate-p1 float16-none
float16-lzw-p2 float16-zstd-p3 float32-lzw-p3 float64-lzw-p2 float64-deflate-p3 float64-none nbits1-1 nbits2-3 nbits3-1
nbits4-3 nbits7-1 nbits12-3 nbits15-1 nbits20-1 nbits24-1 nbits24-3 nbits31-1 jpeg-1-blockysize16-l jpeg-2-blockysize16-b
jpeg-3-blockysize16-l jpeg-4-blockysize16-l jpeg-planar jpeg-ycbcr-75 webp-3-blockysize16-lossless
webp-4-blockysize16-lossless webp-3-blockysize50-lossy uint8-lerc- uint16-lerc_deflate int32-lerc_zstd float64-lerc_deflate
lerc-nan-float32-1 lerc-alpha lerc-all-nan sparse--9999-big mask-lzw-little alpha-pixel alpha-band nodata-float64
nodata-float16 palette-8 palette-4 crs-sinusoidal crs-albers-feet crs-polar-south crs-utm-by-hand crs-lambert-1
crs-geographic-sphere place-gcps-big place-gcps-point-little place-point-rotated-big external-overviews-int16 beside-aux
beside-aux-gcps beside-world-rotated old-lzw fill-order-packbits
""".split()


def write_facts(folder, cases, more=(), relative=False):
    facts = []
    for name, path, tolerance in cases:
        def keep(level, data, name=name):
            with open(os.path.join(folder, "%s.%d.raw" % (name, level)), "wb") as file:
                file.write(data)
        where = os.path.basename(path) if relative else path
        facts.append({"name": name, "path": where, "tolerance": tolerance, **describe(path, keep if tolerance else None)})
    for path in more:
        facts.append({"name": path, "path": path, "tolerance": 0, **describe(path)})
    with open(os.path.join(folder, "facts.json"), "w", encoding="utf-8") as file:
        lines = ",\n".join(json.dumps(fact) for fact in facts)
        file.write('{"gdal": "%s", "facts": [\n%s\n]}\n' % (gdal.__version__, lines))


def main(folder):
    maker = Maker(folder)
    for make in MAKERS:
        make(maker)
    write_facts(folder, maker.cases, [line.strip() for line in sys.stdin if line.strip()])


def main_golden(folder):
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    with tempfile.TemporaryDirectory() as scratch:
        maker = Maker(scratch, size=(37, 19))
        for make in MAKERS:
            make(maker)
        chosen = [next(case for case in maker.cases if case[0].startswith(name)) for name in GOLDEN]
        copies = [(name, shutil.copy(path, folder), tolerance) for name, path, tolerance in chosen]
        for name, path, _ in chosen:
            for sidecar in (path + ".ovr", path + ".aux.xml", path[:-4] + ".tfw"):
                if os.path.exists(sidecar):
                    shutil.copy(sidecar, folder)
    write_facts(folder, copies, relative=True)


if __name__ == "__main__":
    if sys.argv[1] == "--golden":
        here = os.path.dirname(os.path.abspath(__file__))
        main_golden(os.path.normpath(os.path.join(here, "..", "..", "golden", "tiff", "reader")))
    else:
        main(sys.argv[1])
