import { internal } from '../errors.ts';
import { finishTree } from './finish-tree.ts';
import type { TypedTree } from './typed-tree.ts';

/** One expression of several. */
interface TakenOutput {
  /** The same, key included, as if its text had been read alone. */
  readonly tree: TypedTree;
  /** Where its inputs stand among those of all. */
  readonly inputs: readonly number[];
}

/** Takes one expression out of several, with nothing that only the others need. */
export function takeOutput(tree: TypedTree, place: number): TakenOutput {
  const output = tree.outputs[place];
  if (output === undefined) throw internal('no-output', `A tree has no expression ${place}.`);
  const taken = tree.outputs.length === 1 ? tree : finishTree(tree, [output]);
  return { tree: taken, inputs: taken.inputs.map((input) => tree.inputs.indexOf(input)) };
}
