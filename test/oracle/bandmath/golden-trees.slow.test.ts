import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functions } from '../../../src/bandmath/functions.ts';
import { computeText } from './compute-text.ts';
import { evaluateText } from './evaluate-text.ts';
import { makeFloatJudge } from './float-judge.ts';
import { readGoldenTrees } from './golden-trees.ts';

const trees = readGoldenTrees();
const isAsGood = makeFloatJudge(1);

test('the golden trees are many, and every function is at the root of some', () => {
  assert.ok(trees.length >= 20_000, `${trees.length}`);
  const roots = Map.groupBy(trees, ({ root }) => root);
  for (const name of functions.keys()) assert.ok((roots.get(name)?.length ?? 0) >= 50, name);
});

test('every golden tree is computed as NumPy computes it, and masked as it should be', () => {
  let compared = 0;
  for (const { text, planes, root, values, mask } of trees) {
    const [plane] = evaluateText(text, planes);
    assert.deepEqual(plane!.mask, mask, text);
    plane!.values.forEach((ours, pixel) => {
      if (!isAsGood(root, ours, values[pixel]!)) assert.fail(`${text}: ${ours}, NumPy ${values[pixel]}`);
      compared++;
    });
  }
  assert.equal(compared, trees.length * 16);
});

test('the compiler computes them the same, but for those over a whole window', () => {
  let compared = 0;
  // Every tenth: a module takes as long as a hundred thousand pixels.
  for (const { text, planes, root, values, mask } of trees.filter((_, i) => i % 10 === 0)) {
    const plane = computeText(text, planes)?.[0];
    if (plane === undefined) continue;
    assert.deepEqual(plane.mask, mask, text);
    plane.values.forEach((ours, pixel) => {
      if (mask[pixel] === 1 && !isAsGood(root, ours, values[pixel]!))
        assert.fail(`${text}: ${ours}, NumPy ${values[pixel]}`);
    });
    compared++;
  }
  assert.ok(compared > 1_700, `${compared}`);
});
