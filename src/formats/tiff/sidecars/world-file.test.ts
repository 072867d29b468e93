import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../../errors.ts';
import { parseWorldFile } from './world-file.ts';

test('a world file names the centre of the first pixel', () => {
  assert.deepEqual(
    parseWorldFile('10.0\n0.0\n0.0\n-10.0\n600005\n5099995\n'),
    [600_000, 10, 0, 5_100_000, 0, -10],
  );
  assert.deepEqual(parseWorldFile('8\r\n6\r\n6\r\n-8\r\n7\r\n-1\r\n'), [0, 8, 6, 0, 6, -8]);
});

test('commas, exponents and words after the sixth number are read as GDAL reads them', () => {
  assert.deepEqual(parseWorldFile('0,5 0 0 -5D-1 1e2 .75 behind'), [99.75, 0.5, 0, 1, 0, -0.5]);
});

for (const [what, text] of [
  ['nothing', ''],
  ['five numbers', '1 0 0 -1 5'],
  ['words', '1 0 0 -1 five 6'],
  ['an empty word for a number', '1 0 0 -1 0x10 6'],
  ['infinity', '1 0 0 -1 1e999 6'],
  ['a line instead of an area', '1 2 2 4 5 6'],
  ['a novel', '1 0 0 -1 5 6'.padEnd(5000, ' x')],
] as const) {
  test(`a world file of ${what} is refused`, () => {
    assert.throws(
      () => parseWorldFile(text),
      (error) => isSwathError(error) && error.tag === 'source-broken',
    );
  });
}
