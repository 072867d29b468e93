import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseColormapName } from '../../src/color/index.ts';
import { sensors } from '../../src/sensors/index.ts';
import { toViewerSensor } from '../build/sensor-choices.ts';
import type { ViewerSensor } from './bands.ts';
import { COLORMAPS, isColorable, planColormap } from './colormaps.ts';

const of = (dataset: string): ViewerSensor => {
  const sensor = sensors.find((one) => one.dataset === dataset);
  assert.ok(sensor, dataset);
  return toViewerSensor(sensor);
};
const S2_L2A = of('sentinel2l2a');

test('colours are offered for one band or index, not for three, and not for classes and bits', () => {
  for (const shown of ['B08', 'NDVI']) assert.ok(isColorable(S2_L2A, shown), shown);
  for (const shown of ['B04,B03,B02', 'SCL']) assert.ok(!isColorable(S2_L2A, shown), shown);
  assert.ok(isColorable(of('landsat8'), 'B10') && !isColorable(of('landsat8'), 'BQA'));
  assert.ok(isColorable(of('sentinel1'), 'VV'));
});

test('pictures that cannot be coloured, and colormaps that are not offered, are requested without one', () => {
  assert.equal(planColormap(S2_L2A, 'NDVI', 'viridis'), 'viridis');
  assert.equal(planColormap(S2_L2A, 'B04,B03,B02', 'viridis'), null);
  assert.equal(planColormap(S2_L2A, 'SCL', 'viridis'), null);
  assert.equal(planColormap(S2_L2A, 'NDVI', 'no-such-map'), null);
  assert.equal(planColormap(S2_L2A, 'NDVI', null), null);
});

test('the server has every colormap that is offered', () => {
  for (const { name } of COLORMAPS) assert.equal(parseColormapName(name).kind, 'named', name);
});
