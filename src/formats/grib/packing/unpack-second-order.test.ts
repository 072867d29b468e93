import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPARE_BYTES } from '../grib-bytes.ts';
import { BitWriter } from '../testing/encode-numbers.ts';
import { unpackSecondOrder } from './unpack-second-order.ts';

const ones = { reference: 0, binary: 1, decimal: 1 };
const plain = { bits: 4, rowLength: 3 };

interface Coded {
  readonly flags: number;
  /** The numbers that start the differences, of eight bits, the last one with a sign. */
  readonly starts: readonly number[];
  readonly groups: readonly (readonly [width: number, base: number, numbers: readonly number[]])[];
}

/** The section from its twelfth byte on. */
function toBytes({ flags, starts, groups }: Coded): Uint8Array {
  const writer = new BitWriter()
    .put(0, 16)
    .put(flags, 8)
    .put(0, 16)
    .put(groups.length, 16)
    .put(0, 16)
    .put(0, 8);
  writer.put(4, 8).put(3, 8).put(0, 16);
  if (starts.length > 0) {
    writer.put(8, 8);
    for (const [i, start] of starts.entries())
      if (i === starts.length - 1) writer.putSigned(start, 8);
      else writer.put(start, 8);
  }
  for (const [width] of groups) writer.put(width, 4);
  writer.align();
  for (const [, , numbers] of groups) writer.put(numbers.length, 3);
  writer.align();
  for (const [, base] of groups) writer.put(base, 4);
  writer.align();
  for (const [width, , numbers] of groups) for (const number of numbers) writer.put(number, width);
  return Buffer.concat([writer.toBytes(), new Uint8Array(SPARE_BYTES)]);
}

const GENERAL = 0x18;

test('groups of any width and length are read, with and without numbers', () => {
  const bytes = toBytes({
    flags: GENERAL,
    starts: [],
    groups: [
      [2, 5, [0, 3, 1]],
      [0, 9, [0, 0]],
      [6, 1, [40]],
    ],
  });
  assert.deepEqual([...unpackSecondOrder(bytes, 6, ones, plain)], [5, 8, 6, 9, 9, 41]);
  const scaled = unpackSecondOrder(bytes, 6, { reference: 10, binary: 0.5, decimal: 0.1 }, plain);
  assert.deepEqual([...scaled].slice(0, 2), [1.25, 1.4].map(Math.fround));
  // Every second row goes the other way.
  const turned = bytes.slice();
  turned[2] = GENERAL | 0x04;
  assert.deepEqual([...unpackSecondOrder(turned, 6, ones, plain)], [5, 8, 6, 41, 9, 9]);
});

test('differences of three orders are summed', () => {
  const groups = [[3, 1, [0, 2, 4]]] as const;
  // Differences 1, 3 and 5, less 2 each: −1, 1, 3.
  const first = toBytes({ flags: GENERAL | 1, starts: [10, -2], groups });
  assert.deepEqual([...unpackSecondOrder(first, 4, ones, plain)], [10, 9, 10, 13]);
  // Steps 2, then 1, 2, 5.
  const second = toBytes({ flags: GENERAL | 2, starts: [10, 12, -2], groups });
  assert.deepEqual([...unpackSecondOrder(second, 5, ones, plain)], [10, 12, 13, 15, 20]);
  // Steps 2 and 3, which grew by 1; they go on to grow by 0, 1 and 4.
  const third = toBytes({ flags: GENERAL | 3, starts: [10, 12, 15, -2], groups });
  assert.deepEqual([...unpackSecondOrder(third, 6, ones, plain)], [10, 12, 15, 18, 22, 30]);
});

test('old variants and inconsistent groups are refused', () => {
  const coded = { flags: GENERAL, starts: [], groups: [[2, 5, [0, 3, 1]]] } as const;
  const read = (bytes: Uint8Array, count = 3, rowLength: number | null = 3) =>
    unpackSecondOrder(bytes, count, ones, { bits: 4, rowLength });
  assert.deepEqual([...read(toBytes(coded))], [5, 8, 6]);
  assert.throws(() => read(toBytes({ ...coded, flags: 0x10 })), { code: 'grib-packing' });
  assert.throws(() => read(toBytes({ ...coded, flags: GENERAL | 0x20 })), { code: 'grib-packing' });
  assert.throws(() => read(toBytes({ ...coded, flags: GENERAL | 4 }), 3, null), { code: 'grib-packing' });
  for (const count of [2, 4]) assert.throws(() => read(toBytes(coded), count), { code: 'grib-damaged' });
  const short = toBytes(coded);
  for (let length = SPARE_BYTES; length < short.length; length++)
    assert.throws(() => read(short.subarray(0, length)), { code: 'grib-damaged' }, `${length}`);
});
