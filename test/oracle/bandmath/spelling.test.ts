import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpressions } from '../../../src/bandmath/index.ts';
import { isSwathError } from '../../../src/errors.ts';
import { makeRandom } from '../../fuzz/random.ts';
import type { RandomTree } from './random-tree.ts';
import { makeRandomTree } from './random-tree.ts';
import { treeLimits, treeNames } from './tree-limits.ts';
import { writeTree } from './write-tree.ts';

const TREES = 3_000;
const COMMUTATIVE = [
  'add',
  'multiply',
  'equal',
  'not_equal',
  'minimum',
  'fmax',
  'hypot',
  'logical_or',
  'logaddexp',
];

/** The same tree with operands swapped wherever that makes no difference. */
function turn(tree: RandomTree): RandomTree {
  if ('text' in tree) return tree;
  const args = tree.args.map(turn);
  return { ...tree, args: COMMUTATIVE.includes(tree.name) ? args.toReversed() : args };
}

/** The key, or the code of the refusal. */
function keyOf(text: string): string {
  try {
    return parseExpressions(text, treeNames, treeLimits).key;
  } catch (error) {
    if (isSwathError(error)) return error.code;
    throw error;
  }
}

test('a tree has one key, however it is spelled and whichever operand comes first', () => {
  const keys = new Set<string>();
  for (let run = 0; run < TREES; run++) {
    const random = makeRandom(9, 'spelling', run);
    const tree = makeRandomTree(random, 1 + random.below(4), 'any');
    const first = writeTree(tree, random);
    const key = keyOf(first);
    keys.add(key);
    for (const second of [writeTree(tree, random), writeTree(turn(tree), random)]) {
      assert.equal(keyOf(second), key, `${first} and ${second}`);
    }
  }
  assert.ok(keys.size > TREES / 2, `${keys.size} different ones`);
});
