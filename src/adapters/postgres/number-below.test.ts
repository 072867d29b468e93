import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toNumberBelow } from './number-below.ts';

test('the number below is less, and nothing lies between', () => {
  assert.equal(toNumberBelow(1), 1 - Number.EPSILON / 2);
  assert.equal(toNumberBelow(-1), -1 - Number.EPSILON);
  assert.equal(toNumberBelow(0), -Number.MIN_VALUE);
  assert.equal(toNumberBelow(-0), -Number.MIN_VALUE);
  assert.equal(toNumberBelow(Number.MIN_VALUE), 0);
  assert.equal(toNumberBelow(Number.POSITIVE_INFINITY), Number.MAX_VALUE);
  assert.equal(toNumberBelow(Number.NEGATIVE_INFINITY), Number.NEGATIVE_INFINITY);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const below = toNumberBelow(value);
      const half = below / 2 + value / 2;
      assert.ok(below < value && (half <= below || half >= value), `${below} < ${value}`);
    }),
  );
});
