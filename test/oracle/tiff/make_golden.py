"""Makes the small TIFFs under test/golden/tiff with GDAL, and a manifest of what GDAL itself reads from them.

Run by hand: `python3 test/oracle/tiff/make_golden.py` (needs GDAL's Python bindings and NumPy). The reader's test
compares its own result with the manifest; pixels are compared by SHA-256 of the little-endian samples, band after band.
"""

import hashlib
import json
import os
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
OUT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "golden", "tiff"))
GDAL_TYPES = {
    "uint8": gdal.GDT_Byte,
    "uint16": gdal.GDT_UInt16,
    "int16": gdal.GDT_Int16,
    "float32": gdal.GDT_Float32,
    "complex64": gdal.GDT_CFloat32,
}
UTM = (600000.0, 10.0, 0.0, 5100000.0, 0.0, -10.0)


def pixels(dtype, bands, height, width):
    """Smooth and rough parts, the whole range of the type, negative values where there are any."""
    b, y, x = np.meshgrid(np.arange(bands), np.arange(height), np.arange(width), indexing="ij")
    rough = (x * 7919 + y * 104729 + b * 1299709) % 251
    if dtype == "uint8":
        return ((x * 2 + y * 3 + b * 40 + rough // 50) % 256).astype(np.uint8)
    if dtype == "uint16":
        return ((x * 300 + y * 577 + b * 9001 + rough) % 65536).astype(np.uint16)
    if dtype == "int16":
        return ((x * 300 + y * 577 + b * 9001 + rough) % 65536 - 32768).astype(np.int16)
    if dtype == "complex64":
        return (x + 1j * y + b).astype(np.complex64)
    return (np.sin(x / 9.0) * 1e3 + np.cos(y / 5.0) * 1e-3 + b * 17 + rough / 64.0).astype(dtype)


def create(name, dtype, bands=1, size=(70, 50), options=(), epsg=32631, transform=UTM, nodata=None, srs=None,
           tweak=None, data=None):
    path = os.path.join(OUT, name + ".tif")
    if os.path.exists(path):
        os.remove(path)
    driver = gdal.GetDriverByName("GTiff")
    ds = driver.Create(path, size[0], size[1], bands, GDAL_TYPES[dtype], options=list(options))
    if srs is None and epsg is not None:
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(epsg)
    if srs is not None:
        ds.SetProjection(srs.ExportToWkt())
    if transform is not None:
        ds.SetGeoTransform(transform)
    for i in range(bands):
        if nodata is not None:
            ds.GetRasterBand(i + 1).SetNoDataValue(nodata)
    if tweak is not None:
        tweak(ds)
    array = pixels(dtype, bands, size[1], size[0]) if data is None else data
    if array is not False:
        for i in range(bands):
            ds.GetRasterBand(i + 1).WriteArray(array[i])
    return path, ds


def sha(images):
    digest = hashlib.sha256()
    for band in images:
        digest.update(np.ascontiguousarray(band).astype(band.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()


def number(value):
    """JSON has no NaN; the test reads these words back."""
    if value is None:
        return None
    value = float(value)
    if np.isnan(value):
        return "nan"
    return value


def describe(path):
    ds = gdal.Open(path)
    band = ds.GetRasterBand(1)
    images = [[ds.GetRasterBand(b + 1) for b in range(ds.RasterCount)]]
    for level in range(band.GetOverviewCount()):
        images.append([ds.GetRasterBand(b + 1).GetOverview(level) for b in range(ds.RasterCount)])
    srs = ds.GetSpatialRef()
    code = srs.GetAuthorityCode(None) if srs is not None and srs.GetAuthorityName(None) == "EPSG" else None
    transform = ds.GetGeoTransform(can_return_null=True)
    structure = ds.GetMetadata("IMAGE_STRUCTURE")
    return {
        "file": os.path.basename(path),
        "type": {v: k for k, v in GDAL_TYPES.items()}[band.DataType],
        "bandCount": ds.RasterCount,
        "compression": structure.get("COMPRESSION", "NONE"),
        "interleave": structure["INTERLEAVE"],
        "epsg": None if code is None else int(code),
        "transform": None if transform is None else list(transform),
        "nodata": number(band.GetNoDataValue()),
        "bands": [
            {
                "description": b.GetDescription() or None,
                "scale": 1.0 if b.GetScale() is None else b.GetScale(),
                "offset": 0.0 if b.GetOffset() is None else b.GetOffset(),
            }
            for b in images[0]
        ],
        "images": [
            {
                "width": image[0].XSize,
                "height": image[0].YSize,
                "block": image[0].GetBlockSize(),
                "sha256": sha([b.ReadAsArray() for b in image]),
            }
            for image in images
        ],
    }


def describe_bands(ds):
    ds.GetRasterBand(1).SetDescription('red < "blue" & so on')
    ds.GetRasterBand(1).SetScale(0.0001)
    ds.GetRasterBand(1).SetOffset(-0.1)
    ds.GetRasterBand(2).SetDescription("Grün")
    ds.SetMetadataItem("NOTE", "a <b> & c")


def main():
    os.makedirs(OUT, exist_ok=True)
    kept = []
    refused = []

    def keep(path, ds):
        ds.FlushCache()
        kept.append(path)

    tiled = ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"]
    # every type x codec x predictor once; interleave, byte order and BigTIFF take turns over them
    turn = 0
    for dtype in ("uint8", "uint16", "int16", "float32"):
        for codec, predictors in (("NONE", (1,)), ("DEFLATE", (1, 2, 3)), ("ZSTD", (1, 2, 3))):
            for predictor in predictors:
                if predictor == 3 and dtype != "float32":
                    continue
                interleave = ("PIXEL", "BAND")[turn % 2]
                endian = ("LITTLE", "BIG", "BIG")[turn % 3]
                big = ("NO", "YES", "NO", "NO", "YES")[turn % 5]
                layout = tiled if turn % 4 != 3 else ["BLOCKYSIZE=7"]
                options = layout + ["COMPRESS=" + codec, "INTERLEAVE=" + interleave, "ENDIANNESS=" + endian,
                                    "BIGTIFF=" + big] + ([] if codec == "NONE" else ["PREDICTOR=%d" % predictor])
                name = "%s-%s-p%d" % (dtype, codec.lower(), predictor)
                keep(*create(name, dtype, bands=3, size=(37, 27), options=options))
                turn += 1

    keep(*create("one-strip", "uint16", options=["BLOCKYSIZE=50", "COMPRESS=DEFLATE"]))
    keep(*create("strip-rows-7-planar", "int16", bands=2, options=["BLOCKYSIZE=7", "INTERLEAVE=BAND", "COMPRESS=ZSTD",
                                                                   "ENDIANNESS=BIG"]))
    keep(*create("tiny-strips", "int16", bands=2, size=(9, 11), options=["BLOCKYSIZE=4", "INTERLEAVE=BAND",
                                                                         "COMPRESS=DEFLATE", "ENDIANNESS=BIG"]))
    keep(*create("tile-larger-than-image", "uint8", size=(5, 3), options=["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=64"]))

    def half(ds):
        ds.GetRasterBand(1).WriteArray(pixels("int16", 1, 16, 32)[0])

    sparse = tiled + ["SPARSE_OK=TRUE", "COMPRESS=DEFLATE"]
    keep(*create("sparse-nodata", "int16", options=sparse, nodata=-9999, data=False, tweak=half))
    keep(*create("sparse-zero", "int16", options=sparse, data=False, tweak=half))

    for method in ("NEAREST", "AVERAGE"):
        path, ds = create("overviews-" + method.lower(), "uint16", bands=2, size=(133, 101), nodata=0,
                          options=tiled + ["COMPRESS=DEFLATE", "PREDICTOR=2"])
        ds.FlushCache()
        ds.BuildOverviews(method, [2, 4])
        keep(path, ds)

    path, ds = create("source-of-cog", "float32", size=(150, 140), nodata=float("nan"))
    ds = None
    cog = os.path.join(OUT, "gdal-cog.tif")
    gdal.GetDriverByName("COG").CreateCopy(cog, gdal.Open(path), options=["COMPRESS=ZSTD", "PREDICTOR=YES", "BLOCKSIZE=128"])
    os.remove(path)
    kept.append(cog)

    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
    path, ds = create("internal-mask", "uint8", options=tiled + ["COMPRESS=DEFLATE"])
    ds.CreateMaskBand(gdal.GMF_PER_DATASET)
    ds.GetRasterBand(1).GetMaskBand().WriteArray(np.full((50, 70), 255, np.uint8))
    ds.FlushCache()
    ds.BuildOverviews("NEAREST", [2])
    keep(path, ds)
    ds = None

    small = {"size": (20, 10), "options": ["COMPRESS=DEFLATE"]}
    keep(*create("geographic", "uint8", epsg=4326, transform=(-10.5, 0.25, 0, 50.125, 0, -0.25), **small))
    keep(*create("no-place", "uint8", epsg=None, transform=None, **small))
    keep(*create("rotated", "uint8", transform=(600000, 8, 6, 5100000, 6, -8), **small))
    keep(*create("south-up", "uint8", transform=(600000, 10, 0, 5100000, 0, 10), **small))
    point = lambda ds: ds.SetMetadataItem("AREA_OR_POINT", "Point")  # noqa: E731
    keep(*create("pixel-is-point", "uint8", tweak=point, **small))
    keep(*create("pixel-is-point-rotated", "uint8", tweak=point, transform=(600000, 8, 6, 5100000, 6, -8), **small))
    handmade = osr.SpatialReference()
    handmade.ImportFromProj4("+proj=laea +lat_0=12 +lon_0=34 +datum=WGS84")
    keep(*create("handmade-projection", "uint8", srs=handmade, **small))
    sinusoidal = osr.SpatialReference()
    sinusoidal.ImportFromProj4("+proj=sinu +R=6371007.181 +units=m")
    keep(*create("sinusoidal", "int16", srs=sinusoidal, **small))
    keep(*create("nodata-nan", "float32", nodata=float("nan"), **small))
    keep(*create("nodata-float-max", "float32", nodata=-3.4028234663852886e38, **small))
    keep(*create("nodata-tenth", "float32", nodata=0.1, **small))
    keep(*create("nodata-minus-9999", "int16", nodata=-9999, **small))
    keep(*create("band-facts", "uint16", bands=2, tweak=describe_bands, **small))

    # what we cannot read yet: each must be refused by name
    def refuse(name, code, dtype="uint8", bands=1, options=()):
        path, ds = create("refused-" + name, dtype, bands=bands, size=(20, 10), options=options)
        del ds
        refused.append({"file": os.path.basename(path), "code": code})

    refuse("lzma", "tiff-compression", options=["COMPRESS=LZMA"])
    refuse("fax", "tiff-compression", options=["COMPRESS=CCITTFAX4", "NBITS=1"])
    refuse("complex", "tiff-pixel-type", dtype="complex64")

    # only now, when every file is closed and complete
    good = [describe(path) for path in kept]
    with open(os.path.join(OUT, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"gdal": gdal.__version__, "good": good, "refused": refused}, file, indent=1, ensure_ascii=False)
        file.write("\n")
    print("%d files read back by GDAL %s, %d to be refused" % (len(good), gdal.__version__, len(refused)))


if __name__ == "__main__":
    sys.exit(main())
