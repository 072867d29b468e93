import type { Affine } from '../../../geo/index.ts';
import type { IfdEntry } from '../directories/ifd-writer.ts';
import { PIXELS_AT, toSmallTiff } from '../directories/small-tiff.ts';
import { FIELD, TAG } from '../directories/tags.ts';
import { toGeoEntries } from './georeference.ts';

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
