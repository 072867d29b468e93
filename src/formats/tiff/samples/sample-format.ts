import type { PixelArray, SampleType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';

/** SampleFormat and BitsPerSample of a pixel type, and its range: one row for each type. */
interface SampleFormat {
  readonly type: SampleType;
  readonly format: number;
  readonly bits: number;
  readonly min: number;
  readonly max: number;
}

const FLOAT32_MAX = 3.4028234663852886e38;

/** Of 64-bit integers, the ends are those that a pixel of ours can hold: the nearest floating-point numbers. */
const sampleFormats: readonly SampleFormat[] = [
  { type: 'uint8', format: 1, bits: 8, min: 0, max: 255 },
  { type: 'int8', format: 2, bits: 8, min: -128, max: 127 },
  { type: 'uint16', format: 1, bits: 16, min: 0, max: 65_535 },
  { type: 'int16', format: 2, bits: 16, min: -32_768, max: 32_767 },
  { type: 'uint32', format: 1, bits: 32, min: 0, max: 2 ** 32 - 1 },
  { type: 'int32', format: 2, bits: 32, min: -(2 ** 31), max: 2 ** 31 - 1 },
  { type: 'uint64', format: 1, bits: 64, min: 0, max: 2 ** 64 },
  { type: 'int64', format: 2, bits: 64, min: -(2 ** 63), max: 2 ** 63 },
  { type: 'float32', format: 3, bits: 32, min: -FLOAT32_MAX, max: FLOAT32_MAX },
  { type: 'float64', format: 3, bits: 64, min: -Number.MAX_VALUE, max: Number.MAX_VALUE },
];

/** The row of a pixel type. */
export function sampleFormatOf(type: SampleType): SampleFormat {
  return sampleFormats.find((row) => row.type === type)!;
}

/** The smallest type that holds unsigned samples of an odd depth: the one GDAL gives them. */
function packedType(bits: number): SampleType | null {
  if (!Number.isInteger(bits) || bits < 1 || bits > 31) return null;
  if (bits < 8) return 'uint8';
  return bits < 16 ? 'uint16' : 'uint32';
}

/** The pixel type of a file's numbers; null if it is not supported. */
export function toSampleType(format: number, bits: number): SampleType | null {
  // untyped samples are read as unsigned, as GDAL does
  const known = format === 4 ? 1 : format;
  const whole = sampleFormats.find((row) => row.format === known && row.bits === bits);
  if (whole !== undefined) return whole.type;
  if (known === 3 && bits === 16) return 'float32';
  return known === 1 ? packedType(bits) : null;
}

const FORMAT_NAMES = [
  '',
  'unsigned integer',
  'signed integer',
  'float',
  'untyped',
  'complex integer',
  'complex float',
];

/** A file's numbers in words, for the sentence that says what we cannot read. */
export function sampleFormatName(format: number, bits: number): string {
  return `${bits}-bit ${FORMAT_NAMES[format] ?? `format-${format}`}`;
}

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

/** True on nearly every machine that runs Node; s390x is the exception. */
export const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the bytes of every `size`-byte sample in place. */
export function swapSamples(bytes: Uint8Array, size: number): void {
  if (size === 1) return;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 2) buffer.swap16();
  else if (size === 4) buffer.swap32();
  else buffer.swap64();
}

/** 16-bit floats as 32-bit ones, which hold each of them exactly. */
export function widenHalves(halves: Uint16Array): Float32Array {
  const out = new Float32Array(halves.length);
  const words = new Uint32Array(out.buffer);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i]!;
    const sign = (half & 0x8000) << 16;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) {
      // zero or subnormal: the fraction counts steps of 2⁻²⁴
      out[i] = (sign === 0 ? 1 : -1) * fraction * 2 ** -24;
    } else {
      // 31 means infinity or not a number; the others move from a bias of 15 to one of 127
      words[i] = sign | ((exponent === 31 ? 255 : exponent + 112) << 23) | (fraction << 13);
    }
  }
  return out;
}
