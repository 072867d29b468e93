import type { Scaling } from '../grib-bytes.ts';
import { damaged, getBits, SPARE_BYTES, unpackNumbers } from '../grib-bytes.ts';
import type { Groups } from '../grib-field.ts';

const NO_FIT = 'the groups of its numbers do not fit into their section';

/** Widths and lengths of all groups, and where their numbers begin. */
interface GroupTable {
  readonly references: Uint32Array;
  readonly widths: Uint32Array;
  readonly lengths: Float64Array;
  readonly dataBit: number;
}

/**
 * Values of complex packing, with or without spatial differences (data templates 7.2 and 7.3). Gaps in the numbers are NaN,
 * and differences pass over them.
 */
export function unpackComplex(
  bytes: Uint8Array,
  count: number,
  { reference, binary, decimal }: Scaling,
  groups: Groups,
): Float32Array {
  const values = new Float32Array(count);
  const { order, startBytes, gaps, referenceBits } = groups;
  const startsBits = 8 * startBytes * (order === 0 ? 0 : order + 1);
  const { references, widths, lengths, dataBit } = readGroups(bytes, count, groups, startsBits);
  const starts = [0, 0];
  for (let i = 0; i < order; i++) starts[i] = getBits(bytes, 8 * startBytes * i, 8 * startBytes);
  const smallest =
    order === 0 ? 0 : toSigned(getBits(bytes, 8 * startBytes * order, 8 * startBytes), startBytes);
  const mostReference = 2 ** referenceBits - 1;
  // The two numbers before, without gaps.
  let [last, lastButOne] = [0, 0];
  let seen = 0;
  let i = 0;
  let bit = dataBit;
  for (let group = 0; group < groups.count; group++) {
    const [base, width, length] = [references[group]!, widths[group]!, lengths[group]!];
    // All bits set are a gap, and the number below it the other kind of gap; groups without numbers have it as reference.
    const most = width === 0 ? mostReference : 2 ** width - 1;
    const firstGap =
      gaps === 0 || (width === 0 && referenceBits === 0) ? Number.POSITIVE_INFINITY : most - gaps + 1;
    const end = i + length;
    for (; i < end; i++) {
      let packed = base;
      if (width > 0) {
        const added = width <= 25 ? getShort(bytes, bit, width) : getBits(bytes, bit, width);
        bit += width;
        if (added >= firstGap) {
          values[i] = Number.NaN;
          continue;
        }
        packed += added;
      } else if (packed >= firstGap) {
        values[i] = Number.NaN;
        continue;
      }
      if (order > 0) {
        if (seen < order) packed = starts[seen]!;
        else packed += smallest + (order === 1 ? last : 2 * last - lastButOne);
        seen += 1;
        lastButOne = last;
        last = packed;
      }
      values[i] = (packed * binary + reference) * decimal;
    }
  }
  return values;
}

/** Up to 25 bits at any bit, which four bytes always hold. */
function getShort(bytes: Uint8Array, bit: number, bits: number): number {
  const at = bit >>> 3;
  const word = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  return (word << (bit & 7)) >>> (32 - bits);
}

function readGroups(
  bytes: Uint8Array,
  count: number,
  { count: groups, referenceBits, width, length }: Groups,
  startsBits: number,
): GroupTable {
  const available = 8 * (bytes.length - SPARE_BYTES);
  const toByte = (bit: number): number => Math.ceil(bit / 8) * 8;
  const widthsBit = toByte(startsBits + groups * referenceBits);
  const lengthsBit = toByte(widthsBit + groups * width.bits);
  const dataBit = toByte(lengthsBit + groups * length.bits);
  // Groups of no bits at all could be as many as a header says; each of them has a number at least.
  if (dataBit > available || groups > count) throw damaged(NO_FIT);
  const references = unpackNumbers(bytes, startsBits, referenceBits, groups);
  const widths = unpackNumbers(bytes, widthsBit, width.bits, groups);
  const scaled = unpackNumbers(bytes, lengthsBit, length.bits, groups);
  const lengths = new Float64Array(groups);
  let [points, bits] = [0, 0];
  for (let group = 0; group < groups; group++) {
    widths[group]! += width.reference;
    if (widths[group]! > 32) throw damaged(`its numbers have ${widths[group]} bits`);
    lengths[group] =
      group === groups - 1 ? length.last : length.reference + scaled[group]! * length.increment;
    points += lengths[group]!;
    bits += lengths[group]! * widths[group]!;
  }
  if (points !== count || dataBit + bits > available) throw damaged(NO_FIT);
  return { references, widths, lengths, dataBit };
}

/** A number with its sign in the first bit. */
function toSigned(number: number, bytes: number): number {
  const sign = 2 ** (8 * bytes - 1);
  return number >= sign ? sign - number : number;
}
