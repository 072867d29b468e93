import { toOnePixelTiff } from '../../tiff/georeference/one-pixel-tiff.ts';
import type { WrittenGeoreference } from './gml-text.ts';
import { toGmlText } from './gml-text.ts';
import type { WrittenImage } from './written-codestream.ts';

/** GeoJP2: the box that holds a degenerate GeoTIFF. */
const GEOJP2 = Buffer.from('b14bf8bd083d4b43a5ae8cd7d5a6ce03', 'hex');
const SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a);
/** Enumerated colour spaces of the colour box (ISO/IEC 15444-1, I.5.3.3). */
const SRGB = 16;
const GREY = 17;
const BOX_HEAD = 8;

function toBox(type: string, ...contents: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(BOX_HEAD);
  head.writeUInt32BE(BOX_HEAD + contents.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...contents]);
}

/** Everything of a JP2 file that comes before the codestream's first byte. */
export function toFileHead(
  image: WrittenImage,
  georeference: WrittenGeoreference,
  codestreamBytes: number,
): Uint8Array {
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
      toBox('xml ', Buffer.from(toGmlText(image, georeference))),
    ),
  );
  const codestreamHead = Buffer.alloc(BOX_HEAD);
  codestreamHead.writeUInt32BE(BOX_HEAD + codestreamBytes);
  codestreamHead.write('jp2c', 4, 'latin1');
  return Buffer.concat([
    toBox('jP  ', SIGNATURE),
    toBox('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1')),
    toBox('jp2h', toBox('ihdr', size), toBox('colr', colours)),
    toBox('uuid', GEOJP2, toOnePixelTiff(georeference)),
    gml,
    codestreamHead,
  ]);
}
