import type { Random } from '../../fuzz/random.ts';
import type { RandomCall, RandomTree } from './random-tree.ts';

/** How tightly a piece of text binds: a sum loosest, an atom tightest (Python's order). */
const SUM = 1;
const PRODUCT = 2;
const SIGN = 3;
const POWER = 4;
const ATOM = 5;

/** Writes a tree in one of the many ways it can be written: operators or functions, as few parentheses as will do. */
export function writeTree(tree: RandomTree, random: Random): string {
  const space = (): string => (random.below(12) === 0 ? ' ' : '');

  function write(node: RandomTree, min: number): string {
    if ('text' in node) return node.text;
    const [text, binds] = random.below(4) === 0 ? [asCall(node), ATOM] : asOperator(node);
    return binds < min || random.below(15) === 0 ? `(${space()}${text})` : text;
  }
  const asCall = ({ name, args }: RandomCall): string =>
    `${name}${space()}(${args.map((arg) => write(arg, SUM)).join(`${space()},`)})`;

  function asOperator(node: RandomCall): readonly [text: string, binds: number] {
    const [left, right] = node.args as readonly [RandomTree, RandomTree];
    const between = (sign: string, leastLeft: number, leastRight: number): string =>
      `${write(left, leastLeft)}${space()}${sign}${space()}${write(right, leastRight)}`;
    if (node.name === 'add') return [between('+', SUM, PRODUCT), SUM];
    if (node.name === 'subtract') return [between('-', SUM, PRODUCT), SUM];
    if (node.name === 'multiply') return [between('*', PRODUCT, SIGN), PRODUCT];
    if (node.name === 'divide') return [between('/', PRODUCT, SIGN), PRODUCT];
    if (node.name === 'power') return [between(random.pick(['^', '**']), ATOM, SIGN), POWER];
    if (node.name === 'negative') return [`-${space()}${write(left, SIGN)}`, SIGN];
    return [asCall(node), ATOM];
  }
  return write(tree, SUM);
}
