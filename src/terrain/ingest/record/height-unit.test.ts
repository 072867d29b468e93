import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMetresPerUnit } from './height-unit.ts';

const plain = { description: null, scale: 1, offset: 0, unit: null };
const metresOf = (unit: string | null, verticalUnit: number | null = null) =>
  findMetresPerUnit({ bands: [{ ...plain, unit }], verticalUnit }, 0, null);

test('units by the words and codes of files', () => {
  for (const text of ['m', 'metre', 'Meters', null]) assert.equal(metresOf(text), 1, String(text));
  for (const text of ['ft', 'foot', 'Feet']) assert.equal(metresOf(text), 0.3048, text);
  for (const text of ['us-ft', 'US survey foot', 'Foot_US', 'us_survey_feet', 'ftUS']) {
    assert.equal(metresOf(text), 0.3048006096012192, text);
  }
  assert.equal(metresOf('cm'), 0.01);
  assert.equal(metresOf(null, 9001), 1);
  assert.equal(metresOf(null, 9002), 0.3048);
  assert.equal(metresOf(null, 9003), 1200 / 3937);
});

test('the operator goes before the band, and the band before the georeference', () => {
  const file = { bands: [{ ...plain, unit: 'ft' }, plain], verticalUnit: 9003 };
  assert.equal(findMetresPerUnit(file, 0, 'm'), 1);
  assert.equal(findMetresPerUnit(file, 0, null), 0.3048);
  assert.equal(findMetresPerUnit(file, 1, null), 1200 / 3937);
});

test('an unknown unit is never taken for metres', () => {
  assert.throws(() => metresOf('degrees'), { code: 'height-unit', message: /"degrees".*--unit/ });
  assert.throws(() => metresOf(null, 9102), { code: 'height-unit', message: /EPSG:9102/ });
});
