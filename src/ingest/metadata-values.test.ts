import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNumber, toUtcTime } from './metadata-values.ts';

test('numbers and times are parsed strictly', () => {
  for (const text of ['', ' ', '0x10', 'Infinity', 'NaN', '1e999', '1,5', '--1', '1 2'])
    assert.equal(toNumber(text), null, text);
  assert.equal(toNumber(' -1.5E-3 '), -0.0015);
  assert.deepEqual(['1.', '.5', '+2', '1.e1', '.', '1.2.3'].map(toNumber), [1, 0.5, 2, 10, null, null]);
  assert.equal(toUtcTime('2020-02-29T01:02:03'), '2020-02-29T01:02:03.000Z');
  assert.equal(toUtcTime('2020-02-29T01:02:03.9876543Z'), '2020-02-29T01:02:03.987Z');
  for (const text of [
    '2021-02-29T01:02:03',
    '2020-02-29T25:00:00',
    '2020-02-29',
    'null',
    '2020-02-29T01:02:03+02:00',
  ]) {
    assert.equal(toUtcTime(text), null, text);
  }
});
