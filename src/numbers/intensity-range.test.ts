import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRgba } from '../color/testing/to-rgba.ts';
import { loadKernels } from '../raster/index.ts';
import type { IntensityRule } from './index.ts';
import { intensityRange, toSampleReduction } from './index.ts';

const hundred = new Float32Array(100).map((_, i) => i + 1);
const scene = Float32Array.of(1200, 1300, 1500, 1800, 2100, 2600, 3000, 3500, 4200, 9800);
const cc = (cloudPercent: number): IntensityRule => ({
  method: 'cc',
  lowPercent: 2,
  highPercent: 98,
  cloudPercent,
});
const mean = (multiplier: number): IntensityRule => ({ method: 'mean', multiplier });
const rangeOf = (values: Float32Array, rule: IntensityRule, mask: Uint8Array | null = null) => {
  const range = intensityRange({ values, mask }, rule);
  assert.ok(range !== null);
  return range;
};

// Vectors computed by hand.
const vectors = [
  { name: 'cc of 1..100', values: hundred, rule: cc(0), min: 2.98, max: 98.02 },
  { name: 'cc of 1..100 under 40 % cloud', values: hundred, rule: cc(40), min: 2.98, max: 68.32 },
  { name: 'cc of 1..100, overcast', values: hundred, rule: cc(100), min: 2.98, max: 23.77 },
  { name: 'mean of 1..100', values: hundred, rule: mean(0), min: 50.5, max: 50.5 },
  {
    name: 'mean ± 1 σ of 1..100',
    values: hundred,
    rule: mean(1),
    min: 50.5 - 28.86607,
    max: 50.5 + 28.86607,
  },
  { name: 'mean ± 2 σ of 1..100', values: hundred, rule: mean(2), min: -7.23214, max: 108.23214 },
  { name: 'minmax of 1..100', values: hundred, rule: { method: 'minmax' } as const, min: 1, max: 100 },
  { name: 'cc of a scene', values: scene, rule: cc(0), min: 1218, max: 8792 },
  { name: 'cc of a scene under 20 % cloud', values: scene, rule: cc(20), min: 1218, max: 3829 },
  { name: 'mean ± 1 σ of a scene', values: scene, rule: mean(1), min: 678.843252, max: 5521.156748 },
];

for (const { name, values, rule, min, max } of vectors) {
  test(`${name}`, () => {
    const got = rangeOf(values, rule);
    assert.ok(Math.abs(got.min - min) < 1e-6 && Math.abs(got.max - max) < 1e-6, JSON.stringify(got));
  });
}

test('a scene painted with its own cut has the expected levels', () => {
  const grid = { epsg: 3857, width: 10, height: 1, transform: [0, 1, 0, 0, 0, -1] } as const;
  const raster = { ...grid, bands: [scene], mask: new Uint8Array(10).fill(1) };
  const { rgba } = toRgba(loadKernels(), raster, [rangeOf(scene, cc(0))]);
  const levels = Array.from(scene, (_, i) => rgba[4 * i]);
  assert.deepEqual(levels, [0, 3, 9, 20, 30, 47, 60, 77, 100, 255]);
});

test('only pixels with data count, by every method', () => {
  const values = Float32Array.of(
    0,
    0,
    100,
    200,
    300,
    400,
    500,
    600,
    700,
    800,
    900,
    1000,
    Number.NaN,
    Infinity,
  );
  const mask = Uint8Array.from(values, (value) => Number(value !== 0));
  const cut = rangeOf(values, cc(30), mask);
  assert.ok(Math.abs(cut.min - 118) < 1e-9 && Math.abs(cut.max - 779.5) < 1e-9, JSON.stringify(cut));
  assert.deepEqual(rangeOf(values, { method: 'minmax' }, mask), { min: 100, max: 1000 });
  assert.deepEqual(rangeOf(values, { method: 'histogram' }, mask), { min: 100, max: 1000 });
  assert.deepEqual(rangeOf(values, mean(0), mask), { min: 550, max: 550 });
});

test('an empty sample has no range', () => {
  const sample = { values: Float32Array.of(1, 2, Number.NaN), mask: Uint8Array.of(0, 0, 1) };
  for (const rule of [cc(0), mean(2), { method: 'minmax' }, { method: 'histogram' }] as const)
    assert.equal(intensityRange(sample, rule), null);
});

test('for a flat sample cc widens the range, the others return it unchanged', () => {
  const values = new Float32Array(50).fill(7);
  assert.deepEqual(rangeOf(values, cc(0)), { min: 7, max: 8 });
  for (const rule of [mean(2), { method: 'minmax' }, { method: 'histogram' }] as const)
    assert.deepEqual(rangeOf(values, rule), { min: 7, max: 7 });
});

test('histogram drops thin tails and keeps what is between them', () => {
  // 256 bins of width 1: four thousand values in each of the bins 100 to 109 and 150, and single ones far out.
  const values = new Float32Array(44_002);
  for (let i = 0; i < 40_000; i++) values[i] = 100.5 + (i % 10);
  values.fill(150.5, 40_000, 44_000);
  values.set([0, 256], 44_000);
  assert.deepEqual(rangeOf(values, { method: 'histogram' }), { min: 100, max: 151 });
  // 22 of 44,024 are just below 0.05 %, 23 of 44,025 above.
  const withTail = (count: number) => Float32Array.from([...values, ...new Array(count).fill(20.5)]);
  assert.equal(rangeOf(withTail(22), { method: 'histogram' }).min, 100);
  assert.equal(rangeOf(withTail(23), { method: 'histogram' }).min, 20);
});

test('histogram keeps the full extent when the ends are well filled', () => {
  assert.deepEqual(rangeOf(hundred, { method: 'histogram' }), { min: 1, max: 100 });
});

test('a sample is about 1024 pixels long, but strips keep 250,000 pixels and small images all', () => {
  assert.equal(toSampleReduction({ width: 10_240, height: 10_240 }), 10);
  assert.equal(toSampleReduction({ width: 500, height: 900 }), 1);
  const strip = { width: 20_000, height: 2_000 };
  const reduction = toSampleReduction(strip);
  assert.ok(Math.abs((strip.width / reduction) * (strip.height / reduction) - 250_000) < 1e-3);
});
