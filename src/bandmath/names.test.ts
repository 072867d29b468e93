import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestName } from './names.ts';

const NAMES = ['B04', 'B8A', 'NIR', 'NDVI', 'NDWI', 'sqrt', 'logical_and', 'VV'];

test('the nearest name is suggested, in any case of letters', () => {
  assert.equal(suggestName('B4', NAMES), 'B04');
  assert.equal(suggestName('ndvi', NAMES), 'NDVI');
  assert.equal(suggestName('NVDI', NAMES), 'NDVI', 'swapped letters are one mistake');
  assert.equal(suggestName('sqr', NAMES), 'sqrt');
  assert.equal(suggestName('logical_or_and', NAMES), 'logical_and');
  assert.equal(suggestName('vh', NAMES), 'VV');
});

test('a word unlike all names has no suggestion', () => {
  for (const word of ['xyzzy', 'Q', '', 'constructor', 'N'.repeat(1_000)])
    assert.equal(suggestName(word, NAMES), null, word);
});
