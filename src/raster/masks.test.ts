import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadKernels } from './kernels.ts';
import { fillEmpty } from './masks.ts';

test('masked pixels and those that are not a number get the value, all others stay', () => {
  const kernels = loadKernels();
  const allocate = kernels.begin();
  for (const count of [1, 4, 7, 33]) {
    const plane = { valuesAt: allocate(4 * count), maskAt: allocate(count) };
    const values = new Float32Array(kernels.buffer(), plane.valuesAt, count);
    const mask = new Uint8Array(kernels.buffer(), plane.maskAt, count);
    const given = Array.from({ length: count }, (_, i) => [1.5, Number.NaN, -Infinity, 0, 9][i % 5]!);
    values.set(given);
    mask.set(given.map((_, i) => (i % 3 === 2 ? 0 : 1)));
    fillEmpty(kernels, plane, { count, value: -9999 });
    const expected = given.map((value, i) => (i % 3 === 2 || Number.isNaN(value) ? -9999 : value));
    assert.deepEqual([...values], expected);
  }
});
