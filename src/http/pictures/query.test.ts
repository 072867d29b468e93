import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePictureQuery } from './query.ts';

const rangeOf = (text: string) => parsePictureQuery(new Map([['MIN_MAX', text]])).options.range;

test('MIN_MAX takes any numbers that data can have', () => {
  assert.deepEqual(rangeOf('-3.4e38,3.4e38'), { min: -3.4e38, max: 3.4e38 });
  assert.deepEqual(rangeOf('0,1e-40'), { min: 0, max: 1e-40 });
  assert.deepEqual(rangeOf('-.5,+1.25'), { min: -0.5, max: 1.25 });
});

test('MIN_MAX beyond them is refused: its span would be no number', () => {
  for (const text of ['-1e308,1e308', '0,1e39', '-1e39,0', '1e39,1e40']) {
    assert.throws(() => rangeOf(text), { tag: 'bad-input', code: 'bad-min-max' }, text);
  }
});
