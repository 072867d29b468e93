import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitExpressions } from './expression-text.ts';

test('commas between expressions separate them, commas inside calls do not', () => {
  assert.deepEqual(splitExpressions('B04, where(less(B1,2),B3,B4) ,NDVI'), [
    'B04',
    'where(less(B1,2),B3,B4)',
    'NDVI',
  ]);
  assert.deepEqual(splitExpressions('B04'), ['B04']);
  assert.deepEqual(splitExpressions(''), ['']);
  assert.deepEqual(splitExpressions('a,'), ['a', '']);
  assert.equal(splitExpressions(`${'('.repeat(1000)},b`).length, 1);
});
