import type { IfdEntry } from '../../src/formats/tiff/directories/tags.ts';
import { asciiEntry, FIELD, TAG } from '../../src/formats/tiff/directories/tags.ts';
import { toGeoEntries } from '../../src/formats/tiff/georeference/georeference.ts';
import { toSmallTiff } from '../../src/formats/tiff/small-tiff.ts';
import type { Affine, Size } from '../../src/geo/index.ts';

/** Where the pixels begin: on a page of their own, after all tags. */
export const PIXELS_AT = 4_096;

/** An image of bytes and where it lies. */
interface ByteImage extends Size {
  readonly stripRows: number;
  readonly epsg: number;
  readonly transform: Affine;
}

/** All that comes before the pixels of an uncompressed GeoTIFF of bytes, whose nodata value is 0. */
export function toByteHead({ width, height, stripRows, epsg, transform }: ByteImage): Uint8Array {
  const short = (tag: number, value: number): IfdEntry => ({ tag, type: FIELD.short, values: [value] });
  const long = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.long, values });
  const tops = Array.from({ length: Math.ceil(height / stripRows) }, (_, i) => i * stripRows);
  const head = toSmallTiff(
    [
      long(TAG.imageWidth, width),
      long(TAG.imageLength, height),
      short(TAG.bitsPerSample, 8),
      short(TAG.compression, 1),
      short(TAG.photometric, 1),
      long(TAG.stripOffsets, ...tops.map((top) => PIXELS_AT + top * width)),
      short(TAG.samplesPerPixel, 1),
      long(TAG.rowsPerStrip, stripRows),
      long(TAG.stripByteCounts, ...tops.map((top) => Math.min(stripRows, height - top) * width)),
      ...toGeoEntries(epsg, transform),
      asciiEntry(TAG.gdalNodata, '0'),
    ],
    new Uint8Array(0),
  );
  if (head.length > PIXELS_AT) throw new Error(`the tags of ${tops.length} strips do not fit`);
  return head;
}
