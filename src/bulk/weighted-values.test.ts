import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize } from '../numbers/index.ts';
import { makeRandom } from '../stack/testing/put-scenes.ts';
import { summarizeWeighted } from './weighted-values.ts';

const near = (own: number, wanted: number, name: string): void =>
  assert.ok(Math.abs(own - wanted) <= 1e-12 + 1e-9 * Math.abs(wanted), `${name}: ${own} is not ${wanted}`);

test('equal weights give the statistics of values without weights', () => {
  const random = makeRandom(1);
  const values = Float32Array.from({ length: 501 }, () => random() - 0.5);
  const wanted = summarize(values, null);
  const found = summarizeWeighted({ values, weights: new Float32Array(501).fill(1) });
  assert.ok(wanted !== null && found !== null);
  for (const name of Object.keys(wanted) as (keyof typeof wanted)[]) near(found[name], wanted[name], name);
});

test('equal values count as one with their weights together', () => {
  const apart = summarizeWeighted({
    values: Float32Array.of(1, 3, 5, 1),
    weights: Float32Array.of(0.5, 1, 1, 0.5),
  });
  const together = summarizeWeighted({ values: Float32Array.of(1, 3, 5), weights: Float32Array.of(1, 1, 1) });
  assert.deepEqual(apart, together);
});

test('weights count, values that are not finite do not', () => {
  const found = summarizeWeighted({
    values: Float32Array.of(4, Number.NaN, 1, 2),
    weights: Float32Array.of(0.25, 1, 0.5, 1),
  });
  assert.ok(found !== null);
  near(found.count, 1.75, 'count');
  near(found.average, (0.5 + 2 + 1) / 1.75, 'average');
  assert.deepEqual([found.min, found.max], [1, 4]);
  // The values stand at 0, 1 + 2 · 0.5 and 2 · 0.25 + 2 · 1.5, the median at half of 2 · 1.75.
  near(found.median, 1 + 1.75 / 2, 'median');
  assert.equal(summarizeWeighted({ values: Float32Array.of(Number.NaN), weights: Float32Array.of(1) }), null);
  assert.equal(summarizeWeighted({ values: Float32Array.of(7), weights: Float32Array.of(0.1) })?.p90, 7);
});
