import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatArea, formatHeight, formatLength } from './format-measures.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test('lengths change from metres to kilometres, and from feet to miles', () => {
  const metric = [0.5, 743.2, 9046.27, 1_234_567].map((m) => plain(formatLength(m, 'metric', 'en-GB')));
  assert.deepEqual(metric, ['0.5 m', '743.2 m', '9.046 km', '1,235 km']);
  assert.deepEqual(
    [100, 1609.344, 16_093.44].map((m) => plain(formatLength(m, 'imperial', 'en-GB'))),
    ['328.1 ft', '1 mi', '10 mi'],
  );
});

test('areas change from square metres to hectares to square kilometres, and from feet to acres to miles', () => {
  const metric = [12, 9999, 5_596_791.7, 7.892e9].map((m2) => plain(formatArea(m2, 'metric', 'en-GB')));
  assert.deepEqual(metric, ['12 m²', '9,999 m²', '559.7 ha', '7,892 km²']);
  assert.deepEqual(
    [92.90304, 40_468.564224, 2_589_988_110].map((m2) => plain(formatArea(m2, 'imperial', 'en-GB'))),
    ['1,000 ft²', '10 ac', '1,000 mi²'],
  );
});

test('heights have a real minus sign, and the decimal comma of their language', () => {
  assert.equal(plain(formatHeight(-12.34, 'metric', 'de-DE')), '−12,3 m');
  assert.equal(plain(formatHeight(1234.5, 'metric', 'en-GB')), '1,235 m');
  assert.equal(plain(formatHeight(304.8, 'imperial', 'en-GB')), '1,000 ft');
});
