import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePacketLengths } from './packet-lengths.ts';

const parse = (...tables: readonly (readonly number[])[]) =>
  parsePacketLengths(tables.map((table) => Uint8Array.from(table)));

test('lengths have seven bits a byte, and tables come in the order of their numbers', () => {
  assert.deepEqual(parse([0, 5, 0x81, 0x00, 0x83, 0xff, 0x7f]), [5, 128, 65_535]);
  assert.deepEqual(parse([1, 9], [0, 7, 8]), [7, 8, 9]);
});

test('tables that make no sense are no tables', () => {
  assert.equal(parse(), null);
  assert.equal(parse([0, 5, 0x81]), null);
  assert.equal(parse([0, 5, 0]), null);
  assert.equal(parse([0, 0xff, 0xff, 0xff, 0xff, 0x7f]), null);
});
