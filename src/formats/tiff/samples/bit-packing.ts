import type { PixelArray, SampleType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';

/** Bytes of a row of samples: rows begin at whole bytes, whatever the depth. */
export const packedRowBytes = (rowLength: number, bits: number): number => Math.ceil((rowLength * bits) / 8);

/** Rows of samples that share bytes. */
interface PackedRows {
  readonly bits: number;
  /** Samples of one row. */
  readonly rowLength: number;
  readonly rows: number;
  readonly type: SampleType;
  readonly littleEndian: boolean;
}

/** Turns the bytes of 24-bit samples around. */
function swapTriples(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i < out.length; i++) out[i] = bytes[i + 2 - 2 * (i % 3)]!;
  return out;
}

/**
 * Samples of 1 to 31 bits, highest bit first in either byte order, as GDAL packs them. Only those of 24 bits are bytes to
 * libtiff, which turns them around in big-endian files.
 */
export function unpackSamples(stored: Uint8Array, how: PackedRows): PixelArray {
  const { bits, rowLength, rows, type } = how;
  const bytes = bits === 24 && !how.littleEndian ? swapTriples(stored) : stored;
  const out = makePixels(type, rowLength * rows);
  const rowBytes = packedRowBytes(rowLength, bits);
  const mask = 2 ** bits - 1;
  for (let row = 0, to = 0; row < rows; row++) {
    let at = row * rowBytes;
    // below `bits` bits are left over, so 31 + 8 in all: too many for the 32-bit operators when samples are long
    let held = 0;
    let heldBits = 0;
    for (const end = to + rowLength; to < end; to++) {
      if (bits <= 16) {
        while (heldBits < bits) {
          held = (held << 8) | bytes[at++]!;
          heldBits += 8;
        }
        heldBits -= bits;
        out[to] = (held >> heldBits) & mask;
        held &= (1 << heldBits) - 1;
      } else {
        while (heldBits < bits) {
          held = held * 256 + bytes[at++]!;
          heldBits += 8;
        }
        heldBits -= bits;
        const value = Math.floor(held / 2 ** heldBits);
        out[to] = value;
        held -= value * 2 ** heldBits;
      }
    }
  }
  return out;
}

const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) =>
  Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1) << (7 - bit)).reduce((sum, bit) => sum | bit),
);

/** A copy with the bits of each byte turned around (FillOrder 2). */
export const reverseBits = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => REVERSED[byte]!);
