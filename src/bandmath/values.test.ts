import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { computeIntegers, parseInteger, roundInteger } from './values.ts';

const LARGEST = 2n ** 1_023n - 1n;

test('every operation on whole numbers gives Python 2’s answer', () => {
  const cases: readonly (readonly [Parameters<typeof computeIntegers>[0], readonly bigint[], bigint])[] = [
    ['negative', [3n], -3n],
    ['abs', [-3n], 3n],
    ['sign', [-3n], -1n],
    ['sign', [0n], 0n],
    ['sign', [7n], 1n],
    ['floor', [7n], 7n],
    ['ceil', [7n], 7n],
    ['trunc', [-7n], -7n],
    ['logical_not', [0n], 1n],
    ['logical_not', [2n], 0n],
    ['add', [2n, 3n], 5n],
    ['subtract', [2n, 3n], -1n],
    ['multiply', [2n, -3n], -6n],
    ['minimum', [2n, 3n], 2n],
    ['minimum', [3n, 2n], 2n],
    ['fmin', [3n, 2n], 2n],
    ['maximum', [2n, 3n], 3n],
    ['maximum', [3n, 2n], 3n],
    ['fmax', [2n, 3n], 3n],
    ['less', [2n, 3n], 1n],
    ['less', [3n, 3n], 0n],
    ['less_equal', [3n, 3n], 1n],
    ['less_equal', [4n, 3n], 0n],
    ['equal', [3n, 3n], 1n],
    ['equal', [3n, 4n], 0n],
    ['not_equal', [3n, 4n], 1n],
    ['not_equal', [3n, 3n], 0n],
    ['logical_and', [2n, 3n], 1n],
    ['logical_and', [2n, 0n], 0n],
    ['logical_and', [0n, 2n], 0n],
    ['logical_or', [0n, 0n], 0n],
    ['logical_or', [0n, 3n], 1n],
    ['logical_or', [3n, 0n], 1n],
    ['logical_xor', [2n, 3n], 0n],
    ['logical_xor', [2n, 0n], 1n],
    ['power', [0n, 5n], 0n],
    ['power', [-1n, 4n], 1n],
    ['power', [-1n, 5n], -1n],
    ['power', [-3n, 3n], -27n],
  ];
  for (const [op, args, expected] of cases)
    assert.equal(computeIntegers(op, args), expected, `${op} ${args}`);
});

test('operations without a whole result are reported', () => {
  assert.equal(computeIntegers('sin', [1n]), 'not-whole');
  assert.equal(computeIntegers('hypot', [3n, 4n]), 'not-whole');
  assert.equal(computeIntegers('power', [2n, -1n]), 'not-whole');
  for (const op of ['divide', 'floor_divide', 'mod', 'fmod'] as const) {
    assert.equal(computeIntegers(op, [1n, 0n]), 'division-by-zero');
  }
  assert.equal(computeIntegers('power', [0n, -1n]), 'division-by-zero');
});

test('quotient and remainder restore the number, and the remainder has the sign of the divisor', () => {
  const number = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
  fc.assert(
    fc.property(
      number,
      number.filter((value) => value !== 0n),
      (left, right) => {
        const quotient = computeIntegers('divide', [left, right]) as bigint;
        const rest = computeIntegers('mod', [left, right]) as bigint;
        assert.equal(quotient * right + rest, left);
        assert.ok(right > 0n ? rest >= 0n && rest < right : rest <= 0n && rest > right);
      },
    ),
    { seed: 6 },
  );
});

test('whole numbers are limited to the range of float64, and nothing is computed beyond', () => {
  assert.equal(computeIntegers('add', [LARGEST, 0n]), LARGEST);
  assert.ok(Number.isFinite(Number(LARGEST)));
  assert.equal(computeIntegers('add', [LARGEST, 1n]), 'integer-too-large');
  assert.equal(computeIntegers('subtract', [-LARGEST, 1n]), 'integer-too-large');
  assert.equal(computeIntegers('multiply', [LARGEST, 2n]), 'integer-too-large');
  assert.equal(computeIntegers('power', [2n, 1_022n]), 2n ** 1_022n);
  assert.equal(computeIntegers('power', [2n, 1_023n]), 'integer-too-large');
  assert.equal(computeIntegers('power', [3n, 10n ** 300n]), 'integer-too-large');
  assert.equal(computeIntegers('power', [10n ** 300n, 5n]), 'integer-too-large');
  assert.equal(computeIntegers('power', [3n, 645n]), 3n ** 645n);
  assert.equal(computeIntegers('power', [3n, 646n]), 'integer-too-large');
  assert.equal(roundInteger(LARGEST, -307), 'integer-too-large');
  assert.equal(parseInteger(`${LARGEST}`), LARGEST);
  assert.equal(parseInteger(`${LARGEST + 1n}`), 'integer-too-large');
  assert.equal(parseInteger('9'.repeat(1_000_000)), 'integer-too-large');
  assert.equal(parseInteger('0012'), 12n);
});

test('rounding to tens rounds halves to even', () => {
  const cases: readonly (readonly [value: bigint, decimals: number, rounded: bigint])[] = [
    [15n, -1, 20n],
    [25n, -1, 20n],
    [-15n, -1, -20n],
    [-25n, -1, -20n],
    [26n, -1, 30n],
    [24n, -1, 20n],
    [-24n, -1, -20n],
    [30n, -1, 30n],
    [4n, -3, 0n],
    [17n, 2, 17n],
  ];
  for (const [value, decimals, rounded] of cases)
    assert.equal(roundInteger(value, decimals), rounded, `${value}`);
});
