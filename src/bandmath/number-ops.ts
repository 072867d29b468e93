import type { BinaryOp, UnaryOp } from './typed-tree.ts';

/** Rounds a result to its precision: `Math.fround` for float32, the identity for float64. */
type Rounding = (value: number) => number;

/** Every operation on numbers of one precision, by name; true is 1 and false 0. */
export interface NumberOps {
  readonly unary: Readonly<Record<UnaryOp, (x: number) => number>>;
  readonly binary: Readonly<Record<BinaryOp, (x: number, y: number) => number>>;
}

const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);
const isTrue = (x: number): boolean => x !== 0; // NaN is
const truth = (isSo: boolean): number => (isSo ? 1 : 0);
const withSign = (size: number, isMinus: boolean): number => (isMinus ? -Math.abs(size) : Math.abs(size));

/** To the nearest whole number, half to the even one; a result of 0 has the sign of the operand. */
function rint(x: number): number {
  if (!(Math.abs(x) < 2 ** 52)) return x;
  const below = Math.floor(x);
  const rest = x - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return withSign(isUp ? below + 1 : below, isNegative(x));
}

/** The fraction, with the sign of the number; that of an infinity is 0. */
const modf = (x: number): number =>
  Number.isNaN(x) ? x : withSign(Math.abs(x) === Infinity ? 0 : x - Math.trunc(x), isNegative(x));

const sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : x === 0 ? 0 : Number.NaN);

/** C's pow: JavaScript's differs only for 1 to the NaN and −1 to the infinite. */
const power = (x: number, y: number): number =>
  x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y;

/**
 * C's hypot: infinite when either operand is, even if the other is NaN. Squares of float32 do not overflow; others need
 * scaling.
 */
function hypot(x: number, y: number): number {
  if (Math.abs(x) === Infinity || Math.abs(y) === Infinity) return Infinity;
  return Math.hypot(x, y);
}

/** x · 2ⁿ. Powers up to 2¹⁰⁰⁰ are exact, so only the last factor rounds. */
function ldexp(x: number, y: number): number {
  let left = Number.isNaN(y) ? 0 : Math.trunc(Math.min(Math.max(y, -(2 ** 31)), 2 ** 31 - 1));
  left = Math.min(Math.max(left, -3_000), 3_000);
  let result = x;
  while (left !== 0) {
    const step = Math.min(Math.max(left, -1_000), 1_000);
    result *= 2 ** step;
    left -= step;
  }
  return result;
}

function heaviside(x: number, half: number): number {
  if (Number.isNaN(x)) return x;
  return x === 0 ? half : truth(x > 0);
}

/** log(eˣ + eʸ) without the powers, which would overflow. */
function logaddexp(x: number, y: number): number {
  if (x === y) return x + Math.LN2;
  const distance = Math.abs(x - y);
  return Number.isNaN(distance) ? distance : Math.max(x, y) + Math.log1p(Math.exp(-distance));
}

function logaddexp2(x: number, y: number): number {
  if (x === y) return x + 1;
  const distance = Math.abs(x - y);
  return Number.isNaN(distance) ? distance : Math.max(x, y) + Math.log1p(2 ** -distance) * Math.LOG2E;
}

/** The quotient rounded down and the remainder with the divisor's sign, step by step as in NumPy, rounding included. */
function makeDivmod(round: Rounding) {
  return (x: number, y: number): readonly [quotient: number, rest: number] => {
    let rest = x % y;
    if (y === 0) return [round(x / y), rest];
    let quotient = round(round(x - rest) / y);
    if (rest === 0) rest = withSign(0, isNegative(y));
    else if (y < 0 !== rest < 0) {
      rest = round(rest + y);
      quotient = round(quotient - 1);
    }
    if (quotient === 0) return [withSign(0, isNegative(x / y)), rest];
    const below = Math.floor(quotient);
    return [quotient - below > 0.5 ? below + 1 : below, rest];
  };
}

/** The next float32 towards another number; also for decimals, because an image holds float32. */
function nextafter(from: number, to: number): number {
  const x = Math.fround(from);
  const y = Math.fround(to);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  const float = Float32Array.of(x);
  const bits = new Int32Array(float.buffer);
  if (x === 0) bits[0] = y < 0 ? 0x80000001 | 0 : 1;
  // further from zero is one more in the bits, whatever the sign
  else bits[0] = bits[0]! + (x < y === x > 0 ? 1 : -1);
  return float[0]!;
}

/** Functions that IEEE 754 does not define are computed in float64 and rounded once. */
function makeNumberOps(round: Rounding): NumberOps {
  const divmod = makeDivmod(round);
  const rounded =
    (compute: (x: number) => number) =>
    (x: number): number =>
      round(compute(x));
  const rounded2 =
    (compute: (x: number, y: number) => number) =>
    (x: number, y: number): number =>
      round(compute(x, y));
  return {
    unary: {
      negative: (x) => -x,
      abs: Math.abs,
      sign,
      floor: Math.floor,
      ceil: Math.ceil,
      trunc: Math.trunc,
      rint,
      modf,
      sqrt: rounded(Math.sqrt),
      cbrt: rounded(Math.cbrt),
      sin: rounded(Math.sin),
      cos: rounded(Math.cos),
      tan: rounded(Math.tan),
      arcsin: rounded(Math.asin),
      arccos: rounded(Math.acos),
      arctan: rounded(Math.atan),
      sinh: rounded(Math.sinh),
      cosh: rounded(Math.cosh),
      tanh: rounded(Math.tanh),
      arcsinh: rounded(Math.asinh),
      arccosh: rounded(Math.acosh),
      arctanh: rounded(Math.atanh),
      exp: rounded(Math.exp),
      expm1: rounded(Math.expm1),
      exp2: rounded((x) => 2 ** x),
      log: rounded(Math.log),
      log10: rounded(Math.log10),
      log2: rounded(Math.log2),
      log1p: rounded(Math.log1p),
      logical_not: (x) => truth(!isTrue(x)),
    },
    binary: {
      add: (x, y) => round(x + y),
      subtract: (x, y) => round(x - y),
      multiply: (x, y) => round(x * y),
      divide: (x, y) => round(x / y),
      floor_divide: (x, y) => divmod(x, y)[0],
      mod: (x, y) => divmod(x, y)[1],
      fmod: (x, y) => x % y,
      power: rounded2(power),
      minimum: Math.min,
      maximum: Math.max,
      fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
      fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
      // NaN counts as positive: its sign depends on the processor
      copysign: (x, y) => withSign(x, isNegative(y)),
      nextafter,
      ldexp: rounded2(ldexp),
      heaviside,
      hypot: rounded2(hypot),
      arctan2: rounded2(Math.atan2),
      logaddexp: rounded2(logaddexp),
      logaddexp2: rounded2(logaddexp2),
      less: (x, y) => truth(x < y),
      less_equal: (x, y) => truth(x <= y),
      equal: (x, y) => truth(x === y),
      not_equal: (x, y) => truth(x !== y),
      logical_and: (x, y) => truth(isTrue(x) && isTrue(y)),
      logical_or: (x, y) => truth(isTrue(x) || isTrue(y)),
      logical_xor: (x, y) => truth(isTrue(x) !== isTrue(y)),
    },
  };
}

/** Operations on bands. */
export const float32Ops: NumberOps = makeNumberOps(Math.fround);
/** Operations on decimals that are not combined with a band yet. */
export const float64Ops: NumberOps = makeNumberOps((value) => value);
