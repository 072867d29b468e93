import type { NodeList } from './node-list.ts';
import { float64Ops } from './number-ops.ts';
import type { BinaryOp, NodeId, UnaryOp } from './typed-tree.ts';
import { booleanOps } from './typed-tree.ts';

/** Common to all values: where NODATA was chosen, and the inputs they depend on, whether or not those matter. */
interface Origin {
  readonly absent: NodeId | null;
  readonly uses: ReadonlySet<number>;
}

/** A value during typing: a whole number, a float64, or an image (INT → FLOAT → BAND). */
export type Value = Origin &
  (
    | { readonly kind: 'int'; readonly value: bigint }
    | { readonly kind: 'float'; readonly value: number }
    | { readonly kind: 'band'; readonly node: NodeId }
  );

/** A value that is the same everywhere. */
type Scalar = Exclude<Value, { readonly kind: 'band' }>;

/** Reports why a call cannot be computed; throws. */
export type Fail = (code: string, reason: string) => never;

/** Operations on values of any type. */
export interface ValueOps {
  float(value: number): Value;
  int(value: bigint): Value;
  nodata(): Value;
  input(input: number): Value;
  /** A false image that depends on the inputs of the operands. */
  never(operands: readonly Value[]): Value;
  /** As an image. */
  toBand(value: Value): Value;
  toNode(value: Value): NodeId;
  /** Where any operand is absent, and the inputs of all of them. */
  originOf(args: readonly Value[]): Origin;
  apply(op: UnaryOp | BinaryOp, args: readonly Value[], fail: Fail): Value;
  where(condition: Value, yes: Value, no: Value): Value;
  /** Over the window: true when true at every pixel that the operands have. */
  all(operand: Value, operands: readonly Value[]): Value;
  unwrap(operand: Value): Value;
}

/** A comparison with NODATA is one with NaN: it has a result, so the pixel is not absent. */
const COMPARISONS: ReadonlySet<string> = new Set(['less', 'less_equal', 'equal', 'not_equal']);

const REASONS = {
  'integer-too-large': 'a whole number becomes too large; write it with a decimal point.',
  'division-by-zero': 'a whole number is divided by zero.',
};

const NONE: ReadonlySet<number> = new Set();

/** True for an image. */
export const isBand = (value: Value): value is Value & { readonly kind: 'band' } => value.kind === 'band';

/** A scalar as float64. */
export const toFloat = ({ value }: Scalar): number => Number(value);

/** True when a scalar counts as true: nonzero, or NaN. */
const isTrue = (value: Scalar): boolean => toFloat(value) !== 0;

const inOrder = (uses: ReadonlySet<number>): readonly number[] => [...uses].sort((a, b) => a - b);

function unionOf(args: readonly Value[]): ReadonlySet<number> {
  const [first = NONE, ...others] = args.map(({ uses }) => uses).filter(({ size }) => size > 0);
  return others.length === 0 ? first : new Set([...first, ...others.flatMap((uses) => [...uses])]);
}

/** Operations that add their nodes to a list. */
export function makeValueOps(list: NodeList): ValueOps {
  const toNode = (value: Value): NodeId =>
    value.kind === 'band' ? value.node : list.constant(Number(value.value));
  const either = (left: NodeId | null, right: NodeId | null): NodeId | null =>
    left === null || right === null ? (left ?? right) : list.binary('logical_or', left, right);
  const absentOf = (args: readonly Value[]): NodeId | null =>
    args.reduce<NodeId | null>((absent, value) => either(absent, value.absent), null);

  function apply(op: UnaryOp | BinaryOp, args: readonly Value[], fail: Fail): Value {
    const origin = { absent: COMPARISONS.has(op) ? null : absentOf(args), uses: unionOf(args) };
    if (args.some(isBand)) {
      const [left, right] = args.map(toNode) as [NodeId, NodeId?];
      const node =
        right === undefined ? list.unary(op as UnaryOp, left) : list.binary(op as BinaryOp, left, right);
      return { kind: 'band', node, ...origin };
    }
    const integers = args.flatMap((value) => (value.kind === 'int' ? [value.value] : []));
    if (integers.length === args.length) {
      const result = computeIntegers(op, integers);
      if (typeof result === 'bigint') return { kind: 'int', value: result, ...origin };
      if (result !== 'not-whole') fail(result, REASONS[result]);
    }
    const [left, right] = (args as readonly Scalar[]).map(toFloat) as [number, number?];
    const value =
      right === undefined
        ? float64Ops.unary[op as UnaryOp](left)
        : float64Ops.binary[op as BinaryOp](left, right);
    return booleanOps.has(op)
      ? { kind: 'int', value: BigInt(value), ...origin }
      : { kind: 'float', value, ...origin };
  }

  /** Where the chosen branch is absent; a null branch is absent nowhere. */
  function chooseAbsent(condition: NodeId, yes: NodeId | null, no: NodeId | null): NodeId | null {
    if (yes === null && no === null) return null;
    const nowhere = list.constant(0, 'boolean');
    const absent = list.where(condition, yes ?? nowhere, no ?? nowhere);
    return absent === nowhere ? null : absent;
  }

  /** NumPy computes both branches, so the inputs of both count. */
  function where(condition: Value, yes: Value, no: Value): Value {
    const uses = unionOf([condition, yes, no]);
    if (condition.kind !== 'band' && yes.kind !== 'band' && no.kind !== 'band') {
      const chosen = isTrue(condition) ? yes : no;
      const absent = either(condition.absent, chosen.absent);
      return yes.kind === 'int' && no.kind === 'int'
        ? { ...(chosen as Value & { kind: 'int' }), absent, uses }
        : { kind: 'float', value: toFloat(chosen), absent, uses };
    }
    const test =
      condition.kind === 'band' ? condition.node : list.constant(isTrue(condition) ? 1 : 0, 'boolean');
    const absent = either(condition.absent, chooseAbsent(test, yes.absent, no.absent));
    return { kind: 'band', node: list.where(test, toNode(yes), toNode(no)), absent, uses };
  }

  return {
    float: (value) => ({ kind: 'float', value, absent: null, uses: NONE }),
    int: (value) => ({ kind: 'int', value, absent: null, uses: NONE }),
    nodata: () => ({ kind: 'float', value: Number.NaN, absent: list.constant(1, 'boolean'), uses: NONE }),
    input: (input) => ({ kind: 'band', node: list.input(input), absent: null, uses: new Set([input]) }),
    never: (operands) => ({
      kind: 'band',
      node: list.constant(0, 'boolean'),
      absent: null,
      uses: unionOf(operands),
    }),
    toBand: (value) =>
      value.kind === 'band'
        ? value
        : { kind: 'band', node: toNode(value), absent: value.absent, uses: value.uses },
    toNode,
    originOf: (args) => ({ absent: absentOf(args), uses: unionOf(args) }),
    apply,
    where,
    all(operand, operands) {
      const uses = unionOf(operands);
      const node = list.all(toNode(operand), { uses: inOrder(uses), absent: absentOf(operands) });
      return { kind: 'band', node, absent: null, uses };
    },
    unwrap(operand) {
      const { absent, uses } = operand;
      const node = list.unwrap(toNode(operand), { uses: inOrder(uses), absent });
      return { kind: 'band', node, absent, uses };
    },
  };
}

/**
 * Whole numbers are as in Python 2: exact, of any size, with floor division. "Any size" is limited to the range of
 * float64, so that every one of them can become a float, and so that towers of powers cost nothing.
 */
const MAX_BITS = 1_023;
const LIMIT = 1n << BigInt(MAX_BITS);
/** Decimal digits of the largest one. */
const MAX_DIGITS = 308;

/** The result, or the code of the error. */
type IntegerResult = bigint | 'integer-too-large' | 'division-by-zero' | 'not-whole';

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
