import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functions } from './functions.ts';
import { valuesOf } from './testing/compute.ts';

const { NaN: nan } = Number;
const inf = Infinity;
const ROWS = {
  B1: [-2.5, -1.5, -0.5, 0, 0.5, 1.5, 2.5, 7, nan, inf],
  B2: [2, 2, 2, 2, 2, 2, -2, -3, 1, 1],
};
/** Results over these rows, by hand and from NumPy; `near` ones to eight digits. */
interface Case {
  readonly text: string;
  readonly expected: readonly number[];
  readonly near?: true;
}

const near = (text: string, ...expected: readonly number[]): Case => ({ text, expected, near: true });
const exact = (text: string, ...expected: readonly number[]): Case => ({ text, expected });
const COMPARED = ROWS.B1.map((value, pixel) => [value, ROWS.B2[pixel]!] as const);
const truth = (test: (x: number, y: number) => boolean) => COMPARED.map(([x, y]) => (test(x, y) ? 1 : 0));
const all = (value: number) => ROWS.B1.map(() => value);

const CASES: readonly Case[] = [
  near(
    'sin(B1)',
    -0.59847218,
    -0.997495,
    -0.47942555,
    0,
    0.47942555,
    0.997495,
    0.59847218,
    0.65698659,
    nan,
    nan,
  ),
  near(
    'cos(B1)',
    -0.80114365,
    0.0707372,
    0.87758255,
    1,
    0.87758255,
    0.0707372,
    -0.80114365,
    0.75390226,
    nan,
    nan,
  ),
  near(
    'tan(B1)',
    0.74702227,
    -14.101419,
    -0.54630247,
    0,
    0.54630247,
    14.101419,
    -0.74702227,
    0.87144798,
    nan,
    nan,
  ),
  near('arcsin(B1)', nan, nan, -0.52359879, 0, 0.52359879, nan, nan, nan, nan, nan),
  near('arccos(B1)', nan, nan, 2.0943952, 1.5707964, 1.0471976, nan, nan, nan, nan, nan),
  near(
    'arctan(B1)',
    -1.19029,
    -0.98279375,
    -0.4636476,
    0,
    0.4636476,
    0.98279375,
    1.19029,
    1.4288993,
    nan,
    1.5707964,
  ),
  near(
    'arctan2(B1,B2)',
    ...[-0.8960554, -0.64350116, -0.24497868, 0, 0.24497868, 0.64350116],
    2.2455373,
    1.9756882,
    nan,
    1.5707964,
  ),
  near('hypot(B1,B2)', 3.2015622, 2.5, 2.0615528, 2, 2.0615528, 2.5, 3.2015622, 7.6157732, nan, inf),
  near(
    'degrees(B1)',
    -143.23944,
    -85.943665,
    -28.647888,
    0,
    28.647888,
    85.943665,
    143.23944,
    401.07043,
    nan,
    inf,
  ),
  near(
    'rad2deg(B1)',
    -143.23944,
    -85.943665,
    -28.647888,
    0,
    28.647888,
    85.943665,
    143.23944,
    401.07043,
    nan,
    inf,
  ),
  near(
    'radians(B1)',
    -0.04363323,
    -0.026179938,
    -0.0087266462,
    0,
    0.0087266462,
    0.026179938,
    0.04363323,
    0.12217305,
    nan,
    inf,
  ),
  near(
    'deg2rad(B1)',
    -0.04363323,
    -0.026179938,
    -0.0087266462,
    0,
    0.0087266462,
    0.026179938,
    0.04363323,
    0.12217305,
    nan,
    inf,
  ),
  near(
    'sinh(B1)',
    -6.0502043,
    -2.1292794,
    -0.5210953,
    0,
    0.5210953,
    2.1292794,
    6.0502043,
    548.31612,
    nan,
    inf,
  ),
  near('cosh(B1)', 6.1322894, 2.3524096, 1.127626, 1, 1.127626, 2.3524096, 6.1322894, 548.31702, nan, inf),
  near(
    'tanh(B1)',
    -0.98661429,
    -0.90514827,
    -0.46211714,
    0,
    0.46211714,
    0.90514827,
    0.98661429,
    0.99999833,
    nan,
    1,
  ),
  near(
    'arcsinh(B1)',
    -1.6472311,
    -1.1947632,
    -0.48121184,
    0,
    0.48121184,
    1.1947632,
    1.6472311,
    2.6441207,
    nan,
    inf,
  ),
  near('arccosh(B1)', nan, nan, nan, nan, nan, 0.96242362, 1.5667993, 2.6339157, nan, inf),
  near('arctanh(B1)', nan, nan, -0.54930615, 0, 0.54930615, nan, nan, nan, nan, nan),
  exact('arctanh(B1*0+1)', inf, inf, inf, inf, inf, inf, inf, inf, nan, nan),
  exact('around(B1)', -2, -2, -0, 0, 0, 2, 2, 7, nan, inf),
  exact('round(B1)', -2, -2, -0, 0, 0, 2, 2, 7, nan, inf),
  exact('rint(B1)', -2, -2, -0, 0, 0, 2, 2, 7, nan, inf),
  exact('around(B1,1)', -2.5, -1.5, -0.5, 0, 0.5, 1.5, 2.5, 7, nan, inf),
  exact('round(B1*500,-3)', -1_000, -1_000, -0, 0, 0, 1_000, 1_000, 4_000, nan, inf),
  exact('fix(B1)', -2, -1, -0, 0, 0, 1, 2, 7, nan, inf),
  exact('trunc(B1)', -2, -1, -0, 0, 0, 1, 2, 7, nan, inf),
  exact('floor(B1)', -3, -2, -1, 0, 0, 1, 2, 7, nan, inf),
  exact('ceil(B1)', -2, -1, -0, 0, 1, 2, 3, 7, nan, inf),
  near('exp(B1)', 0.082085, 0.22313017, 0.60653067, 1, 1.6487212, 4.481689, 12.182494, 1_096.6332, nan, inf),
  near(
    'expm1(B1)',
    -0.917915,
    -0.77686983,
    -0.39346933,
    0,
    0.6487213,
    3.481689,
    11.182494,
    1_095.6332,
    nan,
    inf,
  ),
  near('exp2(B1)', 0.17677669, 0.35355338, 0.70710677, 1, Math.SQRT2, 2.828427, 5.656854, 128, nan, inf),
  near('log(B1)', nan, nan, nan, -inf, -Math.LN2, 0.40546513, 0.91629076, 1.9459101, nan, inf),
  near('log10(B1)', nan, nan, nan, -inf, -0.30103001, 0.17609125, 0.39794001, 0.84509802, nan, inf),
  near('log2(B1)', nan, nan, nan, -inf, -1, 0.5849625, 1.3219281, 2.807355, nan, inf),
  near('log1p(B1)', nan, nan, -Math.LN2, 0, 0.40546512, 0.91629075, 1.252763, 2.0794415, nan, inf),
  near(
    'logaddexp(B1,B2)',
    ...[2.0110478, 2.0297503, 2.0788896, 2.126928, 2.2014132, 2.474077],
    2.5110478,
    7.0000453,
    nan,
    inf,
  ),
  near(
    'logaddexp2(B1,B2)',
    ...[2.06239, 2.1221934, 2.2348406, 2.3219281, 2.4367518, 2.7715533, 2.56239, 7.0014082],
    nan,
    inf,
  ),
  exact('copysign(B1,B2)', 2.5, 1.5, 0.5, 0, 0.5, 1.5, -2.5, -7, nan, inf),
  exact('ldexp(B1,3)', -20, -12, -4, 0, 4, 12, 20, 56, nan, inf),
  exact('ldexp(B1,B2+0.9)', -10, -6, -2, 0, 2, 6, 1.25, 1.75, nan, inf),
  exact('ldexp(B2,B1)', 0.5, 1, 2, 2, 2, 4, -8, -384, 1, inf),
  exact('nextafter(B1*0+1,2)', ...Array(8).fill(1 + 2 ** -23), nan, nan),
  exact('nextafter(B2*0,B2)', ...Array(6).fill(2 ** -149), -(2 ** -149), -(2 ** -149), 2 ** -149, 2 ** -149),
  exact(
    'nextafter(B2,0)',
    ...Array(6).fill(2 - 2 ** -23),
    -2 + 2 ** -23,
    -3 + 2 ** -22,
    1 - 2 ** -24,
    1 - 2 ** -24,
  ),
  exact('negative(B1)', 2.5, 1.5, 0.5, -0, -0.5, -1.5, -2.5, -7, nan, -inf),
  exact('reciprocal(B1)', -0.4, -1 / 1.5, -2, inf, 2, 1 / 1.5, 0.4, 1 / 7, nan, 0),
  exact('add(B1,B2)', -0.5, 0.5, 1.5, 2, 2.5, 3.5, 0.5, 4, nan, inf),
  exact('subtract(B1,B2)', -4.5, -3.5, -2.5, -2, -1.5, -0.5, 4.5, 10, nan, inf),
  exact('multiply(B1,B2)', -5, -3, -1, 0, 1, 3, -5, -21, nan, inf),
  exact('divide(B1,B2)', -1.25, -0.75, -0.25, 0, 0.25, 0.75, -1.25, -7 / 3, nan, inf),
  exact('true_divide(B1,B2)', -1.25, -0.75, -0.25, 0, 0.25, 0.75, -1.25, -7 / 3, nan, inf),
  near('power(B1,B2)', 6.25, 2.25, 0.25, 0, 0.25, 2.25, 0.16, 0.0029154518, nan, inf),
  near('float_power(B1,B2)', 6.25, 2.25, 0.25, 0, 0.25, 2.25, 0.16, 0.0029154518, nan, inf),
  exact('power(B2,0.5*B1/B1)', ...[2, 2, 2].map(Math.sqrt), nan, ...[2, 2].map(Math.sqrt), nan, nan, 1, 1),
  exact('floor_divide(B1,B2)', -2, -1, -1, 0, 0, 0, -2, -3, nan, nan),
  exact('divmod(B1,B2)', -2, -1, -1, 0, 0, 0, -2, -3, nan, nan),
  exact('floor_divide(B2,0)', inf, inf, inf, inf, inf, inf, -inf, -inf, inf, inf),
  exact('mod(B1,B2)', 1.5, 0.5, 1.5, 0, 0.5, 1.5, -1.5, -2, nan, nan),
  exact('remainder(B1,B2)', 1.5, 0.5, 1.5, 0, 0.5, 1.5, -1.5, -2, nan, nan),
  exact('mod(B1,0)', ...all(nan)),
  exact('fmod(B1,B2)', -0.5, -1.5, -0.5, 0, 0.5, 1.5, 0.5, 1, nan, nan),
  exact('modf(B1)', -0.5, -0.5, -0.5, 0, 0.5, 0.5, 0.5, 0, nan, 0),
  near('sqrt(B1)', nan, nan, nan, 0, 0.70710677, 1.2247449, 1.5811388, 2.6457512, nan, inf),
  near(
    'cbrt(B1)',
    -1.3572087,
    -1.1447142,
    -0.79370052,
    0,
    0.79370052,
    1.1447142,
    1.3572087,
    1.9129311,
    nan,
    inf,
  ),
  exact('square(B1)', 6.25, 2.25, 0.25, 0, 0.25, 2.25, 6.25, 49, nan, inf),
  exact('abs(B1)', 2.5, 1.5, 0.5, 0, 0.5, 1.5, 2.5, 7, nan, inf),
  exact('absolute(B1)', 2.5, 1.5, 0.5, 0, 0.5, 1.5, 2.5, 7, nan, inf),
  exact('fabs(B1)', 2.5, 1.5, 0.5, 0, 0.5, 1.5, 2.5, 7, nan, inf),
  exact('sign(B1)', -1, -1, -1, 0, 1, 1, 1, 1, nan, 1),
  exact('minimum(B1,B2)', -2.5, -1.5, -0.5, 0, 0.5, 1.5, -2, -3, nan, 1),
  exact('maximum(B1,B2)', 2, 2, 2, 2, 2, 2, 2.5, 7, nan, inf),
  exact('fmin(B1,B2)', -2.5, -1.5, -0.5, 0, 0.5, 1.5, -2, -3, 1, 1),
  exact('fmax(B1,B2)', 2, 2, 2, 2, 2, 2, 2.5, 7, 1, inf),
  exact('heaviside(B1,0.25)', 0, 0, 0, 0.25, 1, 1, 1, 1, nan, 1),
  exact('clip(B1,-1,2)', -1, -1, -0.5, 0, 0.5, 1.5, 2, 2, nan, 2),
  exact('logical_and(B1,greater(B2,0))', 1, 1, 1, 0, 1, 1, 0, 0, 1, 1),
  exact('logical_or(B1,less(B2,0))', 1, 1, 1, 0, 1, 1, 1, 1, 1, 1),
  exact('logical_xor(B1,B2)', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
  exact('logical_not(B1)', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
  exact('greater(B1,B2)', ...truth((x, y) => x > y)),
  exact('greater_equal(B1,B2)', ...truth((x, y) => x >= y)),
  exact('less(B1,B2)', ...truth((x, y) => x < y)),
  exact('less_equal(B1,B2)', ...truth((x, y) => x <= y)),
  exact('equal(B1,7)', 0, 0, 0, 0, 0, 0, 0, 1, 0, 0),
  exact('not_equal(B1,7)', 1, 1, 1, 1, 1, 1, 1, 0, 1, 1),
  exact('isclose(B1,7.00001)', 0, 0, 0, 0, 0, 0, 0, 1, 0, 0),
  exact('isclose(B1,7.1)', ...all(0)),
  exact('isclose(B1,7.1,0.1)', 0, 0, 0, 0, 0, 0, 0, 1, 0, 0),
  exact('isclose(B1,2,0,0.6)', 0, 0, 0, 0, 0, 1, 1, 0, 0, 0),
  exact('isclose(B1,B1)', 1, 1, 1, 1, 1, 1, 1, 1, 0, 1),
  exact('isclose(B1,1e999)', 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
  exact('allclose(B2,B2*1.000001)', ...all(1)),
  exact('allclose(B2,B2*1.1)', ...all(0)),
  exact('allclose(B2,B2*1.1,0.2)', ...all(1)),
  exact('allclose(B2,B2*1.1,0.0,1.0)', ...all(1)),
  exact('allclose(B1,B1)', ...all(0)), // NaN
  exact('array_equal(B2,B2*1)', ...all(1)),
  exact('array_equal(B1,B1)', ...all(0)),
  exact('array_equal(B2*0,0)', ...all(0)), // another size
  exact('array_equiv(B2*0,0)', ...all(1)),
  exact('array_equiv(B2,2)', ...all(0)),
  exact('where(B1,B2,9)', 2, 2, 2, 9, 2, 2, -2, -3, 1, 1),
  exact('where(1,B1,B2)', ...ROWS.B1),
  exact('where(0.0,B1,B2)', ...ROWS.B2),
  near('unwrap(B1*4)', ...unwrapped()),
];

/** Over −10 −6 −2 0 2 6 10 28: a step of 4 is more than half a turn and becomes 4 − 2π; 18 becomes 18 − 6π. */
function unwrapped(): readonly number[] {
  const turn = 2 * Math.PI;
  return [
    -10,
    -6 - turn,
    -2 - 2 * turn,
    -2 * turn,
    2 - 2 * turn,
    6 - 3 * turn,
    10 - 4 * turn,
    28 - 7 * turn,
    nan,
    nan,
  ];
}

for (const { text, expected, near: isNear } of CASES) {
  test(text, () => {
    const values = valuesOf(text, ROWS);
    if (isNear !== true) {
      assert.deepEqual(values, expected.map(Math.fround));
      return;
    }
    assert.equal(values.length, expected.length);
    values.forEach((value, pixel) => {
      const right = expected[pixel]!;
      const isRight =
        Object.is(value, right) || Math.abs(value - right) <= 2e-7 * Math.max(Math.abs(right), 0.1);
      assert.ok(isRight || value === right, `pixel ${pixel}: ${value}, not ${right}`);
    });
  });
}

test('every function of the table has a case', () => {
  for (const name of functions.keys())
    assert.ok(
      CASES.some(({ text }) => text.startsWith(`${name}(`)),
      name,
    );
});

test('a run of phases is unwrapped', () => {
  const values = valuesOf('unwrap(B1)', { B1: [0, 1, 2, 3.5, -2.5, -1.5, -0.5] });
  const expected = [0, 1, 2, 3.5, 3.7831855, 4.7831855, 5.7831855];
  values.forEach((value, pixel) => {
    assert.ok(Math.abs(value - expected[pixel]!) < 1e-6, `${value}`);
  });
});

test('the maximum of two zeros is positive and the minimum negative, in either order', () => {
  const rows = { B1: [0, -0], B2: [-0, 0] };
  for (const name of ['maximum', 'fmax']) assert.deepEqual(valuesOf(`${name}(B1,B2)`, rows), [0, 0]);
  for (const name of ['minimum', 'fmin']) assert.deepEqual(valuesOf(`${name}(B1,B2)`, rows), [-0, -0]);
});

test('powers follow NumPy at the edges: the exponent 0.5 is the root, NaN to the 0 is 1', () => {
  const rows = { B1: [-0, -inf, nan, 4], B2: [0.5, 0.5, 0.5, 0.5] };
  assert.deepEqual(valuesOf('B1^0.5', rows), [-0, nan, nan, 2]);
  assert.deepEqual(valuesOf('B1^B2', rows), [0, inf, nan, 2]);
  assert.deepEqual(valuesOf('float_power(B1,0.5)', rows), [0, inf, nan, 2]);
  assert.deepEqual(valuesOf('B1^0', rows), [1, 1, 1, 1]);
  assert.deepEqual(valuesOf('1.0^B1', rows), [1, 1, 1, 1]);
  assert.deepEqual(valuesOf('(-1.0)^(B1/0)', { B1: [1, -1] }), [1, 1]);
  assert.deepEqual(valuesOf('hypot(B1,1e999)', rows), [inf, inf, inf, inf]);
  assert.deepEqual(valuesOf('0.0^(-B2)', rows), [inf, inf, inf, inf]);
});

test('logaddexp, floor_divide and nextafter follow NumPy at their edges', () => {
  const rows = { B1: [inf, -inf, 5, 1e38, 0.3], B2: [inf, -inf, 5, -1e-38, 0.1] };
  assert.deepEqual(valuesOf('logaddexp(B1,B2)', rows).slice(0, 2), [inf, -inf]);
  assert.equal(valuesOf('logaddexp2(B1,B2)', rows)[2], 6);
  assert.equal(valuesOf('nextafter(B1,B2)', rows)[2], 5);
  assert.equal(valuesOf('floor_divide(B1,B2)', rows)[3], -inf);
  // the rounded difference over the divisor is slightly less than whole, and NumPy corrects that
  const divided = { B1: [41841688, 21940102], B2: [241.92831420898438, 372.8275146484375] };
  assert.deepEqual(valuesOf('floor_divide(B1,B2)', divided), [172_950, 58_847]);
  assert.deepEqual(valuesOf('fmin(B1,B2)', { B1: [1, nan, nan], B2: [nan, 2, nan] }), [1, 2, nan]);
  assert.deepEqual(valuesOf('fmax(B1,B2)', { B1: [1, nan, nan], B2: [nan, 2, nan] }), [1, 2, nan]);
});

test('half a turn upward is left unchanged', () => {
  const half = Math.fround(Math.PI);
  assert.deepEqual(valuesOf('unwrap(B1)', { B1: [0, half, 0] }), [0, half, 0]);
});
