import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../testing/test-size.ts';
import { sieve, toMinPixels } from './index.ts';
import { labelRegions } from './sieve.ts';

const toImage = (rows: readonly string[]) => ({
  labels: Uint8Array.from(rows.join(''), Number),
  width: rows[0]!.length,
  height: rows.length,
});
const toRows = (labels: Uint8Array, width: number) =>
  Array.from({ length: labels.length / width }, (_, y) =>
    labels.subarray(y * width, (y + 1) * width).join(''),
  );
const sieveRows = (rows: readonly string[], minPixels: number) =>
  toRows(sieve(toImage(rows), minPixels), rows[0]!.length);

test('in a vector computed by hand a single 3 and a single 1 vanish, a block of four stays', () => {
  const rows = ['11122', '13122', '11121', '33122', '33122'];
  assert.deepEqual(sieveRows(rows, 3), ['11122', '11122', '11122', '33122', '33122']);
});

test('regions touch by sides, not by corners', () => {
  const { sizes, firsts, regions } = labelRegions(toImage(['121', '212', '121']));
  assert.deepEqual([...sizes], new Array(9).fill(1));
  assert.deepEqual([...firsts], [...regions]);
});

test('a region that winds back on itself is one', () => {
  const { sizes } = labelRegions(toImage(['12121', '12121', '11111']));
  assert.deepEqual([...sizes], [11, 2, 2]);
});

test('a small region joins the largest neighbour, even through another small one', () => {
  assert.deepEqual(sieveRows(['1113222'], 2), ['1111222']);
  assert.deepEqual(sieveRows(['111322222'], 2), ['111222222']);
  assert.deepEqual(sieveRows(['134442222'], 4), ['222222222']);
});

test('if no region is large nothing changes, and zero is ignored', () => {
  const noise = ['1212', '2121'];
  assert.deepEqual(sieveRows(noise, 5), noise);
  assert.deepEqual(sieveRows(['00100', '00000'], 3), ['00100', '00000']);
  assert.deepEqual(sieveRows(['22022', '22122', '22022'], 3), ['22022', '22222', '22022']);
});

test('the input stays unchanged, an empty image is accepted, a wrong size is not', () => {
  const image = toImage(['111', '121', '111']);
  assert.deepEqual([...sieve(image, 2)], new Array(9).fill(1));
  assert.equal(image.labels[4], 2);
  assert.equal(sieve({ labels: new Uint8Array(0), width: 0, height: 0 }, 5).length, 0);
  assert.throws(() => sieve({ labels: new Uint8Array(5), width: 2, height: 2 }, 5), { code: 'label-image' });
});

test('2000 m² on the ground are 20 pixels of Sentinel-2', () => {
  assert.equal(toMinPixels(2000, 100), 20);
  assert.equal(toMinPixels(2001, 100), 21);
  assert.equal(toMinPixels(0, 100), 0);
});

test('property: no small region remains next to a large one, and masked pixels stay', () => {
  const image = fc
    .integer({ min: 1, max: 12 })
    .chain((width) =>
      fc
        .array(fc.array(fc.nat(3), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 })
        .map((rows) => ({ labels: Uint8Array.from(rows.flat()), width, height: rows.length })),
    );
  fc.assert(
    fc.property(image, fc.integer({ min: 1, max: 12 }), (before, minPixels) => {
      const labels = sieve(before, minPixels);
      const { regions, sizes } = labelRegions({ ...before, labels });
      const isLarge = (i: number) => sizes[regions[i]!]! >= minPixels;
      for (let i = 0; i < labels.length; i++) {
        assert.equal(labels[i] === 0, before.labels[i] === 0);
        if (labels[i] === 0) continue;
        for (const j of [i % before.width > 0 ? i - 1 : -1, i - before.width]) {
          if (j >= 0 && labels[j] !== 0 && labels[j] !== labels[i]) assert.equal(isLarge(i), isLarge(j));
        }
      }
    }),
    { numRuns: casesOf(200) },
  );
});

test('a large chessboard, where every pixel is a region, stays unchanged', () => {
  const width = 500;
  const labels = new Uint8Array(width * width).map((_, i) => 1 + ((i + Math.floor(i / width)) % 2));
  assert.equal(Buffer.compare(sieve({ labels, width, height: width }, 10), labels), 0);
});

test('where no region is large enough, the largest absorbs the others', () => {
  const labels = Uint8Array.of(1, 1, 2, 1, 3, 2, 0, 3, 2);
  const sieved = sieve({ labels, width: 3, height: 3 }, 100);
  assert.deepEqual([...sieved], [1, 1, 1, 1, 1, 1, 0, 1, 1]);
});
