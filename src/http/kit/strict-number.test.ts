import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDecimal, parseWhole } from './texts.ts';

test('every number that JSON writes is read back: what one answer says can be asked with', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(parseDecimal(JSON.stringify(value)), value + 0);
    }),
    { examples: [[0.025520483031868935], [-0.0000012345678901234567], [123456789012345680000]] },
  );
});

test('nothing else is a number', () => {
  for (const text of [
    '',
    ' 1',
    '1 ',
    '0x10',
    '1_000',
    'Infinity',
    'NaN',
    '1e999',
    '1,5',
    '.',
    '-',
    '1'.repeat(22),
  ]) {
    assert.equal(parseDecimal(text), null, text);
  }
  for (const text of ['', '-1', '1.0', '1e3', '1'.repeat(16)]) assert.equal(parseWhole(text), null, text);
});
