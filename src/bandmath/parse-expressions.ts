import type { ExpressionLimits, Span } from './expression-text.ts';
import { refuseExpression, tileLimits } from './expression-text.ts';
import type { FunctionRule, Meaning } from './functions.ts';
import type { Names } from './names.ts';
import { finishTree, makeNodeList } from './node-list.ts';
import type { Tree } from './parse-tree.ts';
import { parseTrees } from './parse-tree.ts';
import type { BandInput, ExpressionType, Output, TypedTree } from './typed-tree.ts';
import type { Fail, Value, ValueOps } from './values.ts';
import { isBand, makeValueOps, roundInteger, toFloat } from './values.ts';

/** Parses band math: one expression or several, separated by commas, into one typed tree. */
export function parseExpressions(
  text: string,
  names: Names,
  limits: ExpressionLimits = tileLimits,
): TypedTree {
  const { trees } = parseTrees(text, names, limits);
  const tree = typeTrees(text, trees);
  if (tree.costPerPixel > limits.maxCostPerPixel) {
    throw refuseExpression('expression-too-complex', {
      text,
      at: { start: 0, end: text.length },
      reason: `it takes the work of ${tree.costPerPixel} additions per pixel, more than ${limits.maxCostPerPixel}.`,
    });
  }
  return tree;
}

/** The context of a part of a tree: how its bands are read, and the position in the text for errors. */
interface Context {
  readonly calibrated: boolean;
  readonly scene: BandInput['scene'];
  /** The position of the alias while inside it: the user has not seen its text. */
  readonly at: Span | null;
}

/** Gives every part of some expressions its type, and shares common parts. */
function typeTrees(text: string, trees: readonly Tree[]): TypedTree {
  const list = makeNodeList();
  const ops = makeValueOps(list);

  // As deep as the tree, which the node limit bounds.
  function evaluate(tree: Tree, context: Context): Value {
    if (tree.kind === 'whole') return ops.int(tree.value);
    if (tree.kind === 'decimal') return ops.float(tree.value);
    if (tree.kind === 'nodata') return ops.nodata();
    if (tree.kind === 'band') {
      const { calibrated, scene } = context;
      return ops.input(list.addInput({ band: tree.band.name, calibrated, scene }));
    }
    const fail: Fail = (code, reason) => {
      throw refuseExpression(code, { text, at: context.at ?? tree.at, reason });
    };
    if (tree.kind === 'call') {
      const args = tree.args.map((arg) => evaluate(arg, context));
      return callFunction(tree.rule, { ops, args, fail });
    }
    const inside = {
      calibrated: context.calibrated || tree.index.needsReflectance,
      scene: context.scene,
      at: context.at ?? tree.at,
    };
    const now = evaluate(tree.tree, inside);
    if (tree.changeWhen === null) return now;
    const before = evaluate(tree.tree, { ...inside, scene: 'earlier' });
    return tree.changeWhen.reduce(
      (shown, { scene, tree: condition }) =>
        ops.where(evaluate(condition, { ...inside, scene }), shown, ops.nodata()),
      ops.apply('subtract', [now, before], fail),
    );
  }

  const outputs = trees.map((tree): Output => {
    const value = evaluate(tree, { calibrated: false, scene: 'this', at: null });
    const node = ops.toNode(value);
    return {
      value: node,
      absent: value.absent,
      uses: [...value.uses],
      type: toType(value, list.nodes[node]!.type === 'boolean'),
    };
  });
  return finishTree(list, outputs);
}

const toType = ({ kind }: Value, isBoolean: boolean): ExpressionType =>
  kind === 'band' && isBoolean ? 'boolean' : kind;

/** One call during evaluation. */
interface Call {
  readonly ops: ValueOps;
  readonly args: readonly Value[];
  readonly fail: Fail;
}

/** The value of a function of the table. */
function callFunction({ meaning, result }: FunctionRule, call: Call): Value {
  const { ops, args, fail } = call;
  if ('form' in meaning) return forms[meaning.form](call);
  if (meaning.op === 'where') return ops.where(args[0]!, args[1]!, args[2]!);
  if (meaning.op === 'ldexp' && args[1]!.kind === 'float') {
    return fail('wrong-arguments', 'the exponent of ldexp must be a whole number or a band.');
  }
  return ops.apply(meaning.op, result === 'float' ? args.map(asFloat) : args, fail);
}

type Form = Extract<Meaning, { form: string }>['form'];

/** Beyond these a power of ten is not a float32 any more. */
const MAX_DECIMALS = 38;
/** NumPy's defaults for isclose and allclose. */
const RELATIVE_TOLERANCE = 1e-5;
const ABSOLUTE_TOLERANCE = 1e-8;

const { fround, PI } = Math;
/** NumPy divides in the precision of the operand, so degrees of a float32 are not those of a float64. */
const FACTORS = {
  degrees: { float: 180 / PI, band: fround(180 / fround(PI)) },
  radians: { float: PI / 180, band: fround(fround(PI) / 180) },
};

const asFloat = (value: Value): Value =>
  value.kind === 'int' ? { ...value, kind: 'float', value: Number(value.value) } : value;

function convertAngle({ ops, args, fail }: Call, form: 'degrees' | 'radians'): Value {
  const factor = ops.float(FACTORS[form][isBand(args[0]!) ? 'band' : 'float']);
  return ops.apply('multiply', [args[0]!, factor], fail);
}

function around({ ops, args: [value, digits], fail }: Call): Value {
  if (digits !== undefined && digits.kind !== 'int') {
    return fail('wrong-arguments', 'the number of decimals must be a whole number.');
  }
  const decimals = Number(digits?.value ?? 0n);
  if (Math.abs(decimals) > MAX_DECIMALS) {
    return fail(
      'wrong-arguments',
      `the number of decimals is not between -${MAX_DECIMALS} and ${MAX_DECIMALS}.`,
    );
  }
  if (value!.kind === 'int') {
    const rounded = roundInteger(value!.value, decimals);
    return typeof rounded === 'bigint'
      ? { ...value!, value: rounded }
      : fail(rounded, 'a whole number becomes too large; write it with a decimal point.');
  }
  if (decimals === 0) return ops.apply('rint', [value!], fail);
  const power = ops.float(Number(`1e${Math.abs(decimals)}`));
  const [scale, unscale] =
    decimals > 0 ? (['multiply', 'divide'] as const) : (['divide', 'multiply'] as const);
  const whole = ops.apply('rint', [ops.apply(scale, [value!, power], fail)], fail);
  return ops.apply(unscale, [whole, power], fail);
}

function reciprocal({ ops, args: [value], fail }: Call): Value {
  if (value!.kind !== 'int') return ops.apply('divide', [ops.float(1), value!], fail);
  if (value!.value === 0n) return fail('division-by-zero', 'a whole number is divided by zero.');
  // NumPy truncates, as C does, where Python's division rounds down
  return { ...value!, value: 1n / value!.value };
}

/** |a − b| ≤ atol + rtol·|b| for a finite b, or both the same. */
function isClose({ ops, args, fail }: Call): Value {
  const [left, right, relative = ops.float(RELATIVE_TOLERANCE), absolute = ops.float(ABSOLUTE_TOLERANCE)] =
    // operands are converted before they are computed with: with a band, all of it happens in float32
    args.map(args.some(isBand) ? ops.toBand : asFloat) as [Value, Value, Value?, Value?];
  const apply = (op: Parameters<ValueOps['apply']>[0], ...operands: readonly Value[]): Value =>
    ops.apply(op, operands, fail);
  const size = apply('abs', right);
  const allowed = apply('add', absolute, apply('multiply', relative, size));
  const isNear = apply('less_equal', apply('abs', apply('subtract', left, right)), allowed);
  const hasSize = apply('less', size, ops.float(Infinity));
  return apply('logical_or', apply('logical_and', isNear, hasSize), apply('equal', left, right));
}

/** NumPy takes the root for an exponent of one half, so B4^(1.0/2) is sqrt(B4) even where pow differs, at −0 and −∞. */
function power({ ops, args, fail }: Call): Value {
  const [base, exponent] = args as readonly [Value, Value];
  const isRoot = isBand(base) && !isBand(exponent) && fround(toFloat(exponent)) === 0.5;
  if (!isRoot) return ops.apply('power', args, fail);
  return { ...ops.apply('sqrt', [base], fail), ...ops.originOf(args) };
}

function compareArrays(call: Call, needsEqualSize: boolean): Value {
  const { ops, args, fail } = call;
  const bands = args.filter(isBand).length;
  if (needsEqualSize && bands === 1) return ops.never(args);
  const equal = ops.apply('equal', args, fail);
  return bands === 0 ? equal : ops.all(equal, args);
}

const forms: Readonly<Record<Form, (call: Call) => Value>> = {
  greater: ({ ops, args: [left, right], fail }) => ops.apply('less', [right!, left!], fail),
  greater_equal: ({ ops, args: [left, right], fail }) => ops.apply('less_equal', [right!, left!], fail),
  square: ({ ops, args: [value], fail }) => ops.apply('multiply', [value!, value!], fail),
  reciprocal,
  degrees: (call) => convertAngle(call, 'degrees'),
  radians: (call) => convertAngle(call, 'radians'),
  around,
  clip: ({ ops, args: [value, low, high], fail }) =>
    ops.apply('minimum', [ops.apply('maximum', [value!, low!], fail), high!], fail),
  isclose: isClose,
  allclose: (call) => (call.args.some(isBand) ? call.ops.all(isClose(call), call.args) : isClose(call)),
  array_equal: (call) => compareArrays(call, true),
  array_equiv: (call) => compareArrays(call, false),
  power,
  float_power: ({ ops, args, fail }) => ops.apply('power', args.map(asFloat), fail),
  true_divide: ({ ops, args, fail }) => ops.apply('divide', args.map(asFloat), fail),
  unwrap: ({ ops, args: [value], fail }) =>
    isBand(value!) ? ops.unwrap(value!) : fail('wrong-arguments', 'unwrap takes a band, not a number.'),
};
