import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planCompletion, planHighlight } from './highlight.ts';

const names = { bands: ['B04', 'B08', 'NIR'], indices: ['NDVI'], functions: ['sqrt', 'sin'] };

test('names, numbers and operators are distinguished, and the error is marked at its position', () => {
  const kinds = (text: string, at: number | null = null) =>
    planHighlight(text, names, at).map((token) => `${token.kind} ${token.text}`);
  assert.deepEqual(kinds('sqrt(B08)*1.5'), [
    'function sqrt',
    'sign (',
    'band B08',
    'sign )',
    'sign *',
    'number 1.5',
  ]);
  assert.deepEqual(kinds('NDVI+B99'), ['index NDVI', 'sign +', 'unknown B99']);
  assert.deepEqual(kinds('NDVI+B99', 5), ['index NDVI', 'sign +', 'error B99']);
  assert.deepEqual(kinds('B04+', 4), ['band B04', 'sign +', 'error  ']);
});

test('all parts together equal the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(
        planHighlight(text, names, null)
          .map((token) => token.text)
          .join(''),
        text,
      );
    }),
  );
});

test('typed text is completed from bands, indices and functions, in any case', () => {
  assert.deepEqual(planCompletion('B0', 2, names), { typed: 'B0', offers: ['B04', 'B08'] });
  assert.deepEqual(planCompletion('1+n', 3, names), { typed: 'n', offers: ['NIR', 'NDVI'] });
  assert.deepEqual(planCompletion('s', 1, names).offers, ['sqrt', 'sin']);
  assert.deepEqual(planCompletion('B04', 3, names).offers, []);
  assert.deepEqual(planCompletion('B04+', 4, names), { typed: '', offers: [] });
});
