import type { Affine, Size } from '../../../geo/index.ts';
import { deflateSteadily } from '../codecs/deflate.ts';
import { predictFloats } from '../codecs/floating-predictor.ts';
import type { IfdEntry } from '../directories/ifd-writer.ts';
import { asciiEntry } from '../directories/ifd-writer.ts';
import { PIXELS_AT, toSmallTiff } from '../directories/small-tiff.ts';
import { FIELD, TAG } from '../directories/tags.ts';
import { toGeoEntries } from '../georeference/georeference.ts';

/** One band of float32 and where it lies. */
export interface FloatImage extends Size {
  readonly values: Float32Array;
  readonly epsg: number;
  readonly transform: Affine;
}

const DEFLATE = 8;
const FLOATING_PREDICTOR = 3;
const IEEE_FLOAT = 3;

/** A GeoTIFF of one float32 band in one strip, compressed without loss; NaN is its nodata value. The same bytes on every machine. */
export function encodeFloatTiff({
  values,
  width,
  height,
  epsg,
  transform,
}: FloatImage): Uint8Array<ArrayBuffer> {
  const short = (tag: number, value: number): IfdEntry => ({ tag, type: FIELD.short, values: [value] });
  const long = (tag: number, value: number): IfdEntry => ({ tag, type: FIELD.long, values: [value] });
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const pixels = deflateSteadily(predictFloats(bytes, { rowLength: width, stride: 1, sampleBytes: 4 }));
  const entries = [
    long(TAG.imageWidth, width),
    long(TAG.imageLength, height),
    short(TAG.bitsPerSample, 32),
    short(TAG.compression, DEFLATE),
    short(TAG.photometric, 1),
    long(TAG.stripOffsets, PIXELS_AT),
    short(TAG.samplesPerPixel, 1),
    long(TAG.rowsPerStrip, height),
    long(TAG.stripByteCounts, pixels.length),
    short(TAG.planarConfiguration, 1),
    short(TAG.predictor, FLOATING_PREDICTOR),
    short(TAG.sampleFormat, IEEE_FLOAT),
    ...toGeoEntries(epsg, transform),
    asciiEntry(TAG.gdalNodata, 'nan'),
  ];
  return toSmallTiff(entries, pixels);
}
