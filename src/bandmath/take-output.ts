import { internal } from '../errors.ts';
import { finishTree } from './finish-tree.ts';
import type { TypedTree } from './typed-tree.ts';

/** One expression of several. */
interface TakenOutput {
  /** The same tree, key included, as if its text had been parsed alone. */
  readonly tree: TypedTree;
  /** The indexes of its inputs among those of all. */
  readonly inputs: readonly number[];
}

/** Extracts one expression of several, without anything that only the others need. */
export function takeOutput(tree: TypedTree, index: number): TakenOutput {
  const output = tree.outputs[index];
  if (output === undefined) throw internal('no-output', `A tree has no expression ${index}.`);
  const taken = tree.outputs.length === 1 ? tree : finishTree(tree, [output]);
  return { tree: taken, inputs: taken.inputs.map((input) => tree.inputs.indexOf(input)) };
}
