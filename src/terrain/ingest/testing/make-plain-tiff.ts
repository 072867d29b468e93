import type { IfdEntry } from '../../../formats/tiff/directories/tags.ts';
import { asciiEntry, FIELD, TAG } from '../../../formats/tiff/directories/tags.ts';
import { PIXELS_AT, toSmallTiff } from '../../../formats/tiff/small-tiff.ts';

/** Formats of samples that our own writer does not have: TIFF's number of the format, and bits. */
const FORMATS = {
  int8: [2, 8],
  uint32: [1, 32],
  int32: [2, 32],
  float64: [3, 64],
} as const;

/** A TIFF of a degree north-east of 0, 0 in one strip of 4 × 4 empty pixels, with these keys and texts. */
export function makePlainTiff(options: {
  readonly type: keyof typeof FORMATS;
  /** In addition to the reference system, EPSG:4326. */
  readonly geoKeys?: readonly (readonly [key: number, value: number])[];
  readonly nodata?: string;
}): Uint8Array {
  const [format, bits] = FORMATS[options.type];
  const strip = (16 * bits) / 8;
  const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
  const long = (tag: number, value: number): IfdEntry => ({ tag, type: FIELD.long, values: [value] });
  const double = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.double, values });
  const keys = [[1024, 2], [1025, 1], [2048, 4326], ...(options.geoKeys ?? [])] as const;
  const entries = [
    short(TAG.imageWidth, 4),
    short(TAG.imageLength, 4),
    short(TAG.bitsPerSample, bits),
    short(TAG.compression, 1),
    short(TAG.photometric, 1),
    long(TAG.stripOffsets, PIXELS_AT),
    short(TAG.samplesPerPixel, 1),
    short(TAG.rowsPerStrip, 4),
    long(TAG.stripByteCounts, strip),
    short(TAG.sampleFormat, format),
    double(TAG.modelPixelScale, 0.25, 0.25, 0),
    double(TAG.modelTiepoint, 0, 0, 0, 0, 1, 0),
    short(TAG.geoKeyDirectory, 1, 1, 0, keys.length, ...keys.flatMap(([key, value]) => [key, 0, 1, value])),
    ...(options.nodata === undefined ? [] : [asciiEntry(TAG.gdalNodata, options.nodata)]),
  ];
  return toSmallTiff(entries, new Uint8Array(strip));
}
