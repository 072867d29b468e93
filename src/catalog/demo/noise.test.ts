import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clamp, decay, smoothStep, unitVector } from './easing.ts';
import { makeField } from './field.ts';
import { fractalNoise, gradientNoise, hash, random, valueNoise } from './noise.ts';

const place = fc.double({ min: -5000, max: 5000, noNaN: true });

test('the hash of a lattice point is the same on every machine', () => {
  assert.equal(hash(0, 0, 1), 1894348507);
  assert.equal(hash(-7, 12, 61), 508605936);
});

test('random numbers are evenly spread over [0, 1)', () => {
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 10000; i++) counts[Math.floor(random(i, -i, 5) * 10)]!++;
  for (const count of counts) assert.ok(count > 850 && count < 1150, `a tenth holds ${count}`);
});

test('gradient noise is zero on the lattice, bounded and steady', () => {
  assert.equal(gradientNoise(3, -4, 9), 0);
  fc.assert(
    fc.property(place, place, (x, y) => {
      const here = gradientNoise(x, y, 9);
      assert.ok(Math.abs(here) <= Math.SQRT2 * 1.01);
      assert.ok(Math.abs(here - gradientNoise(x + 1e-6, y, 9)) < 1e-4);
    }),
  );
});

test('value noise stays within [0, 1) and fractal noise within its sum of strengths', () => {
  fc.assert(
    fc.property(place, place, (x, y) => {
      const value = valueNoise(x, y, 3);
      assert.ok(value >= 0 && value < 1);
      assert.ok(Math.abs(fractalNoise(x, y, 4, 3)) < Math.SQRT2);
    }),
  );
});

test('different seeds give unrelated noise', () => {
  let product = 0;
  let power = 0;
  for (let i = 0; i < 4000; i++) {
    const a = gradientNoise(i * 0.37, i * 0.11, 1);
    product += a * gradientNoise(i * 0.37, i * 0.11, 2);
    power += a * a;
  }
  assert.ok(Math.abs(product / power) < 0.1, `correlation ${product / power}`);
});

test('decay follows the exponential within two hundredths and steps reach their ends', () => {
  for (let x = 0; x < 12; x += 0.1) assert.ok(Math.abs(decay(x) - Math.exp(-x)) < 0.02, `at ${x}`);
  assert.equal(smoothStep(2, 4, 1), 0);
  assert.equal(smoothStep(2, 4, 3), 0.5);
  assert.equal(smoothStep(4, 2, 1), 1);
  assert.equal(clamp(-3, 0, 1), 0);
});

test('unit vectors have length one and turn once around', () => {
  let turned = 0;
  let [x, y] = unitVector(0);
  for (let i = 1; i <= 100; i++) {
    const [nextX, nextY] = unitVector((i % 100) / 100);
    assert.ok(Math.abs(nextX * nextX + nextY * nextY - 1) < 1e-12);
    turned += Math.asin(x * nextY - y * nextX);
    [x, y] = [nextX, nextY];
  }
  assert.ok(Math.abs(turned - 2 * Math.PI) < 1e-3, `turned by ${turned}`);
});

test('a field answers what it was computed from, exactly for planes', () => {
  const field = makeField(60, (x, y) => 0.5 * x - 0.25 * y);
  for (const [x, y] of [
    [0, 0],
    [1234.5, 777],
    [20519, 20519],
  ] as const) {
    assert.ok(Math.abs(field(x, y) - (0.5 * x - 0.25 * y)) < 1e-2);
  }
});
