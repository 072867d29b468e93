import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ViewerSensor } from '../../scenes/sensor.ts';
import { boxAround, chooseSensor, fromOfYears, yearsOf } from './plan-fields.ts';

test('the box around fields contains all of them', () => {
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

test('a curve of several years starts on the first of January', () => {
  assert.equal(fromOfYears('1', '2026-11-18'), null);
  assert.equal(fromOfYears('3', '2026-11-18'), '2024-01-01');
  assert.equal(yearsOf(null, '2026-11-18'), '1');
  assert.equal(yearsOf('2025-03-01', '2026-11-18'), '2');
  assert.equal(yearsOf('2024-01-01', '2026-11-18'), '3');
  assert.equal(yearsOf('2000-01-01', '2026-11-18'), '5');
});
