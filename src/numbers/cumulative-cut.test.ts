import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulativeCut } from './intensity-range.ts';

const hundred = new Float32Array(100).map((_, i) => i + 1);
const scene = Float32Array.of(1200, 1300, 1500, 1800, 2100, 2600, 3000, 3500, 4200, 9800);
const withNodata = Float32Array.of(0, 0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000);
const twoPercent = { lowPercent: 2, highPercent: 98 };

// Vectors computed by hand.
const vectors = [
  { name: '1..100', values: hundred, cloudPercent: 0, min: 2.98, max: 98.02 },
  { name: '1..100, 40 % cloud', values: hundred, cloudPercent: 40, min: 2.98, max: 68.32 },
  { name: '1..100, overcast', values: hundred, cloudPercent: 100, min: 2.98, max: 23.77 },
  { name: 'a scene', values: scene, cloudPercent: 0, min: 1218, max: 8792 },
  { name: 'a scene, 20 % cloud', values: scene, cloudPercent: 20, min: 1218, max: 3829 },
  { name: 'with nodata', values: withNodata, cloudPercent: 0, min: 118, max: 982 },
  { name: 'with nodata, 30 % cloud', values: withNodata, cloudPercent: 30, min: 118, max: 779.5 },
];

for (const { name, values, cloudPercent, min, max } of vectors) {
  test(`the cumulative cut is correct for ${name}`, () => {
    const mask = values.map((value) => Number(value !== 0));
    const got = cumulativeCut({ values, mask: Uint8Array.from(mask), ...twoPercent, cloudPercent });
    assert.ok(Math.abs(got!.min - min) < 1e-9 && Math.abs(got!.max - max) < 1e-9, JSON.stringify(got));
  });
}

test('the upper cut stays one percent above the lower one and never passes 100', () => {
  const cut = (lowPercent: number, highPercent: number, cloudPercent: number) =>
    cumulativeCut({ values: hundred, mask: null, lowPercent, highPercent, cloudPercent });
  assert.equal(cut(40, 60, 100)!.max, cut(40, 41, 0)!.max);
  assert.equal(cut(2, 100, 0)!.max, 100);
});

test('a flat sample is widened by one, or by a millionth between whole numbers', () => {
  const flat = (value: number) => ({ values: new Float32Array(5).fill(value), mask: null, cloudPercent: 0 });
  assert.deepEqual(cumulativeCut({ ...flat(7), ...twoPercent }), { min: 7, max: 8 });
  assert.deepEqual(cumulativeCut({ ...flat(0.5), ...twoPercent }), { min: 0.5, max: 0.5 + 1e-6 });
});

test('a flat sample far from zero is widened too', () => {
  for (const value of [1e20, -1e20, 3.4e38]) {
    const values = new Float32Array(5).fill(value);
    const { min, max } = cumulativeCut({ values, mask: null, ...twoPercent, cloudPercent: 0 })!;
    assert.ok(min === values[0] && max > min, `${min} ${max}`);
  }
});

test('no data gives no range', () => {
  const values = Float32Array.of(1, Number.NaN);
  assert.equal(cumulativeCut({ values, mask: Uint8Array.of(0, 1), ...twoPercent, cloudPercent: 0 }), null);
});
