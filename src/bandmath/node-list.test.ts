import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeOutput } from './index.ts';
import { parse } from './testing/compute.ts';

const TEXTS = [
  'B4',
  '(B5-B4)/(B5+B4)',
  'NDVI',
  'where(less(B6,B4),NODATA,B5)',
  'B4*0+B6^0*B5',
  'where(array_equal(B5,2),B4,unwrap(B6))',
  'B5^0',
];

test('one of several expressions equals the expression alone, whatever the others are', () => {
  for (const a of TEXTS) {
    for (const b of TEXTS) {
      const both = parse(`${a},${b},B6-B5`);
      for (const [index, text] of [a, b, 'B6-B5'].entries()) {
        const { tree, inputs } = takeOutput(both, index);
        assert.deepEqual(tree, parse(text), `${text} of ${a},${b}`);
        assert.deepEqual(
          inputs.map((input) => both.inputs[input]),
          tree.inputs,
        );
      }
    }
  }
});

test('an expression alone is the tree itself', () => {
  const tree = parse('B5/B4');
  assert.equal(takeOutput(tree, 0).tree, tree);
  assert.throws(() => takeOutput(tree, 1), { code: 'no-output' });
});
