import { functions } from '../../../src/bandmath/functions.ts';
import type { Random } from '../../fuzz/random.ts';
import { treeBands } from './tree-limits.ts';

/** A random expression: a leaf as it is written, or a function of others. */
export type RandomTree = { readonly kind: 'int' | 'float' | 'band'; readonly text: string } | RandomCall;

/** A function of random expressions. */
export interface RandomCall {
  readonly kind: 'int' | 'float' | 'band';
  readonly name: string;
  readonly args: readonly RandomTree[];
}

const INTEGERS = ['0', '1', '2', '3', '5', '7', '10', '12', '100', '255', '1000', '16777215', '16777217'];
const LARGE_INTEGERS = ['2147483648', '9007199254740993', '100000000000000000000', '33554433', '4294967295'];
const FLOATS = [
  ...['0.0', '1.0', '0.5', '.5', '2.', '0.1', '1.5', '2.5', '3.0', '0.3', '1e-3', '1e5', '7.25', '100.0'],
  ...[
    '1e-45',
    '1e38',
    '3.4028235e38',
    '3.4028236e38',
    '1e300',
    '1e-320',
    '16777216.5',
    '1e999',
    'pi',
    'NODATA',
  ],
];

/**
 * Functions that IEEE 754 does not define to the last bit; of scalars they are only at the root, because float64
 * inside a tree cannot be seen from outside.
 */
export const inexact: ReadonlySet<string> = new Set([
  ...['sin', 'cos', 'tan', 'arcsin', 'arccos', 'arctan', 'arctan2', 'hypot', 'cbrt', 'power', 'float_power'],
  ...['sinh', 'cosh', 'tanh', 'arcsinh', 'arccosh', 'arctanh'],
  ...['exp', 'expm1', 'exp2', 'log', 'log10', 'log2', 'log1p', 'logaddexp', 'logaddexp2'],
]);

const names = [...functions.keys()];
const exactNames = names.filter((name) => !inexact.has(name));
/** What people write most often. */
const OPERATORS = ['add', 'subtract', 'multiply', 'divide', 'negative', 'power'];

const int = (text: string): RandomTree => ({ kind: 'int', text });

/** Makes trees of a depth; `interior` says whether inexact functions of bands may be below others. */
export function makeRandomTree(random: Random, depth: number, interior: 'any' | 'exact'): RandomTree {
  const band = (): RandomTree => ({ kind: 'band', text: random.pick(treeBands) });

  function scalar(left: number): RandomTree {
    if (left > 0 && random.below(3) === 0) return call(random.pick(exactNames), () => scalar(left - 1));
    if (left > 0 && random.below(12) === 0) {
      const exponent = int(random.pick(['0', '1', '2', '3', '5']));
      return { kind: 'int', name: 'power', args: [int(random.pick(INTEGERS)), exponent] };
    }
    if (random.below(8) === 0) return int(random.pick(LARGE_INTEGERS));
    return random.below(2) === 0 ? int(random.pick(INTEGERS)) : { kind: 'float', text: random.pick(FLOATS) };
  }

  function any(left: number): RandomTree {
    if (left === 0) return random.below(3) === 0 ? scalar(0) : band();
    if (random.below(7) === 0) return scalar(left);
    return image(left, interior);
  }

  /** A tree with a band in it, mostly. */
  function image(left: number, which: 'any' | 'exact'): RandomTree {
    if (left === 0) return band();
    const known = random.below(3) === 0 ? OPERATORS : names;
    const name = random.pick(which === 'any' ? known : known.filter((one) => !inexact.has(one)));
    let isFirst = true;
    return call(name, () => {
      const mustBeBand = isFirst && (inexact.has(name) || name === 'unwrap' || random.below(4) > 0);
      isFirst = false;
      const below = random.below(3) === 0 ? random.below(left) : left - 1;
      return mustBeBand ? image(below, interior) : any(below);
    });
  }

  function call(name: string, operand: () => RandomTree, isRoot = false): RandomTree {
    const { minArgs, maxArgs, result } = functions.get(name)!;
    const count = minArgs + random.below(maxArgs - minArgs + 1);
    const args = Array.from({ length: count }, operand);
    const needsBand = name === 'unwrap' || (inexact.has(name) && !isRoot);
    if (needsBand && args.every(({ kind }) => kind !== 'band')) args[0] = band();
    if ((name === 'around' || name === 'round') && count === 2) {
      const digits = int(random.pick(['0', '1', '2', '3', '7']));
      args[1] = random.below(2) === 0 ? digits : { kind: 'int', name: 'negative', args: [digits] };
    }
    if (name === 'ldexp' && args[1]!.kind === 'float') args[1] = int(random.pick(INTEGERS));
    if (args.some(({ kind }) => kind === 'band')) return { kind: 'band', name, args };
    const isFloat = result === 'float' || (result === 'same' && args.some(({ kind }) => kind === 'float'));
    return { kind: isFloat ? 'float' : 'int', name, args };
  }

  if (random.below(10) > 0) return image(depth, 'any');
  // a number: its root may be inexact, the rest is not
  return random.below(2) === 0 ? scalar(depth) : call(random.pick(names), () => scalar(depth - 1), true);
}
