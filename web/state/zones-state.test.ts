import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ZONES, parseZonesChoice, toZonesText, withZonesChoice } from './zones-state.ts';

test('a choice of zones reads back the same, and anything unknown is null', () => {
  assert.deepEqual(parseZonesChoice(toZonesText(NO_ZONES.choice)), NO_ZONES.choice);
  assert.deepEqual(parseZonesChoice('NDMI;9;0'), { index: 'NDMI', count: 9, minPatchM2: 0 });
  for (const text of [null, '', 'NDVI', 'NDVI;1;0', 'NDVI;10;0', 'NDVI;4;7', '<b>;4;0', 'NDVI;4;0;x']) {
    assert.equal(parseZonesChoice(text), null, String(text));
  }
});

test('an address with another choice of zones resets the result', () => {
  const zones = { ...NO_ZONES, isOn: true, made: { kind: 'cancelled' as const } };
  assert.equal(withZonesChoice(zones, { ...NO_ZONES.choice }).made, zones.made);
  const other = withZonesChoice(zones, { ...NO_ZONES.choice, count: 7 });
  assert.deepEqual([other.isOn, other.choice.count, other.made], [true, 7, { kind: 'idle' }]);
  assert.equal(withZonesChoice(zones, null).isOn, false);
});
