import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensorByDataset } from '../sensors/index.ts';
import type { LiveCollection } from './live-catalog.ts';
import { fillTemplate, readName, toItemPlace } from './locate.ts';

const sensorOf = (dataset: string) => {
  const sensor = sensorByDataset(dataset);
  assert.ok(sensor);
  return sensor;
};

test('every name of a Sentinel-2 scene gives its tile and its day', () => {
  const sensor = sensorOf('sentinel2l2a');
  for (const name of [
    '5/V/MG/2026/6/21/0',
    'S2A_tile_20260621_5VMG_0',
    'S2A_MSIL2A_20260621T105031_N0511_R051_T05VMG_20260621T152114',
    'S2A_5VMG_20260621_0_L2A',
  ]) {
    const read = readName(sensor, name);
    assert.equal(read?.date, '2026-06-21', name);
    const { utmZone, latitudeBand, square } = read.parts;
    assert.deepEqual([utmZone, latitudeBand, square], ['5', 'V', 'MG'], name);
  }
  assert.equal(readName(sensor, 'something'), null);
});

test('both names of a Landsat scene give path and row', () => {
  const sensor = sensorOf('landsat8');
  for (const name of ['LC08_L2SP_047027_20201204_20210313_02_T1', 'LC80470272020339LGN00']) {
    const read = readName(sensor, name);
    assert.deepEqual([read?.date, read?.parts.path, read?.parts.row], ['2020-12-04', '047', '027'], name);
  }
});

test('a view id is searched on its day and the days next to it', () => {
  const collection = { locate: { 'grid:code': 'MGRS-{utmZone}{square}' } } as unknown as LiveCollection;
  assert.deepEqual(
    toItemPlace({ parts: { utmZone: '5', square: 'MG' }, date: '2026-03-01', point: null }, collection),
    {
      days: { from: '2026-02-28', to: '2026-03-02' },
      conditions: [{ property: 'grid:code', op: '=', value: 'MGRS-5MG' }],
      point: null,
    },
  );
});

test('a name that states its place is searched there', () => {
  const name = readName(sensorOf('naip'), 'al/2015/1m/rgbir/30085/m_3008501_nw_16_1_20151014');
  assert.ok(name);
  const { point } = toItemPlace(name, { locate: {} } as unknown as LiveCollection);
  assert.deepEqual(point, { type: 'Point', coordinates: [-85.96875, 30.96875] });
});

test('templates pad numbers with zeros and write them as numbers', () => {
  assert.equal(fillTemplate('{path:3}', { path: '47' }), '047');
  assert.equal(fillTemplate('#{path}', { path: '047' }), 47);
  assert.throws(() => fillTemplate('{other}', { path: '047' }), /unknown part/);
});
