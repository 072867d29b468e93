import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { assignClusters, fitClusters } from './index.ts';
import { clusterSpace, findNearest } from './lloyd.ts';

const fitLine = (values: Iterable<number>, clusterCount: number) => {
  const model = fitClusters({ planes: [Float32Array.from(values)], mask: null }, clusterCount);
  assert.ok(model !== null);
  return model;
};
const centres = (values: Iterable<number>, clusterCount: number) =>
  fitLine(values, clusterCount).centroids.map(([x]) => x!);

test('three clusters after two iterations match a vector computed by hand', () => {
  const values = Float32Array.of(0.1, 0.12, 0.15, 0.3, 0.32, 0.35, 0.61, 0.63, 0.7);
  const model = fitLine(values, 3);
  const wanted = [0.123333, 0.323333, 0.646667];
  for (const [i, [x]] of model.centroids.entries()) assert.ok(Math.abs(x! - wanted[i]!) < 1e-6, `${x}`);
  assert.equal(model.iterations, 2);
  assert.deepEqual([...assignClusters(model, { planes: [values], mask: null })], [1, 1, 1, 2, 2, 2, 3, 3, 3]);
});

test('fewer distinct values give fewer clusters, at those values', () => {
  assert.deepEqual(centres([5, 1, 5, 1, 1, 1], 4), [1, 5]);
  assert.deepEqual(centres([7, 7, 7], 20), [7]);
  assert.deepEqual(centres([0, -0], 2), [0]);
});

test('many equal values do not waste a cluster', () => {
  assert.deepEqual(centres([...new Array(1000).fill(0), 5, 6, 100], 3), [0, 5.5, 100]);
  assert.equal(centres([...new Array(1000).fill(0), 1, 2, 3, 4, 5], 5).length, 5);
});

test('a cluster that is empty at first moves to the worst-fitting value', () => {
  // The starts are 0.5, 50 and 99.5, and nothing is nearest to 50.
  assert.deepEqual(centres([0, 1, 99, 100], 3), [0, 1, 99.5]);
});

test('masked and non-finite pixels neither count nor get a label', () => {
  const planes = [Float32Array.of(1, Number.NaN, 2, Number.POSITIVE_INFINITY, 999, 2)];
  const features = { planes, mask: Uint8Array.of(1, 1, 1, 1, 0, 1) };
  const model = fitClusters(features, 2);
  assert.deepEqual(model?.centroids, [[1], [2]]);
  assert.deepEqual([...assignClusters(model, features)], [1, 0, 2, 0, 0, 2]);
  assert.equal(fitClusters({ planes, mask: new Uint8Array(6) }, 2), null);
});

test('features are standardized: units do not matter', () => {
  const first = new Float32Array(400).map((_, i) => Math.round(100 * Math.sin(i * 12.9898)));
  const second = new Float32Array(400).map((_, i) => (i % 2) * 64 + Math.round(8 * Math.sin(i * 78.2)));
  const label = (planes: readonly Float32Array[]) => {
    const model = fitClusters({ planes, mask: null }, 4);
    assert.equal(model?.centroids.length, 4);
    return assignClusters(model, { planes, mask: null });
  };
  const inOtherUnits = first.map((x) => 4096 * x + 8192);
  assert.deepEqual(label([inOtherUnits, second]), label([first, second]));
});

test('groups in space are found, ordered by brightness, and always the same', () => {
  const corners = [
    [900, 100, 500],
    [0, 0, 0],
    [1000, 1000, 1000],
  ] as const;
  const pixels = Array.from({ length: 900 }, (_, i) => i % 3);
  const planes = [0, 1, 2].map((band) =>
    Float32Array.from(pixels, (group, i) => corners[group]![band]! + 5 * Math.sin(i * (band + 1.7))),
  );
  const model = fitClusters({ planes, mask: null }, 3);
  assert.ok(model !== null);
  const labels = assignClusters(model, { planes, mask: null });
  assert.deepEqual(
    [...labels],
    pixels.map((group) => [2, 1, 3][group]!),
  );
  assert.deepEqual(fitClusters({ planes, mask: null }, 3), model);
});

test('in several dimensions, a cluster that becomes empty moves to the worst-fitting point', () => {
  // Found by trial: on the way the middle one of three clusters loses its last point to its neighbours.
  const values = Float64Array.of(7, 5, 3, 4, 8, 8, 10, 3, 11, 2, 4, 3, 3, 5, 11, 1);
  const { centroids } = clusterSpace({ values, count: 8, size: 2 }, 3);
  const flat = Float64Array.from(centroids.flat());
  const used = new Set(Array.from({ length: 8 }, (_, i) => findNearest(values, 2 * i, flat, 2)));
  assert.deepEqual([centroids.length, used.size], [3, 3]);
});

test('in several dimensions, there are no more clusters than distinct points, and a flat feature does no harm', () => {
  const planes = [Float32Array.of(1, 2, 1, 2), Float32Array.of(5, 5, 5, 5)];
  const model = fitClusters({ planes, mask: null }, 8);
  assert.equal(model?.centroids.length, 2);
  assert.deepEqual([...assignClusters(model, { planes, mask: null })], [1, 2, 1, 2]);
  const hollow = [Float32Array.of(1, Number.NaN, 3, 4), Float32Array.of(1, 2, 3, 4)];
  assert.equal(assignClusters(model, { planes: hollow, mask: Uint8Array.of(1, 1, 1, 0) }).join(''), '1020');
});

test('features of different sizes, no features, or other features than in the fit are refused', () => {
  const planes = [new Float32Array(2), new Float32Array(3)];
  assert.throws(() => fitClusters({ planes, mask: null }, 2), { code: 'feature-planes' });
  assert.throws(() => fitClusters({ planes: [], mask: null }, 2), { code: 'feature-planes' });
  const short = { planes: [new Float32Array(3)], mask: new Uint8Array(2) };
  assert.throws(() => fitClusters(short, 2), { code: 'feature-planes' });
  const model = fitLine([1, 2], 2);
  assert.throws(() => assignClusters(model, { planes: [...planes], mask: null }), { code: 'feature-planes' });
});

/**
 * Lloyd's algorithm by the textbook, from the same starts, until nothing moves. Null when a cluster becomes empty, or a
 * value lies so near the midpoint of two centroids that rounding decides.
 */
function lloyd(values: readonly number[], starts: readonly number[]): number[] | null {
  let centroids = [...starts];
  const isTied = (x: number): boolean =>
    centroids.some((c, i) => i > 0 && Math.abs(x - (c + centroids[i - 1]!) / 2) < 1e-6);
  for (let iteration = 0; iteration < 100; iteration++) {
    if (values.some(isTied)) return null;
    const nearest = values.map((x) =>
      centroids.reduce((best, c, i) => (Math.abs(x - c) < Math.abs(x - centroids[best]!) ? i : best), 0),
    );
    const groups = centroids.map((_, i) => values.filter((_, j) => nearest[j] === i));
    if (groups.some(({ length }) => length === 0)) return null;
    const next = groups.map((group) => group.reduce((sum, x) => sum + x, 0) / group.length);
    if (next.every((x, i) => x === centroids[i])) break;
    centroids = next;
  }
  return centroids;
}

test('property: clusters equal the textbook if none becomes empty, and are always ascending and within the values', () => {
  const list = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 8, maxLength: 60 });
  fc.assert(
    fc.property(list, fc.integer({ min: 2, max: 6 }), (values, k) => {
      const found = centres(values, k);
      assert.ok(found.every((x, i) => i === 0 || x > found[i - 1]!));
      assert.ok(found[0]! >= Math.min(...values) && found.at(-1)! <= Math.max(...values));
      const sorted = values.toSorted((a, b) => a - b);
      const starts = Array.from({ length: k }, (_, i) => {
        const position = ((i + 0.5) / k) * (sorted.length - 1);
        const below = sorted[Math.floor(position)]!;
        return below + (position % 1) * (sorted[Math.ceil(position)]! - below);
      });
      const wanted = new Set(starts).size === k && new Set(values).size > k ? lloyd(values, starts) : null;
      if (wanted === null) return;
      // Ours stops when centroids move by less than a ten-thousandth of the deviation, at most 500 here.
      for (const [i, x] of wanted.entries()) assert.ok(Math.abs(found[i]! - x) < 0.2, `${found} ${wanted}`);
    }),
    { numRuns: casesOf(200) },
  );
});
