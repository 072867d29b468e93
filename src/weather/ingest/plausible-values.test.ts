import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkValues } from './plausible-values.ts';

const check = (values: readonly number[], variable: Parameters<typeof checkValues>[1]): readonly number[] => {
  const field = Float32Array.from(values);
  checkValues(field, variable, 'x');
  return [...field];
};

test('values that cannot be are gaps, and rounding is none', () => {
  const gap = Number.NaN;
  assert.deepEqual(check([20, -101, 71, gap, -30], 'temperature'), [20, gap, gap, gap, -30]);
  assert.deepEqual(check([0, -0.0625, -0.5, 12, 3], 'precipitation'), [0, 0, gap, 12, 3]);
  assert.deepEqual(check([104, 99, -1, 130], 'relativeHumidity'), [100, 99, 0, gap]);
});

test('a field in which most values cannot be is refused', () => {
  assert.throws(() => check([290, 291, 20], 'temperature'), { code: 'weather-values', message: /"x".*°C/ });
  assert.throws(() => check([-5, -5, 3], 'precipitation'), { message: /--accumulated/ });
  assert.deepEqual(check([Number.NaN, Number.NaN], 'precipitation'), [Number.NaN, Number.NaN]);
});
