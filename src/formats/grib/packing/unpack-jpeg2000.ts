import { sourceBroken } from '../../../errors.ts';
import type { ByteSource } from '../../../sources/index.ts';
import type { Jp2Decoder } from '../../jp2/openjpeg/openjpeg-decoder.ts';
import { openJp2 } from '../../jp2/reader/jp2-reader.ts';
import { readJp2Tile } from '../../jp2/reader/tile-reader.ts';
import { damaged, unread } from '../bytes/grib-errors.ts';

/** Whole numbers that are stored as the pixels of a JPEG 2000 codestream (data template 7.40). */
export async function unpackJpeg2000(
  codestream: Uint8Array,
  count: number,
  decoder: Jp2Decoder,
): Promise<Uint8Array | Uint16Array> {
  const jp2 = await openJp2(makeBytesSource(codestream));
  if (jp2.bandCount !== 1 || jp2.isSigned || jp2.tilesAcross !== 1 || jp2.tilesDown !== 1)
    throw unread(
      'jpeg2000',
      'The GRIB file holds its numbers in a JPEG 2000 image of several bands or tiles, or with signs.',
    );
  if (jp2.width * jp2.height !== count)
    throw damaged(`an image of ${jp2.width} × ${jp2.height} pixels holds ${count} numbers`);
  const { pixels } = await readJp2Tile(jp2, { level: 0, column: 0, row: 0 }, { decoder });
  if (!(pixels instanceof Uint8Array || pixels instanceof Uint16Array) || pixels.length !== count)
    throw damaged('its JPEG 2000 image decodes to another size');
  return pixels;
}

/** Bytes in memory as a source. */
const makeBytesSource = (bytes: Uint8Array): ByteSource => ({
  id: 'grib-message',
  version: '',
  size: bytes.length,
  isNear: true,
  async read(offset, length) {
    if (offset + length > bytes.length)
      throw sourceBroken('grib-truncated', 'The GRIB file is cut off: it ends before an image does.');
    return bytes.subarray(offset, offset + length);
  },
  async close() {},
});
