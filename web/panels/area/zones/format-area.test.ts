import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatArea } from './format-area.ts';

test('areas are in hectares or acres, with as many digits as are known', () => {
  assert.equal(formatArea(1_000, 'metric', 'en-GB'), '0.1 ha');
  assert.equal(formatArea(12_345_600, 'metric', 'en-GB'), '1,235 ha');
  assert.equal(formatArea(404_685.64224, 'imperial', 'en-GB'), '100 ac');
  assert.equal(formatArea(125_300, 'metric', 'de-DE'), '12,5 ha');
});
