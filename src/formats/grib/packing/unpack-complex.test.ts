import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPARE_BYTES } from '../grib-bytes.ts';
import type { Groups } from '../grib-field.ts';
import { unpackComplex } from './unpack-complex.ts';

const spare = (...bytes: readonly number[]): Uint8Array =>
  Buffer.concat([Uint8Array.from(bytes), new Uint8Array(SPARE_BYTES)]);
const ones = { reference: 0, binary: 1, decimal: 1 };
const groups: Groups = {
  count: 2,
  referenceBits: 4,
  width: { reference: 1, bits: 4 },
  length: { reference: 2, increment: 1, bits: 4, last: 3 },
  gaps: 0,
  order: 0,
  startBytes: 0,
};

test('groups have a reference, a width and a length each', () => {
  // References 3 and 8; widths 1 + 1 and 1 + 3; lengths 2 + 0 and the last one, 3; numbers 1 and 2, and 0, 15 and 4.
  const bytes = spare(0x38, 0x13, 0x09, 0b01_10_0000, 0b1111_0100);
  assert.deepEqual([...unpackComplex(bytes, 5, ones, groups)], [4, 5, 8, 23, 12]);
  const scaled = unpackComplex(bytes, 5, { reference: 100, binary: 0.5, decimal: 0.1 }, groups);
  assert.deepEqual([...scaled], [10.2, 10.25, 10.4, 11.15, 10.6].map(Math.fround));
});

test('numbers with all bits set are gaps, and with two kinds of gaps so is the number below', () => {
  const bytes = spare(0x38, 0x13, 0x09, 0b01_11_0000, 0b1111_1110);
  const { NaN: gap } = Number;
  assert.deepEqual([...unpackComplex(bytes, 5, ones, { ...groups, gaps: 1 })], [4, gap, 8, gap, 22]);
  assert.deepEqual([...unpackComplex(bytes, 5, ones, { ...groups, gaps: 2 })], [4, gap, 8, gap, gap]);
  // A group without numbers is a gap by its reference.
  const widths = { ...groups, width: { reference: 0, bits: 4 } };
  const empty = spare(0xf5, 0x00, 0x00);
  assert.deepEqual([...unpackComplex(empty, 5, ones, { ...widths, gaps: 1 })], [gap, gap, 5, 5, 5]);
});

test('first and second order differences are summed from their starts, across gaps', () => {
  const { NaN: gap } = Number;
  const single: Groups = {
    ...groups,
    count: 1,
    referenceBits: 4,
    width: { reference: 4, bits: 0 },
    length: { reference: 0, increment: 0, bits: 0, last: 5 },
    startBytes: 1,
  };
  // First number 10, smallest difference −2: 10, then +1 − 2, gap, +5 − 2, +2 − 2.
  const first = spare(10, 0x82, 0x00, 0x01, 0xf5, 0x20);
  assert.deepEqual(
    [...unpackComplex(first, 5, ones, { ...single, order: 1, gaps: 1 })],
    [10, 9, gap, 12, 12],
  );
  // First numbers 10 and 12, smallest −1: then 2·12 − 10 + 3 − 1 = 16, 2·16 − 12 + 0 − 1 = 19, 2·19 − 16 + 1 − 1 = 22.
  const second = spare(10, 12, 0x81, 0x00, 0x00, 0x30, 0x10);
  assert.deepEqual([...unpackComplex(second, 5, ones, { ...single, order: 2 })], [10, 12, 16, 19, 22]);
});

test('inconsistent groups are refused', () => {
  const bytes = spare(0x38, 0x13, 0x09, 0x60, 0xf4);
  for (const [count, wrong] of [
    [6, groups],
    [5, { ...groups, count: 9 }],
    [5, { ...groups, width: { reference: 30, bits: 4 } }],
    [5, { ...groups, length: { ...groups.length, last: 2 ** 31 } }],
  ] as const)
    assert.throws(() => unpackComplex(bytes, count, ones, wrong), { code: 'grib-damaged' });
});
