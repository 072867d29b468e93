import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewerSensor } from '../../scenes/sensor.ts';
import { boxAround, chooseSensor } from './plan-fields.ts';

test('the box around fields holds all of them', () => {
  assert.deepEqual(
    boxAround([
      [1, 42, 2, 43],
      [0.5, 42.5, 1.5, 44],
      [1, 41, 3, 42],
    ]),
    [0.5, 41, 3, 44],
  );
  assert.equal(boxAround([]), null);
});

test('fields are measured with the chosen sensor, or the best one that has the index', () => {
  const make = (dataset: string, ...names: readonly string[]) =>
    ({ dataset, indices: names.map((name) => ({ name })) }) as unknown as ViewerSensor;
  const sensors = [make('sentinel1', 'VV_DB'), make('landsat8', 'NDVI'), make('sentinel2l2a', 'NDVI')];
  assert.equal(chooseSensor(sensors, { dataset: null, index: 'NDVI' })?.dataset, 'sentinel2l2a');
  assert.equal(chooseSensor(sensors, { dataset: 'landsat8', index: 'NDVI' })?.dataset, 'landsat8');
  assert.equal(chooseSensor(sensors, { dataset: 'landsat8', index: 'VV_DB' })?.dataset, 'sentinel1');
  assert.equal(chooseSensor(sensors, { dataset: null, index: 'NDMI' }), null);
});
