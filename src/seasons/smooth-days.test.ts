import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMOOTHNESS, smoothDays } from './smooth-days.ts';

/** Solves the same equations as a full matrix, by elimination with pivots. */
const solveFull = (values: readonly number[], weights: readonly number[], smoothness: number): number[] => {
  const count = values.length;
  const rows = values.map((value, i) => {
    const row = new Array<number>(count + 1).fill(0);
    row[i] = weights[i]!;
    row[count] = weights[i]! * value;
    return row;
  });
  for (let i = 0; i + 2 < count; i++) {
    for (const [a, p] of [1, -2, 1].entries()) {
      for (const [b, q] of [1, -2, 1].entries()) rows[i + a]![i + b]! += smoothness * p * q;
    }
  }
  for (let i = 0; i < count; i++) {
    const best = rows
      .slice(i)
      .reduce((at, row, k) => (Math.abs(row[i]!) > Math.abs(rows[at]![i]!) ? i + k : at), i);
    [rows[i], rows[best]] = [rows[best]!, rows[i]!];
    for (let k = i + 1; k < count; k++) {
      const factor = rows[k]![i]! / rows[i]![i]!;
      for (let c = i; c <= count; c++) rows[k]![c]! -= factor * rows[i]![c]!;
    }
  }
  const line = new Array<number>(count).fill(0);
  for (let i = count - 1; i >= 0; i--) {
    let sum = rows[i]![count]!;
    for (let c = i + 1; c < count; c++) sum -= rows[i]![c]! * line[c]!;
    line[i] = sum / rows[i]![i]!;
  }
  return line;
};

test('the line solves the Whittaker equations, including gaps and weights', () => {
  const days = 60;
  const values = Array.from({ length: days }, (_, i) => Math.sin(i / 9) + ((i * 7919) % 13) / 30);
  const weights = values.map((_, i) => (i % 5 === 0 ? 1 : i % 7 === 0 ? 0.3 : 0));
  for (const smoothness of [1, SMOOTHNESS]) {
    const line = smoothDays(values, weights, smoothness);
    for (const [i, expected] of solveFull(values, weights, smoothness).entries()) {
      assert.ok(Math.abs(line[i]! - expected) < 1e-8, `day ${i}: ${line[i]}, not ${expected}`);
    }
  }
});

test('values on a straight line stay on it, and so do the days between', () => {
  const straight = Array.from({ length: 40 }, (_, i) => 0.2 + 0.01 * i);
  const line = smoothDays(
    straight,
    straight.map((_, i) => (i % 13 === 0 ? 1 : 0)),
  );
  for (const [i, value] of straight.entries()) assert.ok(Math.abs(line[i]! - value) < 1e-9);
});

test('waves are damped as predicted by theory: by 1 / (1 + λ·(2 − 2·cos ω)²)', () => {
  const days = 2000;
  for (const period of [20, 35, 120]) {
    const omega = (2 * Math.PI) / period;
    const wave = Array.from({ length: days }, (_, i) => Math.cos(omega * (i - days / 2)));
    const line = smoothDays(
      wave,
      wave.map(() => 1),
    );
    const expected = 1 / (1 + SMOOTHNESS * (2 - 2 * Math.cos(omega)) ** 2);
    assert.ok(
      Math.abs(line[days / 2]! - expected) < 1e-6,
      `${period} days: ${line[days / 2]}, not ${expected}`,
    );
  }
});

test('a single measurement gives a constant line without NaN', () => {
  assert.deepEqual([...smoothDays([0.5], [1])], [0.5]);
  assert.ok([...smoothDays([0.5, 0, 0.7], [1, 0, 1])].every(Number.isFinite));
});
