import type { BinaryOp, UnaryOp } from './typed-tree.ts';

/**
 * The result type of a function of whole numbers, as in Python 2 and NumPy; a decimal operand makes it a decimal, a
 * band makes it a band. `same`: a whole number. `float`: always a decimal. `boolean`: 0 or 1, whatever the operands,
 * and whole.
 */
type ResultRule = 'same' | 'float' | 'boolean';

/**
 * How typing builds the function from operations of the typed tree: from one operation with the same operands (`op`),
 * or as one of the few special cases.
 */
export type Meaning =
  | { readonly op: UnaryOp | BinaryOp | 'where' }
  | {
      readonly form:
        | 'greater'
        | 'greater_equal'
        | 'square'
        | 'reciprocal'
        | 'degrees'
        | 'radians'
        | 'around'
        | 'clip'
        | 'isclose'
        | 'allclose'
        | 'array_equal'
        | 'array_equiv'
        | 'power'
        | 'float_power'
        | 'true_divide'
        | 'unwrap';
    };

/** One function of the table below. */
export interface FunctionRule {
  readonly minArgs: number;
  readonly maxArgs: number;
  readonly result: ResultRule;
  readonly meaning: Meaning;
  /** True when its value at a pixel depends on other pixels. */
  readonly needsWindow: boolean;
}

type Form = Extract<Meaning, { form: string }>['form'];

const op = (args: number, result: ResultRule, name: UnaryOp | BinaryOp | 'where'): FunctionRule => ({
  minArgs: args,
  maxArgs: args,
  result,
  meaning: { op: name },
  needsWindow: false,
});
const form = (
  [minArgs, maxArgs]: readonly [number, number],
  result: ResultRule,
  name: Form,
): FunctionRule => ({ minArgs, maxArgs, result, meaning: { form: name }, needsWindow: false });
const overWindow = (rule: FunctionRule): FunctionRule => ({ ...rule, needsWindow: true });

const float1 = (name: UnaryOp) => op(1, 'float', name);
const float2 = (name: BinaryOp) => op(2, 'float', name);
const same1 = (name: UnaryOp) => op(1, 'same', name);
const same2 = (name: BinaryOp) => op(2, 'same', name);
const truth2 = (name: BinaryOp) => op(2, 'boolean', name);

/** Every function by its NumPy name; names are lower case only. */
export const functions: ReadonlyMap<string, FunctionRule> = new Map([
  // trigonometric
  ['sin', float1('sin')],
  ['cos', float1('cos')],
  ['tan', float1('tan')],
  ['arcsin', float1('arcsin')],
  ['arccos', float1('arccos')],
  ['arctan', float1('arctan')],
  ['degrees', form([1, 1], 'float', 'degrees')],
  ['rad2deg', form([1, 1], 'float', 'degrees')],
  ['radians', form([1, 1], 'float', 'radians')],
  ['deg2rad', form([1, 1], 'float', 'radians')],
  ['unwrap', overWindow(form([1, 1], 'float', 'unwrap'))],
  ['hypot', float2('hypot')],
  ['arctan2', float2('arctan2')],
  // hyperbolic
  ['sinh', float1('sinh')],
  ['cosh', float1('cosh')],
  ['tanh', float1('tanh')],
  ['arcsinh', float1('arcsinh')],
  ['arccosh', float1('arccosh')],
  ['arctanh', float1('arctanh')],
  // rounding; NumPy's rint is the only one that turns whole numbers into decimals
  ['around', form([1, 2], 'same', 'around')],
  ['round', form([1, 2], 'same', 'around')],
  ['rint', float1('rint')],
  ['fix', same1('trunc')],
  ['floor', same1('floor')],
  ['ceil', same1('ceil')],
  ['trunc', same1('trunc')],
  // exponents and logarithms
  ['exp', float1('exp')],
  ['expm1', float1('expm1')],
  ['exp2', float1('exp2')],
  ['log', float1('log')],
  ['log10', float1('log10')],
  ['log2', float1('log2')],
  ['log1p', float1('log1p')],
  ['logaddexp', float2('logaddexp')],
  ['logaddexp2', float2('logaddexp2')],
  // floating point
  ['copysign', float2('copysign')],
  ['ldexp', float2('ldexp')],
  ['nextafter', float2('nextafter')],
  // arithmetic
  ['negative', same1('negative')],
  ['reciprocal', form([1, 1], 'same', 'reciprocal')],
  ['add', same2('add')],
  ['multiply', same2('multiply')],
  ['divide', same2('divide')],
  ['power', form([2, 2], 'same', 'power')],
  ['subtract', same2('subtract')],
  ['true_divide', form([2, 2], 'float', 'true_divide')],
  ['floor_divide', same2('floor_divide')],
  ['float_power', form([2, 2], 'float', 'float_power')],
  ['fmod', same2('fmod')],
  ['mod', same2('mod')],
  ['modf', float1('modf')],
  ['remainder', same2('mod')],
  ['divmod', same2('floor_divide')],
  // miscellaneous
  ['sqrt', float1('sqrt')],
  ['cbrt', float1('cbrt')],
  ['square', form([1, 1], 'same', 'square')],
  ['abs', same1('abs')],
  ['fabs', float1('abs')],
  ['sign', same1('sign')],
  ['absolute', same1('abs')],
  ['fmin', same2('fmin')],
  ['fmax', same2('fmax')],
  ['minimum', same2('minimum')],
  ['maximum', same2('maximum')],
  ['heaviside', float2('heaviside')],
  ['clip', form([3, 3], 'same', 'clip')],
  // logical
  ['logical_and', truth2('logical_and')],
  ['logical_or', truth2('logical_or')],
  ['logical_xor', truth2('logical_xor')],
  ['logical_not', op(1, 'boolean', 'logical_not')],
  // comparison; the two optional operands are rtol and atol
  ['allclose', overWindow(form([2, 4], 'boolean', 'allclose'))],
  ['isclose', form([2, 4], 'boolean', 'isclose')],
  ['array_equal', overWindow(form([2, 2], 'boolean', 'array_equal'))],
  ['array_equiv', overWindow(form([2, 2], 'boolean', 'array_equiv'))],
  ['greater', form([2, 2], 'boolean', 'greater')],
  ['greater_equal', form([2, 2], 'boolean', 'greater_equal')],
  ['less', truth2('less')],
  ['less_equal', truth2('less_equal')],
  ['equal', truth2('equal')],
  ['not_equal', truth2('not_equal')],
  // indexing
  ['where', op(3, 'same', 'where')],
]);

/** A function of band math, as editors offer it. */
export interface ListedFunction {
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
}

/** All functions in the order of their names. */
export const listFunctions = (): readonly ListedFunction[] =>
  [...functions]
    .map(([name, { minArgs, maxArgs }]) => ({ name, minArgs, maxArgs }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
