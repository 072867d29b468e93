import { SwathError } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';
import { sourceBroken, tooLarge } from '../errors.ts';

// Every bound of the GRIB reader (docs/operate/hardening.md): a file beyond one is refused before anything of that size is
// allocated.

/** Fields of a file: eight variables of every hour of a year are 70,080; a GFS file has 743. */
export const MAX_FIELDS = 100_000;
/** Points of a field, as many as a data cube has cells at most. */
export const MAX_POINTS = 2 ** 25;
/** Bytes of a header section, which is read whole; those of real files have fewer than 2,000. */
export const MAX_SECTION_BYTES = 2 ** 16;
/** Stored bytes of the numbers of a field: 64 bits a point. */
export const MAX_DATA_BYTES = 8 * MAX_POINTS;
/** Bytes in front of a message: headings of the WMO have 40, and some writers fill up blocks. */
export const MAX_GAP_BYTES = 2 ** 16;
/** Bits of a packed number: more than 32 are not in use. */
export const MAX_BITS = 32;
/** Read at once where headers are; header sections of most messages have some hundred bytes. */
export const HEAD_READ_BYTES = 2_048;

/** Error for a header that contradicts itself or the standard. */
export const damaged = (what: string) => sourceBroken('grib-damaged', `The GRIB file is damaged: ${what}.`);

/** Error for a part that lies beyond the end of the file. */
export const truncated = (what: string) =>
  sourceBroken('grib-truncated', `The GRIB file is cut off: it ends before ${what} does.`);

/** Error for what the standard allows and we do not read; the sentence says what to do. */
export const unread = (code: string, what: string) => new SwathError('unsupported', `grib-${code}`, what);

/** Error for a number over one of the limits. */
export const over = (what: string, count: number, max: number) =>
  tooLarge('grib-too-large', `${what} of the GRIB file has ${count}; at most ${max} are read.`);

/** A view of the bytes of a section. */
export const toView = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Three bytes as a whole number. */
export const getUint24 = (view: DataView, at: number): number =>
  view.getUint16(at) * 256 + view.getUint8(at + 2);

/** Signed numbers in GRIB start with a sign bit; they are not two's complements. */
export const getSigned8 = (view: DataView, at: number): number => toSigned(view.getUint8(at), 2 ** 7);
/** The same in two bytes. */
export const getSigned16 = (view: DataView, at: number): number => toSigned(view.getUint16(at), 2 ** 15);
/** The same in three bytes. */
export const getSigned24 = (view: DataView, at: number): number => toSigned(getUint24(view, at), 2 ** 23);
/** The same in four bytes. */
export const getSigned32 = (view: DataView, at: number): number => toSigned(view.getUint32(at), 2 ** 31);

const toSigned = (bits: number, sign: number): number => (bits >= sign ? sign - bits : bits);

/** A float of the IBM System/360: sign, exponent of 16 with an excess of 64, fraction of 24 bits (WMO FM 92 GRIB 1, 92.6.4). */
export function getIbmFloat(view: DataView, at: number): number {
  const exponent = view.getUint8(at) & 0x7f;
  const value = getUint24(view, at + 1) * 16 ** (exponent - 64) * 2 ** -24;
  return view.getUint8(at) >= 0x80 ? -value : value;
}

/** Bytes that must follow packed numbers in memory: they are read four and five bytes at a time. */
export const SPARE_BYTES = 8;

/** How packed whole numbers become values: (reference + x · binary) · decimal. */
export interface Scaling {
  readonly reference: number;
  /** A power of two. */
  readonly binary: number;
  /** A power of ten. */
  readonly decimal: number;
}

/** Throws unless the bytes hold `count` numbers of `bits` bits. */
function checkBits(bytes: Uint8Array, bits: number, count: number): void {
  if (bits * count > 8 * (bytes.length - SPARE_BYTES))
    throw damaged(`${count} numbers of ${bits} bits do not fit into their section`);
}

/** Numbers of equal width, one after the other from the first bit, as values. The bytes end with `SPARE_BYTES` more. */
export function unpackValues(
  bytes: Uint8Array,
  bits: number,
  count: number,
  { reference, binary, decimal }: Scaling,
): Float32Array {
  checkBits(bytes, bits, count);
  const values = new Float32Array(count);
  // The common widths have loops of their own: they take a third of the time.
  if (bits === 0) values.fill(reference * decimal);
  else if (bits === 8) {
    for (let i = 0; i < count; i++) values[i] = (bytes[i]! * binary + reference) * decimal;
  } else if (bits === 16) {
    for (let i = 0, at = 0; i < count; i++, at += 2)
      values[i] = (((bytes[at]! << 8) | bytes[at + 1]!) * binary + reference) * decimal;
  } else if (bits === 24) {
    for (let i = 0, at = 0; i < count; i++, at += 3)
      values[i] =
        (((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!) * binary + reference) * decimal;
  } else if (bits === 12) {
    const pairs = count & ~1;
    for (let i = 0, at = 0; i < pairs; i += 2, at += 3) {
      const both = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
      values[i] = ((both >>> 12) * binary + reference) * decimal;
      values[i + 1] = ((both & 0xfff) * binary + reference) * decimal;
    }
    if (pairs < count) values[pairs] = (getBits(bytes, 12 * pairs, 12) * binary + reference) * decimal;
  } else if (bits <= 25) {
    const rest = 32 - bits;
    for (let i = 0, bit = 0; i < count; i++, bit += bits) {
      const at = bit >>> 3;
      const word = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      values[i] = (((word << (bit & 7)) >>> rest) * binary + reference) * decimal;
    }
  } else {
    for (let i = 0; i < count; i++)
      values[i] = (getBits(bytes, i * bits, bits) * binary + reference) * decimal;
  }
  return values;
}

/** A number of up to 32 bits at any bit. */
export function getBits(bytes: Uint8Array, bit: number, bits: number): number {
  if (bits === 0) return 0;
  const at = Math.floor(bit / 8);
  const shift = bit - 8 * at;
  const word = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  if (shift + bits <= 32) return (word << shift) >>> (32 - bits);
  const more = shift + bits - 32;
  return ((word << shift) >>> shift) * 2 ** more + (bytes[at + 4]! >>> (8 - more));
}

/** Numbers of equal width from any bit. */
export function unpackNumbers(bytes: Uint8Array, bit: number, bits: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  if (bits > 0) for (let i = 0; i < count; i++) numbers[i] = getBits(bytes, bit + i * bits, bits);
  return numbers;
}

/** Reads small pieces of a file, front to back, with few reads. */
export interface ByteWindow {
  readonly size: number;
  /** Exactly these bytes, valid until the next call. */
  take(offset: number, length: number, what: string): Promise<Uint8Array>;
}

/** Builds the window of a source. */
export function makeByteWindow(source: ByteSource): ByteWindow {
  let start = 0;
  let bytes: Uint8Array = new Uint8Array();
  return {
    size: source.size,
    async take(offset, length, what) {
      if (offset + length > source.size) throw truncated(what);
      if (offset < start || offset + length > start + bytes.length) {
        bytes = await source.read(offset, Math.min(Math.max(length, HEAD_READ_BYTES), source.size - offset));
        start = offset;
      }
      return bytes.subarray(offset - start, offset - start + length);
    },
  };
}
