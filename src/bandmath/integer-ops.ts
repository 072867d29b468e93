import type { BinaryOp, UnaryOp } from './typed-tree.ts';

/**
 * Whole numbers are as in Python 2: exact, of any size, with floor division. "Any size" is limited to the range of
 * float64, so that every one of them can become a float, and so that towers of powers cost nothing.
 */
const MAX_BITS = 1_023;
const LIMIT = 1n << BigInt(MAX_BITS);
/** Decimal digits of the largest one. */
const MAX_DIGITS = 308;

/** The result, or the code of the error. */
export type IntegerResult = bigint | 'integer-too-large' | 'division-by-zero' | 'not-whole';

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const truth = (isTrue: boolean): bigint => (isTrue ? 1n : 0n);
const bound = (value: bigint): IntegerResult => (abs(value) < LIMIT ? value : 'integer-too-large');

/** The number of a string of digits; leading zeros are ignored. */
export const parseInteger = (digits: string): IntegerResult =>
  digits.length > MAX_DIGITS ? 'integer-too-large' : bound(BigInt(digits));

function floorDivide(left: bigint, right: bigint): IntegerResult {
  if (right === 0n) return 'division-by-zero';
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

/** With the sign of the divisor. */
function mod(left: bigint, right: bigint): IntegerResult {
  if (right === 0n) return 'division-by-zero';
  const rest = left % right;
  return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest;
}

function power(base: bigint, exponent: bigint): IntegerResult {
  if (exponent < 0n) return base === 0n ? 'division-by-zero' : 'not-whole';
  if (abs(base) <= 1n) {
    if (exponent === 0n) return 1n;
    return base < 0n && exponent % 2n === 0n ? 1n : base;
  }
  // |base| is at least 2 to the (bits − 1), so the size is known before anything is multiplied
  const bits = abs(base).toString(2).length - 1;
  if (exponent > BigInt(MAX_BITS) || BigInt(bits) * exponent > BigInt(MAX_BITS)) return 'integer-too-large';
  return bound(base ** exponent);
}

/** Half goes to the even neighbour. */
function roundTo(value: bigint, step: bigint): bigint {
  const below = (mod(value, step) as bigint) === 0n ? value : value - (mod(value, step) as bigint);
  const rest = value - below;
  const isUp = rest * 2n > step || (rest * 2n === step && (below / step) % 2n !== 0n);
  return isUp ? below + step : below;
}

/** A whole number rounded to a power of ten; digits after the point change nothing. */
export function roundInteger(value: bigint, decimals: number): IntegerResult {
  return decimals >= 0 ? value : bound(roundTo(value, 10n ** BigInt(-decimals)));
}

type Unary = (value: bigint) => IntegerResult;
type Binary = (left: bigint, right: bigint) => IntegerResult;

const itself: Unary = (value) => value;
const smaller: Binary = (left, right) => (left < right ? left : right);
const larger: Binary = (left, right) => (left > right ? left : right);

const unary: Partial<Readonly<Record<UnaryOp, Unary>>> = {
  negative: (value) => -value,
  abs,
  sign: (value) => (value > 0n ? 1n : value < 0n ? -1n : 0n),
  floor: itself,
  ceil: itself,
  trunc: itself,
  logical_not: (value) => truth(value === 0n),
};

const binary: Partial<Readonly<Record<BinaryOp, Binary>>> = {
  add: (left, right) => bound(left + right),
  subtract: (left, right) => bound(left - right),
  multiply: (left, right) => bound(left * right),
  divide: floorDivide,
  floor_divide: floorDivide,
  mod,
  fmod: (left, right) => (right === 0n ? 'division-by-zero' : left % right),
  power,
  minimum: smaller,
  fmin: smaller,
  maximum: larger,
  fmax: larger,
  less: (left, right) => truth(left < right),
  less_equal: (left, right) => truth(left <= right),
  equal: (left, right) => truth(left === right),
  not_equal: (left, right) => truth(left !== right),
  logical_and: (left, right) => truth(left !== 0n && right !== 0n),
  logical_or: (left, right) => truth(left !== 0n || right !== 0n),
  logical_xor: (left, right) => truth((left !== 0n) !== (right !== 0n)),
};

/** An operation on whole numbers; `not-whole` when the result, or the operation, is one of decimals. */
export function computeIntegers(op: UnaryOp | BinaryOp, [left, right]: readonly bigint[]): IntegerResult {
  if (right === undefined) return unary[op as UnaryOp]?.(left!) ?? 'not-whole';
  return binary[op as BinaryOp]?.(left!, right) ?? 'not-whole';
}
