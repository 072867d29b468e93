import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatasetId } from '../all-sensors.ts';
import { sensorByDataset } from '../all-sensors.ts';
import { findDifferentGains } from './band-gains.ts';
import { findBand } from './find-band.ts';

/** Red and near infrared, if their gains differ. */
function compare(dataset: string, level = ''): readonly string[] {
  const sensor = sensorByDataset(dataset as DatasetId);
  assert.ok(sensor !== null, dataset);
  const names = ['RED', 'NIR'].map((role) => findBand(sensor, role)!.name);
  return findDifferentGains(sensor, names, level);
}

test('bands of TM, ETM+ and CBERS-4 have a gain each; those of Level-2 and of newer sensors share one', () => {
  assert.deepEqual(compare('landsat5tm'), ['B3', 'B4']);
  assert.deepEqual(compare('landsat7'), ['B3', 'B4']);
  assert.deepEqual(compare('cbers4mux'), ['BAND7', 'BAND8']);
  assert.deepEqual(compare('landsat5tm', 'L2SP'), []);
  for (const dataset of ['landsat8', 'sentinel2', 'modis', 'naip']) assert.deepEqual(compare(dataset), []);
});

test('bits do not have a gain', () => {
  const sensor = sensorByDataset('landsat8' as DatasetId)!;
  const quality = sensor.bands.filter(({ kind }) => kind === 'quality').map(({ name }) => name);
  assert.ok(quality.length > 0);
  assert.deepEqual(findDifferentGains(sensor, ['B4', ...quality], ''), []);
});
