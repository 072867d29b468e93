import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planetaryComputer } from '../presets/planetary-computer.ts';
import type { SyncPlan } from './sync-plan.ts';
import { listWindows, toOwnDays, toSyncId } from './sync-plan.ts';

const PLAN: SyncPlan = {
  area: {
    type: 'Polygon',
    coordinates: [
      [
        [2, 42],
        [3, 42],
        [3, 43],
        [2, 42],
      ],
    ],
  },
  since: '2023-12-20',
  until: null,
  datasets: ['landsat8'],
  maxCloudPercent: null,
};

const listDays = (plan: Partial<SyncPlan>, today = '2024-02-10') =>
  listWindows(planetaryComputer, { ...PLAN, ...plan }, today).map(({ from, to }) => `${from} ${to}`);

test('windows are months, newest first, and end with the current one or with the last day', () => {
  assert.deepEqual(listDays({}), ['2024-02-01 2024-02-29', '2024-01-01 2024-01-31', '2023-12-20 2023-12-31']);
  assert.deepEqual(listDays({ until: '2024-01-15' }), ['2024-01-01 2024-01-15', '2023-12-20 2023-12-31']);
  assert.deepEqual(listDays({ until: '2023-12-21' }), ['2023-12-20 2023-12-21']);
  assert.deepEqual(listDays({}, '2023-12-01'), []);
});

test('a dataset has no windows before its first scene, and a catalog has the windows of all its datasets', () => {
  assert.deepEqual(listDays({ since: '1982-01-01', until: '2013-03-05' }), [
    '2013-03-01 2013-03-05',
    '2013-02-11 2013-02-28',
  ]);
  const all = listWindows(planetaryComputer, { ...PLAN, datasets: null }, '2024-02-10');
  const datasets = new Set(planetaryComputer.collections.map(({ dataset }) => dataset));
  assert.deepEqual([all.length, new Set(all.map(({ dataset }) => dataset))], [3 * datasets.size, datasets]);
});

test('every day belongs to one window, also days before and after those of the plan', () => {
  const windows = listWindows(planetaryComputer, PLAN, '2024-02-10').map(toOwnDays);
  for (const day of ['2023-12-04', '2023-12-31', '2024-01-01', '2024-02-29', '2024-03-01']) {
    const own = windows.filter(({ from, to }) => (from ?? day) <= day && day <= (to ?? day));
    assert.equal(own.length, 1, day);
  }
});

test('the same arguments mean the same sync, in any order of datasets; other arguments mean another one', () => {
  const idOf = (plan: Partial<SyncPlan>, name = 'a') =>
    toSyncId({ name, url: 'https://stac.example.org' }, { ...PLAN, ...plan });
  assert.equal(idOf({ datasets: ['a', 'b'] }), idOf({ datasets: ['b', 'a', 'b'] }));
  const others = [
    idOf({}),
    idOf({}, 'b'),
    idOf({ since: '2023-12-21' }),
    idOf({ until: '2024-01-01' }),
    idOf({ datasets: null }),
    idOf({ maxCloudPercent: 20 }),
    idOf({ area: { type: 'Polygon', coordinates: [] } }),
  ];
  assert.equal(new Set(others).size, others.length);
});
