import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toVerticalUnit } from './vertical-unit.ts';

const unitOf = (...keys: (readonly [number, number])[]) => toVerticalUnit(new Map(keys));

test('the unit of heights is that of its key, or of the vertical system', () => {
  assert.equal(unitOf([4099, 9001]), 9001);
  assert.equal(unitOf([4099, 9003]), 9003);
  assert.equal(unitOf([4096, 6360]), 9003, 'NAVD88 height (ftUS)');
  assert.equal(unitOf([4096, 8228]), 9002, 'NAVD88 height (ft)');
  assert.equal(unitOf([4096, 6360], [4099, 9001]), 9001, 'the key of the unit comes first');
});

test('without either, and for a unit that a writer has defined, nothing is said', () => {
  assert.equal(unitOf(), null);
  assert.equal(unitOf([4096, 5773]), null, 'EGM96 height, in metres');
  assert.equal(unitOf([4099, 32_767]), null);
  assert.equal(unitOf([4099, 0]), null);
});
