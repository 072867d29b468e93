import type { Affine, Size } from '../../geo/index.ts';
import { deflateSteadily } from './codecs/byte-codecs.ts';
import type { IfdEntry } from './directories/tags.ts';
import { asciiEntry, directoryBytes, FIELD, outsideBytes, TAG, writeDirectory } from './directories/tags.ts';
import { toGeoEntries } from './georeference/georeference.ts';
import { predictFloats } from './samples/predictor.ts';

/** Where the pixels of a small TIFF begin: right after the head of the file. */
export const PIXELS_AT = 8;

/** A classic TIFF of one directory, whose pixels come first: what its tags say of them is known before it is written. */
export function toSmallTiff(entries: readonly IfdEntry[], pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  // Directories begin at even offsets (TIFF 6.0, section 2).
  const at = PIXELS_AT + pixels.length + (pixels.length % 2);
  let end = at + directoryBytes(entries.length, false);
  const outside = new Map<number, number>();
  for (const entry of entries) {
    const bytes = outsideBytes(entry, false);
    if (bytes === 0) continue;
    outside.set(entry.tag, end);
    end += bytes;
  }
  const file = new Uint8Array(end);
  const view = new DataView(file.buffer);
  // II, 42, and where the directory is
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, at, true);
  file.set(pixels, PIXELS_AT);
  writeDirectory(view, { at, entries, outside, next: 0 }, false);
  return file;
}

/** One band of float32 and where it lies. */
interface FloatImage extends Size {
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

interface OnePixelOptions {
  readonly epsg: number;
  readonly transform: Affine;
}

/** A TIFF of one pixel, whose value means nothing, with the georeference of an image: the content of a GeoJP2 box. */
export function toOnePixelTiff({ epsg, transform }: OnePixelOptions): Uint8Array {
  const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
  const entries = [
    short(TAG.imageWidth, 1),
    short(TAG.imageLength, 1),
    short(TAG.bitsPerSample, 8),
    short(TAG.compression, 1),
    short(TAG.photometric, 1),
    { tag: TAG.stripOffsets, type: FIELD.long, values: [PIXELS_AT] },
    short(TAG.samplesPerPixel, 1),
    short(TAG.rowsPerStrip, 1),
    { tag: TAG.stripByteCounts, type: FIELD.long, values: [1] },
    ...toGeoEntries(epsg, transform),
  ];
  return toSmallTiff(entries, new Uint8Array(1));
}
