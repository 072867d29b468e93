import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { fromKey, sortFloats, toKey } from './float-keys.ts';

const bitsOf = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0]!;

test('keys have the order of the numbers, and convert back to them', () => {
  const ascending = [-Infinity, -3e38, -1, -1e-45, -0, 0, 1e-45, 1, 1.5, 3e38, Infinity];
  const keys = ascending.map((value) => toKey(bitsOf(value)));
  assert.deepEqual(
    keys,
    keys.toSorted((a, b) => a - b),
  );
  assert.deepEqual(keys.map(fromKey), ascending.map(bitsOf));
});

test('property: sorts like the built-in sort, in a part of a buffer too', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true }), { maxLength: 50 }), fc.nat(5), (list, skip) => {
      const values = Float32Array.from(list);
      const start = Math.min(skip, values.length);
      const wanted = values.slice();
      wanted.subarray(start).sort();
      sortFloats(values.subarray(start));
      assert.deepEqual(values, wanted);
    }),
    { numRuns: casesOf(200) },
  );
});
