import type { Affine, Size } from '../../geo/index.ts';
import { deflateSteadily } from './codecs/byte-codecs.ts';
import type { IfdEntry } from './directories/tags.ts';
import { asciiEntry, directoryBytes, FIELD, outsideBytes, TAG, writeDirectory } from './directories/tags.ts';
import { toGeoEntries } from './georeference/georeference.ts';
import { PLAIN_BAND, toGdalMetadata } from './samples/gdal-metadata.ts';
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

/** Bands of float32 and where they lie. */
interface FloatImage extends Size {
  /** At least one. */
  readonly bands: readonly Float32Array[];
  /** What each band shows; nothing is said by default. */
  readonly descriptions?: readonly string[];
  readonly epsg: number;
  readonly transform: Affine;
}

const DEFLATE = 8;
const FLOATING_PREDICTOR = 3;
const IEEE_FLOAT = 3;
const SEPARATE = 2;

/** A GeoTIFF of float32 bands of one strip each, compressed without loss; NaN is its nodata value. The same bytes on every machine. */
export function encodeFloatTiff({
  bands,
  descriptions = [],
  width,
  height,
  epsg,
  transform,
}: FloatImage): Uint8Array<ArrayBuffer> {
  const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
  const long = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.long, values });
  const strips = bands.map((values) => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    return deflateSteadily(predictFloats(bytes, { rowLength: width, stride: 1, sampleBytes: 4 }));
  });
  const { pixels, offsets } = joinStrips(strips);
  const [, ...others] = bands;
  const metadata = toGdalMetadata(descriptions.map((description) => ({ ...PLAIN_BAND, description })));
  const ofAll = (value: number): number[] => bands.map(() => value);
  const entries = [
    long(TAG.imageWidth, width),
    long(TAG.imageLength, height),
    short(TAG.bitsPerSample, ...ofAll(32)),
    short(TAG.compression, DEFLATE),
    short(TAG.photometric, 1),
    long(TAG.stripOffsets, ...offsets),
    short(TAG.samplesPerPixel, bands.length),
    long(TAG.rowsPerStrip, height),
    long(TAG.stripByteCounts, ...strips.map(({ length }) => length)),
    short(TAG.planarConfiguration, others.length === 0 ? 1 : SEPARATE),
    short(TAG.predictor, FLOATING_PREDICTOR),
    ...(others.length === 0 ? [] : [short(TAG.extraSamples, ...others.map(() => 0))]),
    short(TAG.sampleFormat, ...ofAll(IEEE_FLOAT)),
    ...toGeoEntries(epsg, transform),
    ...(metadata === null ? [] : [asciiEntry(TAG.gdalMetadata, metadata)]),
    asciiEntry(TAG.gdalNodata, 'nan'),
  ];
  return toSmallTiff(entries, pixels);
}

/** Strips one after the other, and where each begins in the file. */
function joinStrips(strips: readonly Uint8Array[]) {
  const pixels = new Uint8Array(strips.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  const offsets = strips.map((strip) => {
    pixels.set(strip, at);
    at += strip.length;
    return PIXELS_AT + at - strip.length;
  });
  return { pixels, offsets };
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
