import type { Affine } from '../../../geo/index.ts';
import type { IfdEntry } from '../directories/ifd-writer.ts';
import { directoryBytes, outsideBytes, writeDirectory } from '../directories/ifd-writer.ts';
import { FIELD, TAG } from '../directories/tags.ts';
import { toGeoKeys, toModelTags } from './georeference.ts';

const TIFF_HEAD = 8;

interface OnePixelOptions {
  readonly epsg: number;
  readonly transform: Affine;
}

/** A TIFF of one pixel, whose value means nothing, with the georeference of an image: the content of a GeoJP2 box. */
export function toOnePixelTiff({ epsg, transform }: OnePixelOptions): Uint8Array {
  const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
  const double = (tag: number, values: number[]): IfdEntry => ({ tag, type: FIELD.double, values });
  const model = toModelTags(transform);
  const entries = [
    short(TAG.imageWidth, 1),
    short(TAG.imageLength, 1),
    short(TAG.bitsPerSample, 8),
    short(TAG.compression, 1),
    short(TAG.photometric, 1),
    // the byte after the head
    { tag: TAG.stripOffsets, type: FIELD.long, values: [TIFF_HEAD] },
    short(TAG.samplesPerPixel, 1),
    short(TAG.rowsPerStrip, 1),
    { tag: TAG.stripByteCounts, type: FIELD.long, values: [1] },
    ...('matrix' in model
      ? [double(TAG.modelTransformation, model.matrix)]
      : [double(TAG.modelPixelScale, model.scale), double(TAG.modelTiepoint, model.tiepoint)]),
    short(TAG.geoKeyDirectory, ...toGeoKeys(epsg)),
  ];
  const at = TIFF_HEAD + 2;
  let end = at + directoryBytes(entries.length, false);
  const outside = new Map<number, number>();
  for (const entry of entries) {
    const bytes = outsideBytes(entry, false);
    if (bytes === 0) continue;
    outside.set(entry.tag, end);
    end += bytes;
  }
  const view = new DataView(new ArrayBuffer(end));
  // II, 42, and where the directory is
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, at, true);
  writeDirectory(view, { at, entries, outside, next: 0 }, false);
  return new Uint8Array(view.buffer);
}
