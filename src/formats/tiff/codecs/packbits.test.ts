import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePackBits } from './packbits.ts';

test('the example of the standard: literals, runs and a byte that means nothing', () => {
  const stored = [
    0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0x80, 0xfd, 0xaa, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa,
  ];
  const expected = [
    ...Array(3).fill(0xaa),
    0x80,
    0,
    0x2a,
    ...Array(4).fill(0xaa),
    0x80,
    0,
    0x2a,
    0x22,
    ...Array(10).fill(0xaa),
  ];
  assert.deepEqual([...decodePackBits(Uint8Array.from(stored), 24)], expected);
});

test('runs stop at the size of the block', () => {
  assert.deepEqual([...decodePackBits(Uint8Array.of(0x81, 7, 0x81, 7), 5)], [7, 7, 7, 7, 7]);
});

test('a stream that is cut is refused or short', () => {
  assert.throws(() => decodePackBits(Uint8Array.of(5, 1, 2), 6));
  assert.throws(() => decodePackBits(Uint8Array.of(0xfe), 6));
  assert.equal(decodePackBits(Uint8Array.of(0xfe, 1), 6).length, 3);
});
