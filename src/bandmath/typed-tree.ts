/**
 * The typed tree: the meaning of an expression, after names, types and constants have been resolved. It is a directed
 * acyclic graph, written as a list in which every node follows its operands; equal nodes are one node, also across the
 * expressions of one request. Interpreter and compiler run this and nothing else.
 *
 * Whole numbers and float64 scalars do not occur here: they are only combined with each other, so typing folds them.
 * What is left is one float32 per pixel, and every operation rounds to float32 as NumPy's loop of that type does.
 */

/** Index of a node in `TypedTree.nodes`. */
export type NodeId = number;

/** Operations of one operand. `modf` gives the fraction, with the operand's sign. */
const unaryOps = [
  'negative',
  'abs',
  'sign',
  'floor',
  'ceil',
  'trunc',
  'rint',
  'modf',
  'sqrt',
  'cbrt',
  'sin',
  'cos',
  'tan',
  'arcsin',
  'arccos',
  'arctan',
  'sinh',
  'cosh',
  'tanh',
  'arcsinh',
  'arccosh',
  'arctanh',
  'exp',
  'expm1',
  'exp2',
  'log',
  'log10',
  'log2',
  'log1p',
  'logical_not',
] as const;

/** Operations of two operands that are true or false. */
const binaryBooleanOps = [
  'less',
  'less_equal',
  'equal',
  'not_equal',
  'logical_and',
  'logical_or',
  'logical_xor',
] as const;

/**
 * Operations of two operands, in NumPy's order. There is no `greater`: it is `less` with swapped operands. `minimum`,
 * `maximum`, `fmin` and `fmax` order −0 before +0, as IEEE 754-2019 and WebAssembly do; NumPy leaves it open. `ldexp`
 * converts its exponent to an int32, saturating, NaN as 0.
 */
const binaryOps = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'floor_divide',
  'mod',
  'fmod',
  'power',
  'minimum',
  'maximum',
  'fmin',
  'fmax',
  'copysign',
  'nextafter',
  'ldexp',
  'heaviside',
  'hypot',
  'arctan2',
  'logaddexp',
  'logaddexp2',
  ...binaryBooleanOps,
] as const;

/** An operation of one operand. */
export type UnaryOp = (typeof unaryOps)[number];
/** An operation of two operands. */
export type BinaryOp = (typeof binaryOps)[number];
/** An operation on one pixel at a time. */
export type PixelOp = UnaryOp | BinaryOp | 'where';
/** An operation that needs the whole window: true when true everywhere; phases unwrapped along each row. */
export type WindowOp = 'all' | 'unwrap';

/**
 * The values of a node: any float32, or only 0 and 1, never NaN. Operands of `logical_*` and `all` and the condition of
 * `where` are always boolean; a boolean operand of anything else counts as the float32 0 or 1.
 */
export type NodeType = 'float' | 'boolean';

/** The same value at every pixel. */
export interface ConstantNode {
  readonly op: 'constant';
  readonly type: NodeType;
  /** A float32: NaN, −0 and infinities included. */
  readonly value: number;
}

/** A band's value at the pixel. */
export interface InputNode {
  readonly op: 'input';
  readonly type: 'float';
  /** Index in `TypedTree.inputs`. */
  readonly input: number;
}

/** An operation on the values of one pixel. `where` has three operands: condition, then, else. */
export interface PixelNode {
  readonly op: PixelOp;
  readonly type: NodeType;
  readonly args: readonly NodeId[];
}

/**
 * An operation on the whole window. Masked pixels are ignored: `all` skips them, `unwrap` starts again after them and
 * leaves their values unchanged. A pixel is masked here when an input of `uses` is, or `absent` is true.
 */
export interface WindowNode {
  readonly op: WindowOp;
  readonly type: NodeType;
  readonly args: readonly [NodeId];
  readonly uses: readonly number[];
  readonly absent: NodeId | null;
}

/** One step of the tree. */
export type TypedNode = ConstantNode | InputNode | PixelNode | WindowNode;

/** A band that must be read. */
export interface BandInput {
  readonly band: string;
  /** True: as reflectance, whatever the request says (an alias with additive constants); false: as CALIBRATE says. */
  readonly calibrated: boolean;
  /** `earlier`: not of the requested scene, but of one before it (a change alias such as PR_FD). */
  readonly scene: 'this' | 'earlier';
}

/** The type of an expression before it became an image: `int` and `float` name no band and are the same everywhere. */
export type ExpressionType = 'int' | 'float' | 'boolean' | 'band';

/**
 * The value of one expression. A pixel of it is masked when an input of `uses` is masked there, when `absent` is true
 * there, or when the value is NaN. Infinities are data.
 */
export interface Output {
  readonly value: NodeId;
  /** Where NODATA was chosen: a boolean node; null for nowhere. */
  readonly absent: NodeId | null;
  /** Every input that the text names, in order, also those whose value no longer matters (`B4^0`). */
  readonly uses: readonly number[];
  readonly type: ExpressionType;
}

/** Everything that one request computes. */
export interface TypedTree {
  /** Operands precede the nodes that use them; no node is unused. */
  readonly nodes: readonly TypedNode[];
  readonly inputs: readonly BandInput[];
  /** In the order of the expressions. */
  readonly outputs: readonly Output[];
  /**
   * Equal for texts of the same meaning, whatever their spelling; contains band names, so it is a key within one
   * sensor.
   */
  readonly key: string;
  /** Estimated work per pixel, in additions. */
  readonly costPerPixel: number;
  /** True when a node needs the whole window, so that parts of it cannot be computed separately. */
  readonly needsWindow: boolean;
}

/** Operations whose result is true or false; that of `where` is too if both its branches are. */
export const booleanOps: ReadonlySet<PixelOp | WindowOp> = new Set([
  'logical_not',
  ...binaryBooleanOps,
  'all',
]);
