import { internal } from './errors.ts';
import type { InputRule, RunLocals, TablePlan } from './run-table.ts';
import { emitInput, inputRules, layOutLocals, planTable } from './run-table.ts';
import type { NodeId, PixelNode, PixelOp, TypedNode, TypedTree } from './typed-tree.ts';
import type { Code, KernelCalls, Signature } from './wasm-module.ts';
import {
  getLocal,
  int,
  loadInt,
  loadSplat,
  loadVector,
  loopWhile,
  makeKernelCalls,
  plain,
  setLocal,
  splat,
  storeVector,
  teeLocal,
  toModuleBytes,
  valueType,
} from './wasm-module.ts';

/** A tree as a module, and the layout of its table. */
export interface CompiledTree {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: TablePlan;
}

/** The parameters of `run`: the address of its table, and a range of every plane in bytes of its values. */
const RUN: Signature = { params: [valueType.i32, valueType.i32, valueType.i32], results: [] };

/**
 * Compiles a tree to a WebAssembly module with one function, `run(table, from, end)`, which computes a range of the
 * outputs and their masks, sixteen pixels at a time: `from` and `end` are multiples of 64. A pixel has data, 1 in the
 * mask, where it had before and is not NaN; where NODATA was chosen it is NaN. Trees that need the whole window are
 * left to the interpreter.
 */
export function compileTree(tree: TypedTree, rules: readonly InputRule[]): CompiledTree {
  if (tree.needsWindow) throw internal('needs-window', 'An expression over a whole window is not compiled.');
  const table = planTable(rules, tree.outputs.length);
  const locals = layOutLocals(table, tree.nodes.length);
  const kernels = makeKernelCalls();
  const emit = makeEmitter({ tree, rules, table, locals, kernels });
  // A vector holds four pixels, a vector of masks sixteen: four times the values, then the masks.
  const pixels = [0, 1, 2, 3].flatMap((quarter) => emit.quarter(quarter));
  const step = [...getLocal(locals.at), ...int(64), ...plain.addInt, ...setLocal(locals.at)];
  const goesOn = [...getLocal(locals.at), ...getLocal(locals.end), ...plain.lessInt];
  const body = [...pixels, ...emit.masks(), ...step, ...goesOn];
  const bytes = toModuleBytes({
    imports: kernels.imports(),
    run: {
      signature: RUN,
      locals: locals.declarations,
      body: [...emit.table(), ...emit.constants(), ...loopWhile(body)],
    },
  });
  return { bytes, table };
}

interface EmitterParts {
  readonly tree: TypedTree;
  readonly rules: readonly InputRule[];
  readonly table: TablePlan;
  readonly locals: RunLocals;
  readonly kernels: KernelCalls;
}

/** The pieces of `run`'s body. */
interface Emitter {
  /** Loads the whole table into locals. */
  table(): Code;
  constants(): Code;
  /** Stores the values of the first, second … four of sixteen pixels, and which of them are numbers. */
  quarter(quarter: number): Code;
  /** Stores the masks of sixteen pixels. */
  masks(): Code;
}

/** Generates the instructions of a tree. */
function makeEmitter({ tree, rules, table, locals, kernels }: EmitterParts): Emitter {
  const { nodes, outputs } = tree;
  const nodeValue = (node: NodeId): Code => getLocal(locals.node(node));
  /** Lanes of ones become the number 1. */
  const numberOf = (node: NodeId): Code =>
    nodes[node]?.type === 'boolean' ? [...nodeValue(node), ...splat(1), ...plain.and] : nodeValue(node);
  const addressOf = (plane: number): Code => [
    ...getLocal(locals.int(plane)),
    ...getLocal(locals.at),
    ...plain.addInt,
  ];

  /** The number as read is in the node's own local, so that a rule may use it more than once. */
  const emitBand = (input: number, id: NodeId, quarter: number): Code => {
    const entry = table.inputs[input] as TablePlan['inputs'][number];
    const rule = rules[input] as InputRule;
    const read = (plane: number): Code => [...addressOf(plane), ...loadVector(16 * quarter)];
    const value = emitInput(rule, {
      value: nodeValue(id),
      parameter: (i) => getLocal(locals.parameter(entry.parameter + i)),
      plane: inputRules[rule].hasPlane ? read(entry.second) : [],
      log: () => kernels.call('log', 1),
    });
    return [...read(entry.values), ...setLocal(locals.node(id)), ...value];
  };

  const emitPixel = (node: PixelNode): Code => {
    const { op: name, type, args } = node;
    const operands = args.map((arg, index) => {
      const wantsLanes =
        name.startsWith('logical_') || (name === 'where' && (index === 0 || type === 'boolean'));
      return wantsLanes ? nodeValue(arg) : numberOf(arg);
    });
    return emitOperation(node, operands) ?? [...operands.flat(), ...kernels.call(name, args.length)];
  };

  const emitNode = (node: TypedNode, id: NodeId, quarter: number): Code => {
    if (node.op === 'constant') return [];
    const code = node.op === 'input' ? emitBand(node.input, id, quarter) : emitPixel(node as PixelNode);
    return [...code, ...setLocal(locals.node(id))];
  };

  const emitOutput = (output: number, quarter: number): Code => {
    const { value, absent } = outputs[output] as TypedTree['outputs'][number];
    const { values } = table.outputs[output] as TablePlan['outputs'][number];
    const number = numberOf(value);
    const result =
      absent === null ? number : [...splat(Number.NaN), ...number, ...nodeValue(absent), ...plain.bitSelect];
    return [
      ...[...addressOf(values), ...result, ...teeLocal(locals.scratch), ...storeVector(16 * quarter)],
      ...[...getLocal(locals.scratch), ...getLocal(locals.scratch), ...plain.eq],
      ...setLocal(locals.isNumber(output, quarter)),
    ];
  };

  /** A mask has one byte where a value has four. */
  const pixelAt = [...getLocal(locals.at), ...int(2), ...plain.shiftRightInt];
  const emitMask = (output: number): Code => {
    const { mask, before, stride } = table.outputs[output] as TablePlan['outputs'][number];
    const flag = (quarter: number): Code => getLocal(locals.isNumber(output, quarter));
    const had = [
      ...[...getLocal(locals.int(before)), ...pixelAt, ...getLocal(locals.int(stride))],
      ...[...plain.andInt, ...plain.addInt, ...loadVector(0)],
    ];
    const has = [
      ...[...flag(0), ...flag(1), ...plain.narrowFour],
      ...[...flag(2), ...flag(3), ...plain.narrowFour],
      ...plain.narrowEight,
    ];
    return [
      ...[...getLocal(locals.int(mask)), ...pixelAt, ...plain.addInt],
      ...[...had, ...has, ...plain.and, ...storeVector(0)],
    ];
  };

  return {
    table: () => [
      ...Array.from({ length: table.ints }, (_, index) => [
        ...[...getLocal(locals.table), ...loadInt(4 * index), ...setLocal(locals.int(index))],
      ]).flat(),
      ...Array.from({ length: table.parameters }, (_, index) => [
        ...[...getLocal(locals.table), ...loadSplat(4 * (table.ints + index))],
        ...setLocal(locals.parameter(index)),
      ]).flat(),
    ],
    constants: () =>
      nodes.flatMap((node, id) =>
        node.op === 'constant'
          ? [...emitConstant(node.type === 'boolean', node.value), ...setLocal(locals.node(id))]
          : [],
      ),
    quarter: (quarter) => [
      ...nodes.flatMap((node, id) => emitNode(node, id, quarter)),
      ...outputs.flatMap((_, output) => emitOutput(output, quarter)),
    ],
    masks: () => outputs.flatMap((_, output) => emitMask(output)),
  };
}

/** A constant in all lanes: a number, or lanes of ones or zeros. */
const emitConstant = (isBoolean: boolean, value: number): Code =>
  isBoolean && value !== 0 ? [...splat(0), ...splat(0), ...plain.eq] : splat(value);

/**
 * An operation as instructions: `args` pushes an operand, as a float or, for those of `logical_*` and the condition of
 * `where`, as lanes of ones and zeros. Comparisons and `logical_*` leave such lanes too.
 */
type Emit = (...args: readonly Code[]) => Code;

/** Operations that are one instruction after their operands. */
const single = {
  negative: plain.neg,
  abs: plain.abs,
  floor: plain.floor,
  ceil: plain.ceil,
  trunc: plain.trunc,
  rint: plain.nearest,
  sqrt: plain.sqrt,
  add: plain.add,
  subtract: plain.sub,
  multiply: plain.mul,
  divide: plain.div,
  minimum: plain.min,
  maximum: plain.max,
  less: plain.lt,
  less_equal: plain.le,
  equal: plain.eq,
  not_equal: plain.ne,
  logical_not: plain.not,
  logical_and: plain.and,
  logical_or: plain.or,
  logical_xor: plain.xor,
} as const satisfies Partial<Readonly<Record<PixelOp, Code>>>;

const select = (then: Code, otherwise: Code, condition: Code): Code => [
  ...then,
  ...otherwise,
  ...condition,
  ...plain.bitSelect,
];
const isNan = (value: Code): Code => [...value, ...value, ...plain.ne];
const withSignOf = (value: Code, sign: Code): Code => [...value, ...sign, ...splat(-0), ...plain.bitSelect];
/** `bitSelect` takes the first operand where the mask has ones: here only the sign bit comes from `sign`. */
const copySign = (magnitude: Code, sign: Code): Code => withSignOf(sign, magnitude);

/** Operations of a few instructions; their operands are locals, so using one twice costs nothing. */
const composed = {
  where: (condition, then, otherwise) => select(then as Code, otherwise as Code, condition as Code),
  // NaN stays NaN, and -0 becomes +0, as in NumPy.
  sign: (x) => {
    const value = x as Code;
    const one = select(splat(1), splat(0), [...splat(0), ...value, ...plain.lt]);
    const signs = select(splat(-1), one, [...value, ...splat(0), ...plain.lt]);
    return select(value, signs, isNan(value));
  },
  // The fraction of an infinity is 0; its sign is the operand's, also when it is 0.
  modf: (x) => {
    const value = x as Code;
    const fraction = [...value, ...value, ...plain.trunc, ...plain.sub];
    const isInfinite = [...value, ...plain.abs, ...splat(Infinity), ...plain.eq];
    return copySign(select(splat(0), fraction, isInfinite), value);
  },
  // The sign of a NaN has no meaning: it counts as positive.
  copysign: (magnitude, sign) =>
    copySign(magnitude as Code, [
      ...(sign as Code),
      ...(sign as Code),
      ...(sign as Code),
      ...plain.eq,
      ...plain.and,
    ]),
  fmin: (a, b) => ignoringNan(a as Code, b as Code, plain.min),
  fmax: (a, b) => ignoringNan(a as Code, b as Code, plain.max),
  heaviside: (x, h) => {
    const value = x as Code;
    const step = select(splat(1), splat(0), [...splat(0), ...value, ...plain.lt]);
    const stepped = select(h as Code, step, [...value, ...splat(0), ...plain.eq]);
    return select(value, stepped, isNan(value));
  },
} as const satisfies Partial<Readonly<Record<PixelOp, Emit>>>;

const ignoringNan = (a: Code, b: Code, choose: Code): Code =>
  select(b, select(a, [...a, ...b, ...choose], isNan(b)), isNan(a));

/** The instructions of an operation on its operands; null when it is a call of the kernel of that name. */
function emitOperation({ op }: PixelNode, args: readonly Code[]): Code | null {
  if (op in single) return [...args.flat(), ...single[op as keyof typeof single]];
  if (op in composed) return (composed[op as keyof typeof composed] as Emit)(...args);
  return null;
}
