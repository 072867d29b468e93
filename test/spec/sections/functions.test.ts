/** Every function is drawn and compared with the same in JavaScript, pixel by pixel. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawNative, expectNative, greyOf, readBand } from '../pixels.ts';

/** Of both signs, from about -1.4 to 5. */
const A = '(B04/1000.0-1.5)';
/** Above zero, to about 6. */
const C = '(B08/1000.0)';
/** Between 0 and 1. */
const U = '(B04/20000.0)';

interface At {
  readonly a: number;
  readonly c: number;
  readonly u: number;
}
type Case = readonly [expression: string, value: (at: At) => number];

const { fround, floor, trunc } = Math;
const truth = (is: boolean): number => Number(is);
/** Half to even. */
const rint = (x: number): number => {
  const below = floor(x);
  if (x - below !== 0.5) return Math.round(x);
  return below % 2 === 0 ? below : below + 1;
};
/** The sign of the divisor, as Python's. */
const mod = (x: number, y: number): number => x - y * floor(x / y);
const bits = new DataView(new ArrayBuffer(4));
/** The next float32 from x towards y. */
const nextFloat = (x: number, y: number): number => {
  bits.setFloat32(0, x);
  bits.setInt32(0, bits.getInt32(0) + (y > x === x > 0 ? 1 : -1));
  return bits.getFloat32(0);
};

/** Draws expressions of two bands on their own pixels and compares them within a level. */
async function expectCases(cases: readonly Case[]): Promise<void> {
  const [red, near] = [await readBand('l2a', 'B04'), await readBand('l2a', 'B08')];
  const ats = Array.from(red.values, (r, i) => ({
    a: fround(fround(r / 1000) - 1.5),
    c: fround(near.values[i]! / 1000),
    u: fround(r / 20000),
  }));
  for (const [expression, toValue] of cases) {
    const values = ats.map(toValue);
    const finite = values.filter(Number.isFinite);
    assert.ok(finite.length > 0, expression);
    const [min, top] = [Math.min(...finite), Math.max(...finite)];
    const max = top > min ? top : min + 1;
    const range = `MIN_MAX=${min.toFixed(9)},${max.toFixed(9)}`;
    const { rgba } = await drawNative('l2a', expression, red, range);
    for (const [i, value] of values.entries()) {
      const level = Math.min(Math.max(((value - min) / (max - min)) * 255, 0), 255);
      const [found, alpha] = [rgba[4 * i]!, rgba[4 * i + 3]];
      const isRight = Number.isNaN(value) ? alpha === 0 : alpha === 255 && Math.abs(found - level) <= 0.75;
      // Texts are made only when they are needed: there are a million of pixels.
      if (!isRight) assert.fail(`${expression} at ${i}: ${found}, not ${level} of ${JSON.stringify(ats[i])}`);
    }
  }
}

test('expression Trigonometric: sin, cos, tan, arcsin, arccos, arctan, degrees, radians, unwrap, deg2rad, rad2deg, hypot, arctan2', async () => {
  await expectCases([
    [`sin(${A})`, ({ a }) => Math.sin(a)],
    [`cos(${A})`, ({ a }) => Math.cos(a)],
    [`tan(${U})`, ({ u }) => Math.tan(u)],
    [`arcsin(${A})`, ({ a }) => Math.asin(a)],
    [`arccos(${U})`, ({ u }) => Math.acos(u)],
    [`arctan(${A})`, ({ a }) => Math.atan(a)],
    [`degrees(${A})`, ({ a }) => (a * 180) / Math.PI],
    [`radians(${A})`, ({ a }) => (a * Math.PI) / 180],
    [`deg2rad(${A})`, ({ a }) => (a * Math.PI) / 180],
    [`rad2deg(${A})`, ({ a }) => (a * 180) / Math.PI],
    [`hypot(${A},${C})`, ({ a, c }) => Math.hypot(a, c)],
    [`arctan2(${A},${C})`, ({ a, c }) => Math.atan2(a, c)],
  ]);
  // Along each row no step is larger than half a turn, and turns are all that changes.
  const band = await readBand('l2a', 'B08');
  const unwrapped = band.values.map((value) => value / 1000);
  for (let i = 0; i < unwrapped.length; i += 1) {
    if (i % band.width === 0) continue;
    const step = unwrapped[i]! - unwrapped[i - 1]!;
    unwrapped[i]! -= 2 * Math.PI * Math.round(step / (2 * Math.PI));
  }
  const picture = await drawNative('l2a', `unwrap(${C})`, band, 'MIN_MAX=-10,20');
  expectNative(picture, (at) => greyOf(unwrapped[at]!, -10, 20));
});

test('expression Hyperbolic: sinh, cosh, tanh, arcsinh, arccosh, arctanh', () =>
  expectCases([
    [`sinh(${A})`, ({ a }) => Math.sinh(a)],
    [`cosh(${A})`, ({ a }) => Math.cosh(a)],
    [`tanh(${A})`, ({ a }) => Math.tanh(a)],
    [`arcsinh(${A})`, ({ a }) => Math.asinh(a)],
    [`arccosh(${C})`, ({ c }) => Math.acosh(c)],
    [`arctanh(${U})`, ({ u }) => Math.atanh(u)],
  ]));

test('expression Rounding: around, round, rint, fix, floor, ceil, trunc', () =>
  expectCases([
    [`around(${A})`, ({ a }) => rint(a)],
    [`around(${A},1)`, ({ a }) => rint(fround(a * 10)) / 10],
    [`round(${A})`, ({ a }) => rint(a)],
    [`rint(${A})`, ({ a }) => rint(a)],
    [`fix(${A})`, ({ a }) => trunc(a)],
    [`floor(${A})`, ({ a }) => floor(a)],
    [`ceil(${A})`, ({ a }) => Math.ceil(a)],
    [`trunc(${A})`, ({ a }) => trunc(a)],
  ]));

test('expression Exponents and logarithms: exp, expm1, exp2, log, log10, log2, log1p, logaddexp, logaddexp2', () =>
  expectCases([
    [`exp(${A})`, ({ a }) => Math.exp(a)],
    [`expm1(${A})`, ({ a }) => Math.expm1(a)],
    [`exp2(${A})`, ({ a }) => 2 ** a],
    [`log(${A})`, ({ a }) => Math.log(a)],
    [`log10(${C})`, ({ c }) => Math.log10(c)],
    [`log2(${C})`, ({ c }) => Math.log2(c)],
    [`log1p(${U})`, ({ u }) => Math.log1p(u)],
    [`logaddexp(${A},${C})`, ({ a, c }) => Math.log(Math.exp(a) + Math.exp(c))],
    [`logaddexp2(${A},${C})`, ({ a, c }) => Math.log2(2 ** a + 2 ** c)],
  ]));

test('expression Floating point: copysign, ldexp, nextafter', () =>
  expectCases([
    [`copysign(${C},${A})`, ({ a, c }) => (a < 0 ? -c : c)],
    [`ldexp(${A},3)`, ({ a }) => a * 8],
    [`(nextafter(${A},${C})-${A})*1000000.0`, ({ a, c }) => (a === 0 ? 0 : (nextFloat(a, c) - a) * 1e6)],
  ]));

test('expression Arithmetic: negative, reciprocal, add, multiply, divide, power, subtract, true_divide, floor_divide, float_power, fmod, mod, modf, remainder, divmod', () =>
  expectCases([
    [`negative(${A})`, ({ a }) => -a],
    [`reciprocal(${C})`, ({ c }) => 1 / c],
    [`add(${A},${C})`, ({ a, c }) => a + c],
    [`multiply(${A},${C})`, ({ a, c }) => a * c],
    [`divide(${A},${C})`, ({ a, c }) => a / c],
    [`power(${C},${U})`, ({ c, u }) => c ** u],
    [`subtract(${A},${C})`, ({ a, c }) => a - c],
    [`true_divide(${A},${C})`, ({ a, c }) => a / c],
    [`floor_divide(${A},0.75)`, ({ a }) => floor(a / 0.75)],
    [`float_power(${C},1.5)`, ({ c }) => c ** 1.5],
    [`fmod(${A},0.75)`, ({ a }) => a % 0.75],
    [`mod(${A},0.75)`, ({ a }) => mod(a, 0.75)],
    [`modf(${A})`, ({ a }) => a - trunc(a)],
    [`remainder(${A},0.75)`, ({ a }) => mod(a, 0.75)],
    [`divmod(${A},0.75)`, ({ a }) => floor(a / 0.75)],
  ]));

test('expression Miscellaneous: sqrt, cbrt, square, abs, fabs, sign, absolute, fmin, fmax, minimum, maximum, heaviside, clip, pi', () =>
  expectCases([
    [`sqrt(${A})`, ({ a }) => Math.sqrt(a)],
    [`cbrt(${A})`, ({ a }) => Math.cbrt(a)],
    [`square(${A})`, ({ a }) => a * a],
    [`abs(${A})`, ({ a }) => Math.abs(a)],
    [`fabs(${A})`, ({ a }) => Math.abs(a)],
    [`sign(${A})`, ({ a }) => Math.sign(a)],
    [`absolute(${A})`, ({ a }) => Math.abs(a)],
    [`fmin(sqrt(${A}),${U})`, ({ a, u }) => (a < 0 ? u : Math.min(Math.sqrt(a), u))],
    [`fmax(sqrt(${A}),${U})`, ({ a, u }) => (a < 0 ? u : Math.max(Math.sqrt(a), u))],
    [`minimum(sqrt(${A}),${U})`, ({ a, u }) => Math.min(Math.sqrt(a), u)],
    [`maximum(${A},${C})`, ({ a, c }) => Math.max(a, c)],
    [`heaviside(${A},0.5)`, ({ a }) => (a === 0 ? 0.5 : truth(a > 0))],
    [`clip(${A},-0.5,0.5)`, ({ a }) => Math.min(Math.max(a, -0.5), 0.5)],
    [`${A}*pi`, ({ a }) => a * Math.PI],
  ]));

test('expression Logical: logical_and, logical_or, logical_xor, logical_not', () =>
  expectCases([
    [`logical_and(greater(${A},0),less(${C},2))`, ({ a, c }) => truth(a > 0 && c < 2)],
    [`logical_or(greater(${A},0),less(${C},2))`, ({ a, c }) => truth(a > 0 || c < 2)],
    [`logical_xor(greater(${A},0),less(${C},2))`, ({ a, c }) => truth(a > 0 !== c < 2)],
    [`logical_not(greater(${A},0))`, ({ a }) => truth(!(a > 0))],
  ]));

test('expression Comparison: allclose, isclose, array_equal, array_equiv, greater, greater_equal, less, less_equal, equal, not_equal', () =>
  expectCases([
    ['allclose(B04,B04+0.0)', () => 1],
    ['allclose(B04,B08)', () => 0],
    [`isclose(${A},${C},0.0,0.5)`, ({ a, c }) => truth(Math.abs(a - c) <= 0.5)],
    ['array_equal(B04,B04)', () => 1],
    ['array_equal(B04,B08)', () => 0],
    ['array_equiv(B04,B04)', () => 1],
    ['array_equiv(B04,B08)', () => 0],
    [`greater(${A},${U})`, ({ a, u }) => truth(a > u)],
    [`greater_equal(${A},${A})`, () => 1],
    [`less(${A},${U})`, ({ a, u }) => truth(a < u)],
    [`less_equal(${C},2)`, ({ c }) => truth(c <= 2)],
    [`equal(floor(${A}),0)`, ({ a }) => truth(floor(a) === 0)],
    [`not_equal(floor(${A}),0)`, ({ a }) => truth(floor(a) !== 0)],
  ]));

test('expression Indexing: where', () =>
  expectCases([
    [`where(greater(${A},0),${C},${U})`, ({ a, c, u }) => (a > 0 ? c : u)],
    [`where(less(${C},2),1.0,-1.0)`, ({ c }) => (c < 2 ? 1 : -1)],
  ]));

test('expression operators: + - * / ^ ** and the decimal point', () =>
  expectCases([
    [`${A}+${C}`, ({ a, c }) => a + c],
    [`${A}-${C}`, ({ a, c }) => a - c],
    [`${A}*${C}`, ({ a, c }) => a * c],
    [`${A}/${C}`, ({ a, c }) => a / c],
    [`${C}^2`, ({ c }) => c ** 2],
    [`${C}**2.5`, ({ c }) => c ** 2.5],
    [`-${A}^2`, ({ a }) => -(a ** 2)],
    [`${C}^.5`, ({ c }) => Math.sqrt(c)],
  ]));

test('expression integers: whole operands give whole results, a decimal point makes them fractions', () =>
  expectCases([
    ['B04^(1/2)', () => 1],
    ['B04^0', () => 1],
    ['B04^(1.0/2)', ({ u }) => Math.sqrt(u * 20000)],
    ['sqrt(B04)', ({ u }) => Math.sqrt(u * 20000)],
    ['1/2*B04', () => 0],
    ['B04/2', ({ u }) => u * 10000],
    ['3/2*B04', ({ u }) => u * 20000],
  ]));
