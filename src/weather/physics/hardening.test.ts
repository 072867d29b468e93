import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harden, toCrownTemperature, toSeasonStart } from './hardening.ts';

/** Minimum, maximum, snow depth; index and critical temperature after the day. */
const WINTER = [
  [2, 8, 0, 0.095553, -6.5733],
  [1, 6, 0, 0.195553, -7.1733],
  [0, 7, 0, 0.295553, -7.7733],
  [-1, 5, 0, 0.395233, -8.3714],
  [-3, 3, 0, 0.485603, -8.9136],
  [-2, 4, 0, 0.582237, -9.4934],
  [1, 5, 0, 0.681743, -10.0905],
  [0, 6, 0, 0.781249, -10.6875],
  [-1, 4, 0, 0.879639, -11.2778],
  [0, 5, 0, 0.977663, -11.866],
  [-2, 6, 0, 1.077479, -12.4649],
  [-5, -1, 0, 1.160812, -12.9649],
  [-9, -4, 2, 1.244146, -13.4649],
  [-12, -6, 6, 1.327479, -13.9649],
  [-18, -8, 12, 1.410812, -14.4649],
  [-20, -10, 20, 1.494146, -14.9649],
  [-8, 1, 15, 1.577479, -15.4649],
  [0, 12, 4, 1.497479, -14.9849],
  [3, 15, 0, 1.297479, -13.7849],
] as const;

test('a winter hardens wheat day by day, and a thaw undoes some of it', () => {
  let index = 0;
  for (const [i, [min, max, snowDepth, expected, critical]] of WINTER.entries()) {
    const after = harden(index, { min, max, snowDepth });
    assert.ok(Math.abs(after.index - expected) < 1e-6, `day ${i + 1}: ${after.index}`);
    assert.ok(
      Math.abs(after.criticalTemperature - critical) < 1e-4,
      `day ${i + 1}: ${after.criticalTemperature}`,
    );
    index = after.index;
  }
});

test('snow protects the crown, to a depth', () => {
  assert.ok(Math.abs(toCrownTemperature(-18, 12) - -5.4916) < 1e-9);
  assert.ok(Math.abs(toCrownTemperature(-20, 20) - -6) < 1e-9);
  assert.ok(Math.abs(toCrownTemperature(-5, 0) - -2.025) < 1e-9);
  assert.equal(toCrownTemperature(-5, null), toCrownTemperature(-5, 0));
  assert.equal(toCrownTemperature(7, 10), 7);
});

test('the index stays between 0 and 2', () => {
  assert.equal(harden(0, { min: 20, max: 35, snowDepth: 0 }).index, 0);
  assert.equal(harden(1.98, { min: -20, max: -10, snowDepth: 0 }).index, 2);
});

test('a season starts before the day, by hemisphere', () => {
  assert.equal(toSeasonStart('2026-08-01', 50), '2026-08-01');
  assert.equal(toSeasonStart('2026-07-31', 50), '2025-08-01');
  assert.equal(toSeasonStart('2026-05-02', -30), '2026-02-01');
  assert.equal(toSeasonStart('2026-01-31', -30), '2025-02-01');
});
