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

test('MIN_MAX of six numbers is a range for each of red, green and blue', () => {
  const { options } = parsePictureQuery(new Map([['MIN_MAX', '0,1,2,3.5,-4,5']]));
  assert.deepEqual(options.range, { min: 0, max: 1 });
  assert.deepEqual(options.ranges, [
    { min: 0, max: 1 },
    { min: 2, max: 3.5 },
    { min: -4, max: 5 },
  ]);
  assert.throws(() => rangeOf('0,1,2,3'), { tag: 'bad-input', code: 'bad-min-max' });
  assert.throws(() => rangeOf('0,1,2,3,4,'), { tag: 'bad-input', code: 'bad-min-max' });
  assert.throws(() => rangeOf('0,1,2,3,5,4'), { tag: 'unsupported', code: 'flat-min-max' });
});
