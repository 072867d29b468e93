import { inflateSync } from 'node:zlib';
import type { ByteSource } from '../../../sources/index.ts';
import { sourceBroken } from '../../errors.ts';
import type { Jp2Decoder } from '../../jp2/openjpeg.ts';
import { openJp2 } from '../../jp2/reader/jp2-reader.ts';
import { readJp2Tile } from '../../jp2/reader/tile-reader.ts';
import { damaged, getBits, SPARE_BYTES, toView, unread } from '../grib-bytes.ts';

/** The signature of PNG. */
const SIGNATURE = '89504e470d0a1a0a';
/** Samples of a pixel by colour type: grey, red, green and blue, and these with alpha. */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);

interface PngHead {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
}

/**
 * Whole numbers that are stored as the pixels of a PNG (data template 7.41): all bits of a pixel are one number, so that one
 * of 24 bits is red, green and blue. Colours mean nothing here, so no picture library reads it.
 */
export function unpackPng(file: Uint8Array, count: number): Float64Array {
  const { head, stored } = readChunks(file);
  const { width, height, bitsPerPixel } = head;
  if (width * height !== count) throw damaged(`a PNG of ${width} × ${height} pixels holds ${count} numbers`);
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
  const rows = inflate(stored, height * (rowBytes + 1));
  const pixels = new Uint8Array(height * rowBytes + SPARE_BYTES);
  unfilter(rows, pixels, { height, rowBytes, step: Math.max(1, bitsPerPixel >> 3) });
  const numbers = new Float64Array(count);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++)
      numbers[i] = getBits(pixels, 8 * y * rowBytes + x * bitsPerPixel, bitsPerPixel);
  return numbers;
}

function readChunks(file: Uint8Array): { readonly head: PngHead; readonly stored: Uint8Array } {
  const view = toView(file);
  if (Buffer.from(file.subarray(0, 8)).toString('hex') !== SIGNATURE)
    throw damaged('its numbers are not a PNG');
  let head: PngHead | null = null;
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.getUint32(at);
    const type = Buffer.from(file.subarray(at + 4, at + 8)).toString('latin1');
    if (at + 12 + length > file.length) throw damaged('a PNG of numbers is cut off');
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') head = toHead(body);
    else if (type === 'IDAT') parts.push(body);
    else if (type === 'IEND') break;
    at += 12 + length;
  }
  if (head === null) throw damaged('a PNG of numbers has no header');
  return { head, stored: parts.length === 1 ? parts[0]! : Buffer.concat(parts) };
}

function toHead(body: Uint8Array): PngHead {
  if (body.length !== 13) throw damaged('the header of a PNG of numbers has another length');
  const view = toView(body);
  const [depth, colorType, interlaced] = [view.getUint8(8), view.getUint8(9), view.getUint8(12)];
  const channels = CHANNELS.get(colorType);
  if (
    channels === undefined ||
    interlaced !== 0 ||
    ![1, 2, 4, 8, 16].includes(depth) ||
    depth * channels > 32
  )
    throw unread(
      'png',
      'The GRIB file holds its numbers in a PNG with a palette, interlaced, or of 48 bits and more.',
    );
  return { width: view.getUint32(0), height: view.getUint32(4), bitsPerPixel: depth * channels };
}

function inflate(stored: Uint8Array, length: number): Uint8Array {
  let rows: Uint8Array;
  try {
    rows = inflateSync(stored, { maxOutputLength: length });
  } catch {
    throw damaged('a PNG of numbers cannot be inflated');
  }
  if (rows.length !== length) throw damaged('a PNG of numbers has too few rows');
  return rows;
}

interface RowSizes {
  readonly height: number;
  readonly rowBytes: number;
  /** Bytes from a sample to the one on its left. */
  readonly step: number;
}

/** Undoes the filters of rows (PNG 3rd edition, 9.2). */
function unfilter(rows: Uint8Array, pixels: Uint8Array, { height, rowBytes, step }: RowSizes): void {
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowBytes + 1)]!;
    const source = y * (rowBytes + 1) + 1;
    const target = y * rowBytes;
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= step ? pixels[target + x - step]! : 0;
      const up = y > 0 ? pixels[target + x - rowBytes]! : 0;
      let expected = 0;
      if (filter === 1) expected = left;
      else if (filter === 2) expected = up;
      else if (filter === 3) expected = (left + up) >> 1;
      else if (filter === 4)
        expected = paeth(left, up, y > 0 && x >= step ? pixels[target + x - step - rowBytes]! : 0);
      else if (filter !== 0) throw damaged(`a PNG of numbers has filter ${filter}`);
      pixels[target + x] = rows[source + x]! + expected;
    }
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

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
