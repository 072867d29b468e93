/** Codes of statistics that cannot be made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sceneOf } from '../service.ts';
import { codeOf, dateOf, toParams } from '../statistics.ts';
import { damageBand, order, orderRefused, pollToEnd } from '../tasks.ts';

/** Statistics of a band that is damaged: failures that may pass are tried again, which takes seconds. */
let failing: Promise<string>;

async function orderDamaged(): Promise<string> {
  damageBand('modis', 'B06qa');
  const { footprint } = sceneOf('modis');
  const ring = (footprint.type === 'Polygon' ? footprint.coordinates : footprint.coordinates[0]!)[0]!;
  const [lon, lat] = [0, 1].map(
    (axis) => ring.slice(1).reduce((sum, at) => sum + (at[axis] as number), 0) / (ring.length - 1),
  ) as [number, number];
  const side = 0.05;
  const params = {
    bm_type: 'B06qa',
    sensors: ['modis'],
    date_start: dateOf('modis'),
    date_end: dateOf('modis'),
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [lon, lat],
          [lon + side, lat],
          [lon + side, lat + side],
          [lon, lat + side],
          [lon, lat],
        ],
      ],
    },
  };
  return (await order('mt_stats', params)).task_id;
}

test('statistics 00001: limit exceeds the limit of scenes', async () => {
  failing = orderDamaged();
  assert.equal(await codeOf(await toParams('l2a', { limit: 501 })), '00001');
  assert.equal(await orderRefused('mt_stats', await toParams('l2a', { limit: 0 })), 'bad-limit');
});

test('statistics 00010: invalid sensors', async () => {
  for (const sensors of [['Sentinel-2'], 'S2_MSI_L2A', [], {}, ['sentinel2l2a', 'nope']])
    assert.equal(await codeOf(await toParams('l2a', { sensors })), '00010', JSON.stringify(sensors));
});

test('statistics 00011: date_start later than date_end', async () => {
  assert.equal(
    await codeOf(await toParams('l2a', { date_start: '2026-02-02', date_end: '2026-02-01' })),
    '00011',
  );
});

test('statistics 00100: malformed date', async () => {
  for (const date_start of ['2026-02-30', '2026/01/01', '', null, 20260101, '2026-1-1'])
    assert.equal(await codeOf(await toParams('l2a', { date_start })), '00100', String(date_start));
});

test('statistics 00101: no geometry provided', async () => {
  assert.equal(await codeOf(await toParams('l2a', { geometry: null })), '00101');
});

test('statistics 00110: unsupported geometry type', async () => {
  assert.equal(
    await codeOf(await toParams('l2a', { geometry: { type: 'Point', coordinates: [1, 2] } })),
    '00110',
  );
  const geometry = {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  };
  assert.equal(await codeOf(await toParams('l2a', { geometry })), '00110');
});

test('statistics 00111: geometry not valid', async () => {
  const bow = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  assert.equal(
    await codeOf(await toParams('l2a', { geometry: { type: 'Polygon', coordinates: [bow] } })),
    '00111',
  );
});

test('statistics 01000: malformed geometry', async () => {
  for (const geometry of [
    'POLYGON((0 0))',
    { type: 'Polygon' },
    { type: 'Polygon', coordinates: [[[0, 'x']]] },
  ])
    assert.equal(await codeOf(await toParams('l2a', { geometry })), '01000', JSON.stringify(geometry));
});

test('statistics 01001: invalid bm_type, and band math of several sensors', async () => {
  for (const bm_type of ['NDVX', '', null, [], 'ISTACK', 'B04,B08', [7]])
    assert.equal(await codeOf(await toParams('l2a', { bm_type })), '01001', JSON.stringify(bm_type));
  const params = await toParams('l2a', { bm_type: 'B04', sensors: ['landsat8', 'sentinel2'] });
  assert.equal(await codeOf(params), '01001');
});

test('statistics 01100: no scene could be measured', async () => {
  const { body } = await pollToEnd(await failing);
  assert.deepEqual([body.task_type, body.error_status], ['error', '01100']);
  assert.match(String(body.error_message), /all 1 scenes failed/);
});

test('statistics 01011: maximum extent size exceeded', async () => {
  const ring = [
    [0, 0],
    [0.2, 0],
    [0.2, 0.2],
    [0, 0.2],
    [0, 0],
  ];
  assert.equal(
    await codeOf(await toParams('l2a', { geometry: { type: 'Polygon', coordinates: [ring] } })),
    '01011',
  );
});
