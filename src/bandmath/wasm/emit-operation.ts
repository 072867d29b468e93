import type { BinaryOp, PixelNode, PixelOp, UnaryOp } from '../typed-tree.ts';
import { plain, splat } from './instructions.ts';
import type { Code } from './module-bytes.ts';

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

/** Operations that a kernel computes, four pixels per call. */
export type KernelOp = Exclude<UnaryOp | BinaryOp, keyof typeof single | keyof typeof composed>;

/** The instructions of an operation on its operands; null when it is a call of the kernel of that name. */
export function emitOperation({ op }: PixelNode, args: readonly Code[]): Code | null {
  if (op in single) return [...args.flat(), ...single[op as keyof typeof single]];
  if (op in composed) return (composed[op as keyof typeof composed] as Emit)(...args);
  return null;
}
