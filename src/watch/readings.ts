/** Values of many fields in one scene, packed: fifty thousand are 600 kB, and a thread finds one without unpacking them. */

import type { Reading } from './subscription.ts';

/** Ids of 64 bits in rising order, as big-endian bytes, and then a 32-bit float for each. */
export type PackedReadings = Uint8Array;

const ID_BYTES = 8;
const ENTRY_BYTES = ID_BYTES + 4;

/** The id of the one area of a subscription that has no fields. */
export const AREA_ID = '0'.repeat(2 * ID_BYTES);

/** Readings that can be searched. */
export interface OpenReadings {
  readonly count: number;
  /** In rising order. */
  idAt(i: number): string;
  valueAt(i: number): number;
  /** The value of the field that has place `i` in other readings; null if it has none here. */
  findSame(other: OpenReadings, i: number): number | null;
  /** The halves of an id as unsigned numbers. */
  highAt(i: number): number;
  lowAt(i: number): number;
}

/** Packs readings; of a field that is given twice the first counts. */
export function packReadings(readings: readonly Reading[]): PackedReadings {
  const sorted = [...new Map(readings.toReversed().map((one) => [one.fieldId, one])).values()].toSorted(
    (a, b) => (a.fieldId < b.fieldId ? -1 : 1),
  );
  const bytes = new Uint8Array(sorted.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, { fieldId, value }] of sorted.entries()) {
    view.setBigUint64(i * ID_BYTES, BigInt(`0x${fieldId}`));
    view.setFloat32(sorted.length * ID_BYTES + 4 * i, value);
  }
  return bytes;
}

/** Opens packed readings where they are. */
export function openReadings(packed: PackedReadings): OpenReadings {
  const count = Math.floor(packed.byteLength / ENTRY_BYTES);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const highAt = (i: number): number => view.getUint32(i * ID_BYTES);
  const lowAt = (i: number): number => view.getUint32(i * ID_BYTES + 4);
  const valueAt = (i: number): number => view.getFloat32(count * ID_BYTES + 4 * i);
  return {
    count,
    highAt,
    lowAt,
    valueAt,
    idAt: (i) =>
      view
        .getBigUint64(i * ID_BYTES)
        .toString(16)
        .padStart(2 * ID_BYTES, '0'),
    findSame(other, i) {
      const [high, low] = [other.highAt(i), other.lowAt(i)];
      let [first, end] = [0, count];
      while (first < end) {
        const middle = (first + end) >>> 1;
        const at = highAt(middle);
        if (at < high || (at === high && lowAt(middle) < low)) first = middle + 1;
        else end = middle;
      }
      return first < count && highAt(first) === high && lowAt(first) === low ? valueAt(first) : null;
    },
  };
}
