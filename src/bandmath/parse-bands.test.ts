import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBands } from './parse-bands.ts';

const all = ['B02', 'B03', 'B04', 'B8A'];
const BANDS = {
  all,
  find: (spelling: string) => (all.includes(spelling) ? spelling : spelling === 'RED' ? 'B04' : null),
};

test('one band and three bands are combinations', () => {
  assert.deepEqual(parseBands('B04', BANDS), ['B04']);
  assert.deepEqual(parseBands('B04,B03,B02', BANDS), ['B04', 'B03', 'B02']);
  assert.deepEqual(parseBands('B8A,B8A,B8A', BANDS), ['B8A', 'B8A', 'B8A']);
  assert.deepEqual(parseBands('RED', BANDS), ['B04'], 'another spelling gives the name');
});

test('unknown names are refused with the list of bands', () => {
  for (const text of [
    '',
    'B99',
    'b04',
    ' B04',
    'B04,',
    'constructor',
    '__proto__',
    'B04;B03',
    '(B04)',
    'B04+B03',
  ]) {
    assert.throws(
      () => parseBands(text, BANDS),
      { tag: 'unsupported', code: 'unknown-band', message: /B02, B03/ },
      text,
    );
  }
});

test('two or four bands make no picture', () => {
  assert.throws(() => parseBands('B04,B03', BANDS), { code: 'band-count' });
  assert.throws(() => parseBands('B04,B03,B02,B02', BANDS), { code: 'band-count' });
});

test('length is refused before anything else is looked at', () => {
  assert.throws(() => parseBands('B'.repeat(2_049), BANDS), { code: 'expression-too-long' });
  assert.throws(() => parseBands('B'.repeat(2_048), BANDS), { code: 'unknown-band' });
});
