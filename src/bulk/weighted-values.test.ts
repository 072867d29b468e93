import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize } from '../numbers/index.ts';
import { loadKernels } from '../raster/index.ts';
import { makeRandom } from '../stack/testing/put-scenes.ts';
import { summarizeWeighted } from './weighted-values.ts';

const near = (own: number, wanted: number, name: string): void =>
  assert.ok(Math.abs(own - wanted) <= 1e-12 + 1e-9 * Math.abs(wanted), `${name}: ${own} is not ${wanted}`);

test('equal weights give the statistics of values without weights', () => {
  const random = makeRandom(1);
  const values = new Float32Array(501).map(() => random() - 0.5);
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

test('the kernel finds the same numbers to the last bit', () => {
  const kernels = loadKernels();
  const random = makeRandom(2);
  const cases = [1, 2, 3, 17, 1_000, 5_000].flatMap((length) =>
    [1e-30, 1e-3, 1, 1e20].map((scale) =>
      new Float32Array(length).map((_, i) =>
        i % 11 === 0 ? [0, -0, Number.NaN, Number.POSITIVE_INFINITY, 0.25][i % 5]! : scale * (random() - 0.4),
      ),
    ),
  );
  cases.push(Float32Array.of(Number.NaN), Float32Array.of(-0, 0, -0), new Float32Array(300).fill(0.5));
  for (const values of cases) {
    const weights = Float32Array.from(values, () => Math.max(1e-6, Math.min(1, 2 * random())));
    const allocate = kernels.begin();
    const [valuesAt, weightsAt] = [allocate(values.byteLength), allocate(values.byteLength)];
    const [outAt, workAt] = [allocate(88), allocate(32 * values.length + 32_768)];
    new Float32Array(kernels.buffer(), valuesAt, values.length).set(values);
    new Float32Array(kernels.buffer(), weightsAt, values.length).set(weights);
    const finite = kernels.run.summarizeWeighted(valuesAt, weightsAt, values.length, outAt, workAt);
    const wanted = summarizeWeighted({ values, weights });
    assert.equal(finite, values.filter(Number.isFinite).length);
    if (wanted === null) continue;
    const { count, min, max, average, std, variance, q1, median, q3, p10, p90 } = wanted;
    assert.deepEqual(
      [...new Float64Array(kernels.buffer(), outAt, 11)],
      [count, min, max, average, std, variance, q1, median, q3, p10, p90],
    );
  }
});
