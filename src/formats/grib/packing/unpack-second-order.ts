import type { Scaling } from '../grib-bytes.ts';
import { damaged, getBits, SPARE_BYTES, toView, unpackNumbers, unread } from '../grib-bytes.ts';

/** Second-order packing as edition 1 has it. */
export interface SecondOrder {
  /** Bits of the reference of each group. */
  readonly bits: number;
  /** Points of a row, which may go back and forth; null where a bitmap leaves out points. */
  readonly rowLength: number | null;
}

/** Flags of byte 14 of the section: only the general form with groups of any width and length is in use. */
const FLAG = { secondaryBitmap: 0x20, isGeneral: 0x08, isAlternating: 0x04, order: 0x03 } as const;
/** Bytes after the eleventh up to the numbers that start the differences. */
const HEAD_BYTES = 15;

/**
 * Values of second-order packing of edition 1 in its general extended form, with spatial differences up to the third order
 * (ECMWF's extension of WMO FM 92 GRIB 1; laid out as ecCodes reads and writes it). The bytes begin with the twelfth of
 * their section.
 */
export function unpackSecondOrder(
  bytes: Uint8Array,
  count: number,
  { reference, binary, decimal }: Scaling,
  { bits, rowLength }: SecondOrder,
): Float32Array {
  if (bytes.length - SPARE_BYTES < HEAD_BYTES) throw damaged('the header of its groups is too short');
  const view = toView(bytes);
  const flags = view.getUint8(2);
  const isAlternating = (flags & FLAG.isAlternating) !== 0;
  if (
    (flags & FLAG.isGeneral) === 0 ||
    (flags & FLAG.secondaryBitmap) !== 0 ||
    (isAlternating && rowLength === null)
  )
    throw unread(
      'packing',
      'The GRIB file is in an old variant of second-order packing; repack it, for example with grib_set -r -s packingType=grid_simple.',
    );
  const order = flags & FLAG.order;
  const numbers = new Float64Array(count);
  const bias = readStarts(bytes, numbers, order);
  readGroups(bytes, numbers, order, bits);
  sumDifferences(numbers, order, bias);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = (numbers[i]! * binary + reference) * decimal;
  if (isAlternating && rowLength !== null)
    for (let row = rowLength; row < count; row += 2 * rowLength)
      values.subarray(row, row + rowLength).reverse();
  return values;
}

const startBit = (order: number): number => 8 * (order === 0 ? HEAD_BYTES - 1 : HEAD_BYTES);

/** The first numbers are values; the one after them, with a sign, is added to every difference. */
function readStarts(bytes: Uint8Array, numbers: Float64Array, order: number): number {
  if (order === 0) return 0;
  const width = bytes[HEAD_BYTES - 1]!;
  if (width < 1 || width > 32 || order > numbers.length) throw damaged('its differences do not start');
  for (let i = 0; i < order; i++) numbers[i] = getBits(bytes, startBit(order) + i * width, width);
  const bias = getBits(bytes, startBit(order) + order * width, width);
  const sign = 2 ** (width - 1);
  return bias >= sign ? sign - bias : bias;
}

/** Widths, lengths and references of all groups, each list up to a whole byte, and then the numbers. */
function readGroups(bytes: Uint8Array, numbers: Float64Array, order: number, bits: number): void {
  const view = toView(bytes);
  const groups = view.getUint16(5) + 65_536 * view.getUint8(9);
  const [widthBits, lengthBits] = [view.getUint8(10), view.getUint8(11)];
  const available = 8 * (bytes.length - SPARE_BYTES);
  const toByte = (bit: number): number => Math.ceil(bit / 8) * 8;
  const starts = order === 0 ? 0 : (order + 1) * view.getUint8(14);
  const widthsBit = toByte(startBit(order) + starts);
  const lengthsBit = toByte(widthsBit + groups * widthBits);
  const referencesBit = toByte(lengthsBit + groups * lengthBits);
  let bit = toByte(referencesBit + groups * bits);
  if (widthBits > 32 || lengthBits > 32 || bit > available) throw damaged(NO_FIT);
  const widths = unpackNumbers(bytes, widthsBit, widthBits, groups);
  const lengths = unpackNumbers(bytes, lengthsBit, lengthBits, groups);
  const references = unpackNumbers(bytes, referencesBit, bits, groups);
  let i = order;
  for (let group = 0; group < groups; group++) {
    const [width, length, base] = [widths[group]!, lengths[group]!, references[group]!];
    if (width > 32 || i + length > numbers.length || bit + length * width > available) throw damaged(NO_FIT);
    for (const end = i + length; i < end; i++, bit += width) numbers[i] = base + getBits(bytes, bit, width);
  }
  if (i !== numbers.length) throw damaged(NO_FIT);
}

const NO_FIT = 'the groups of its numbers do not fit into their section';

/** Adds up differences of the first, second or third order. */
function sumDifferences(numbers: Float64Array, order: number, bias: number): void {
  // The last differences of order 2, 1 and 0, at the first number that is one.
  const at = (i: number): number => numbers[i] ?? 0;
  let number = at(order - 1);
  let slope = order < 2 ? 0 : at(order - 1) - at(order - 2);
  let bend = order < 3 ? 0 : slope - (at(1) - at(0));
  for (let i = order; order > 0 && i < numbers.length; i++) {
    const difference = numbers[i]! + bias;
    if (order === 1) number += difference;
    else {
      if (order === 2) slope += difference;
      else {
        bend += difference;
        slope += bend;
      }
      number += slope;
    }
    numbers[i] = number;
  }
}
