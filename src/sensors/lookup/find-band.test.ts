import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensorByAbbreviation } from '../index.ts';
import { chooseComposition } from './find-band.ts';

const choose = (abbreviation: string, bands: readonly string[]) =>
  chooseComposition(sensorByAbbreviation(abbreviation)!, (name) => bands.includes(name));

test('the default composition is the first of which the scene has all bands, otherwise a single band', () => {
  assert.deepEqual(choose('L8', ['B2', 'B3', 'B4', 'B10']), ['B4', 'B3', 'B2']);
  assert.deepEqual(choose('L8', ['B10', 'B11', 'BQA']), ['B10']);
  assert.deepEqual(choose('L8', ['BQA', 'B5', 'B4']), ['B4']);
  assert.deepEqual(choose('S1', ['HH', 'HV']), ['HH']);
  assert.equal(choose('L8', ['BQA']), null);
});
