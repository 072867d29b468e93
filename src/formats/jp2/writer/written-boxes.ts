import type { Affine } from '../../../geo/index.ts';
import type { IfdEntry } from '../../tiff/directories/ifd-writer.ts';
import { directoryBytes, outsideBytes, writeDirectory } from '../../tiff/directories/ifd-writer.ts';
import { FIELD, TAG } from '../../tiff/directories/tags.ts';
import { toGeoKeys, toModelTags } from '../../tiff/georeference/georeference.ts';
import { toGmlText } from './gml-text.ts';
import type { WrittenImage } from './written-codestream.ts';

/** Where a written image lies. */
export interface WrittenPlace {
  readonly epsg: number;
  readonly transform: Affine;
}

/** GeoJP2: the box that holds a degenerate GeoTIFF. */
const GEOJP2 = Buffer.from('b14bf8bd083d4b43a5ae8cd7d5a6ce03', 'hex');
const SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a);
/** Enumerated colour spaces of the colour box (ISO/IEC 15444-1, I.5.3.3). */
const SRGB = 16;
const GREY = 17;
const BOX_HEAD = 8;
const TIFF_HEAD = 8;

function toBox(type: string, ...contents: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(BOX_HEAD);
  head.writeUInt32BE(BOX_HEAD + contents.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...contents]);
}

/** Everything of a JP2 file that comes before the codestream's first byte. */
export function toFileHead(image: WrittenImage, place: WrittenPlace, codestreamBytes: number): Uint8Array {
  const { width, height, bandCount, bitsPerSample } = image;
  const size = Buffer.alloc(14);
  size.writeUInt32BE(height, 0);
  size.writeUInt32BE(width, 4);
  size.writeUInt16BE(bandCount, 8);
  // compression 7 is JPEG 2000
  size.set([bitsPerSample - 1, 7, 0, 0], 10);
  const colours = Uint8Array.of(1, 0, 0, 0, 0, 0, bandCount === 1 ? GREY : SRGB);
  const gml = toBox(
    'asoc',
    toBox('lbl ', Buffer.from('gml.data')),
    toBox(
      'asoc',
      toBox('lbl ', Buffer.from('gml.root-instance')),
      toBox('xml ', Buffer.from(toGmlText(image, place))),
    ),
  );
  const codestreamHead = Buffer.alloc(BOX_HEAD);
  codestreamHead.writeUInt32BE(BOX_HEAD + codestreamBytes);
  codestreamHead.write('jp2c', 4, 'latin1');
  return Buffer.concat([
    toBox('jP  ', SIGNATURE),
    toBox('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1')),
    toBox('jp2h', toBox('ihdr', size), toBox('colr', colours)),
    toBox('uuid', GEOJP2, toGeoTiff(place)),
    gml,
    codestreamHead,
  ]);
}

/** A TIFF of one pixel, whose value means nothing, with the place of the image. */
function toGeoTiff({ epsg, transform }: WrittenPlace): Uint8Array {
  const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
  const double = (tag: number, values: number[]): IfdEntry => ({ tag, type: FIELD.double, values });
  const model = toModelTags(transform);
  const entries = [
    short(TAG.imageWidth, 1),
    short(TAG.imageLength, 1),
    short(TAG.bitsPerSample, 8),
    short(TAG.compression, 1),
    short(TAG.photometric, 1),
    // the byte behind the head
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
