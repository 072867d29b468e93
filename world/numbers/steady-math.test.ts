import assert from 'node:assert/strict';
import { test } from 'node:test';
import { angleOf, arcSine, cos, exp, ln, power, sin } from './steady-math.ts';

const near = (actual: number, expected: number): void =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-12 * Math.max(1, Math.abs(expected)),
    `${actual} for ${expected}`,
  );

test('the steady functions agree with those of the engine to twelve digits', () => {
  for (let i = -400; i <= 400; i++) {
    const x = i / 29;
    near(exp(x), Math.exp(x));
    near(sin(x), Math.sin(x));
    near(cos(x * 40), Math.cos(x * 40));
    near(arcSine(i / 400), Math.asin(i / 400));
    near(angleOf(x, 3 - x), Math.atan2(x, 3 - x));
    near(angleOf(x, -0.5), Math.atan2(x, -0.5));
  }
  for (const x of [1e-9, 0.02, 0.7, 1, 1.5, 33, 4e7]) {
    near(ln(x), Math.log(x));
    near(power(x, -1.3) / x ** -1.3, 1);
  }
});
