import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLaterTexts } from '../../texts/choose-texts.ts';
import { englishFields } from '../../texts/en-fields.ts';
import { describeCondition, describeGround, toCondition } from './describe-alert.ts';

const words = await loadLaterTexts('fields', englishFields, 'en');

test('conditions and grounds are described in words', () => {
  const say = (condition: Parameters<typeof describeCondition>[0]): string =>
    describeCondition(condition, 'NDVI', words, 'en-GB');
  assert.equal(
    say({ kind: 'drop', by: 0.25, against: 'normal' }),
    'NDVI falls by 0.25 or more, compared with earlier years',
  );
  assert.equal(say({ kind: 'above', limit: -3 }), 'NDVI goes above −3');
  assert.equal(say({ kind: 'every' }), 'every clear value of NDVI');
  const where = (ground: Parameters<typeof describeGround>[0]): string =>
    describeGround(ground, (id) => (id === 'a' ? 'Long acre' : null), words);
  assert.equal(where({ kind: 'all' }), 'All fields');
  assert.equal(where({ kind: 'group', group: 'North' }), 'Group North');
  assert.equal(where({ kind: 'fields', ids: ['a'] }), 'Long acre');
  assert.equal(where({ kind: 'fields', ids: ['gone'] }), '1 field');
  assert.equal(where({ kind: 'fields', ids: ['a', 'b'] }), '2 fields');
});

test('a change must be above 0, a limit may be any number', () => {
  assert.deepEqual(toCondition('drop', 0.2, 'last'), { kind: 'drop', by: 0.2, against: 'last' });
  assert.equal(toCondition('drop', 0, 'last'), null);
  assert.equal(toCondition('rise', Number.NaN, 'last'), null);
  assert.deepEqual(toCondition('below', -0.1, 'last'), { kind: 'below', limit: -0.1 });
  assert.deepEqual(toCondition('every', Number.NaN, 'last'), { kind: 'every' });
});
