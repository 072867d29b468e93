import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grid } from '../geo/index.ts';
import type { ClassifyRequest } from './classify-pixels.ts';
import { classifyPixels } from './classify-pixels.ts';

const SIDE = 100;
const grid: Grid = {
  epsg: 32_631,
  transform: [500_000, 10, 0, 4_700_000, 0, -10],
  width: SIDE,
  height: SIDE,
};

const layerOf = (valueAt: (column: number, row: number) => number) => ({
  values: new Float32Array(SIDE * SIDE).map((_, i) => valueAt(i % SIDE, Math.floor(i / SIDE))),
  mask: null,
});

const request: ClassifyRequest = {
  layer: layerOf((column) => column / SIDE),
  minus: null,
  grid,
  inside: new Uint8Array(SIDE * SIDE).fill(1),
  thresholds: [0.25, 0.5],
  bins: 10,
  range: { min: 0, max: 1 },
  minHectares: 0,
};

test('a value belongs to the class of the highest threshold it reaches', () => {
  const { measured, area, clear, separability } = classifyPixels(request);
  assert.deepEqual(
    measured.map(({ number, from, to, pixels }) => [number, from, to, pixels]),
    [
      [1, null, 0.25, 2500],
      [2, 0.25, 0.5, 2500],
      [3, 0.5, null, 5000],
    ],
  );
  assert.deepEqual([area.pixels, clear.pixels, separability], [10_000, 10_000, null]);
  assert.ok(Math.abs(measured[2]!.mean! - 0.745) < 1e-6);
});

test('areas are measured on the ellipsoid: in the middle of a UTM zone they are 0.08 % larger than the pixels say', () => {
  const { measured, area } = classifyPixels(request);
  const scale = 1 / 0.9996 ** 2;
  assert.ok(Math.abs(area.hectares / (100 * scale) - 1) < 2e-5, `${area.hectares}`);
  assert.ok(Math.abs(measured[2]!.hectares / area.hectares - 0.5) < 1e-6);
  assert.ok(Math.abs(measured[2]!.percent - 50) < 1e-4);
});

test('pixels outside, without a value or masked have no class, and those outside do not count as area', () => {
  const inside = new Uint8Array(SIDE * SIDE).map((_, i) => Number(i >= 1000));
  const mask = new Uint8Array(SIDE * SIDE).map((_, i) => Number(i % SIDE !== 99));
  const values = request.layer.values.map((value, i) => (i % SIDE === 0 ? Number.NaN : value));
  const { classes, area, clear } = classifyPixels({ ...request, inside, layer: { values, mask } });
  assert.deepEqual([area.pixels, clear.pixels], [9000, 9000 - 180]);
  assert.deepEqual([classes[0], classes[1000], classes[1099], classes[1050]], [0, 0, 0, 3]);
});

test('the other layer is subtracted where both have a value', () => {
  const minus = layerOf((column, row) => (row === 0 ? Number.NaN : column / SIDE - 0.3));
  const { measured, clear } = classifyPixels({ ...request, minus });
  assert.equal(clear.pixels, 9900);
  assert.deepEqual(
    measured.map(({ pixels }) => pixels),
    [0, 9900, 0],
  );
});

test('Otsu finds the threshold between two groups despite single outliers', () => {
  const layer = layerOf((column, row) => {
    if (column === 0 && row === 0) return 1e6;
    return column < 30 ? -20 + (row % 10) / 10 : -10 + (row % 10) / 10;
  });
  const found = classifyPixels({ ...request, layer, thresholds: 'otsu', range: null });
  assert.ok(found.thresholds[0]! > -19 && found.thresholds[0]! < -10, `${found.thresholds}`);
  assert.deepEqual(
    found.measured.map(({ pixels }) => pixels),
    [2999, 7001],
  );
  assert.ok(found.separability! > 0.99);
  assert.equal(found.histogram.above, 1);
  assert.equal(
    found.histogram.counts.reduce((sum, count) => sum + count, found.histogram.below + found.histogram.above),
    10_000,
  );
});

test('small patches join their neighbour, and are counted there', () => {
  const layer = layerOf((column, row) => (column === 5 && row === 5 ? 0.9 : 0));
  const sizes = (minHectares: number) =>
    classifyPixels({ ...request, layer, minHectares }).measured.map(({ pixels }) => pixels);
  assert.deepEqual(sizes(0), [9999, 0, 1]);
  assert.deepEqual(sizes(0.02), [10_000, 0, 0]);
});

test('no values at all, or equal values for Otsu, are refused with the reason', () => {
  const nothing = layerOf(() => Number.NaN);
  assert.throws(() => classifyPixels({ ...request, range: null, layer: nothing }), /No pixel of the area/);
  assert.throws(
    () => classifyPixels({ ...request, thresholds: 'otsu', layer: layerOf(() => 3), range: null }),
    /alike/,
  );
});
