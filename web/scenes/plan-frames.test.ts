import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerSensorOf } from '../../test/support/viewer-sensors.ts';
import type { Box } from './footprint.ts';
import { planFrames, planOtherSide, planStart } from './plan-frames.ts';
import type { Scene } from './scene.ts';

const VIEW: Box = [0, 0, 10, 10];

const makeScene = (date: string, change: Partial<Scene> & { east?: number } = {}): Scene => {
  const sensor = change.sensor ?? viewerSensorOf('sentinel2l2a');
  const { east = 10 } = change;
  const viewId = change.viewId ?? `${sensor.abbreviation}/${date}`;
  return {
    viewId,
    id: viewId,
    sensor,
    date,
    tms: `https://imagery.example/api/render/${viewId}/{band}/{z}/{x}/{y}`,
    outline: {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [east, 0],
          [east, 10],
          [0, 10],
          [0, 0],
        ],
      ],
    },
    cloudPercent: 5,
    sunElevationDeg: 50,
    coveragePercent: 100,
    thumbnail: null,
    ...change,
  };
};

const choice = { shown: makeScene('2026-06-21'), bounds: VIEW, maxCloudPercent: 30 };
const datesOf = (scenes: readonly Scene[]): string[] => scenes.map(({ date }) => date);

test('frames are the clear days of one dataset, oldest first', () => {
  const scenes = [
    makeScene('2026-06-21'),
    makeScene('2026-06-16', { cloudPercent: 60 }),
    makeScene('2026-06-11', { sensor: viewerSensorOf('landsat8') }),
    makeScene('2026-06-06', { cloudPercent: null }),
  ];
  assert.deepEqual(datesOf(planFrames(scenes, choice)), ['2026-06-06', '2026-06-21']);
  assert.deepEqual(datesOf(planFrames(scenes, { ...choice, maxCloudPercent: 100 })), [
    '2026-06-06',
    '2026-06-16',
    '2026-06-21',
  ]);
});

test('scenes that show less of the view than others are left out, and a day has one frame', () => {
  const scenes = [
    makeScene('2026-06-21', { east: 5 }),
    makeScene('2026-06-16', { viewId: 'whole' }),
    makeScene('2026-06-16', { viewId: 'part', east: 9.4 }),
    makeScene('2026-06-11', { east: 9.4 }),
  ];
  assert.deepEqual(
    planFrames(scenes, choice).map(({ viewId }) => viewId),
    ['S2L2A/2026-06-11', 'whole'],
  );
  // Seen from afar none covers the view: what the shown one shows of it counts.
  assert.equal(planFrames(scenes, { ...choice, bounds: [-200, -20, 160, 20] }).length, 2);
  assert.equal(planFrames(scenes, { ...choice, bounds: [340, -20, 380, 20] }).length, 2);
  assert.deepEqual(planFrames(scenes, { ...choice, bounds: [50, 0, 60, 10] }), []);
  const [part = makeScene('2026-06-21')] = scenes;
  assert.equal(
    planFrames(scenes, { ...choice, shown: part }).length,
    3,
    'all cover what the half scene shows',
  );
});

test('a wide overview is not a frame when a close-up is shown', () => {
  const scenes = [makeScene('2026-06-21', { east: 1 }), makeScene('2026-06-16', { east: 100 })];
  const [close = makeScene('2026-06-21')] = scenes;
  assert.deepEqual(datesOf(planFrames(scenes, { ...choice, shown: close })), ['2026-06-21']);
});

test('the other side is the previous date, else the next one, else any other scene', () => {
  const [newest, middle, oldest] = [
    makeScene('2026-06-21'),
    makeScene('2026-06-16'),
    makeScene('2026-06-11'),
  ] as const;
  const away = makeScene('2026-06-18', { east: 1 });
  const radar = makeScene('2026-06-20', { sensor: viewerSensorOf('sentinel1') });
  const all = [newest, radar, away, middle, oldest];
  assert.equal(planOtherSide(all, { shown: newest, bounds: VIEW }), middle);
  assert.equal(planOtherSide(all, { shown: middle, bounds: VIEW }), oldest);
  assert.equal(planOtherSide(all, { shown: oldest, bounds: VIEW }), middle);
  assert.equal(planOtherSide([newest, radar], { shown: newest, bounds: VIEW }), radar);
  assert.equal(planOtherSide([newest], { shown: newest, bounds: VIEW }), null);
});

test('an animation continues at the shown frame, or at the day in its address once the list contains it', () => {
  const frames = ['2026-06-11', '2026-06-16', '2026-06-21'].map((date) => makeScene(date));
  const start = (date: string | null, isListComing = false, viewId: string | null = null) =>
    planStart(frames, { viewId, date }, isListComing);
  assert.equal(start(null), 0);
  assert.equal(start('2026-06-21', true, frames[1]!.viewId), 1);
  assert.equal(start('2026-06-16', true), 1);
  assert.equal(start('2026-06-01', true), null, 'an earlier day may still come');
  assert.deepEqual([start('2026-06-01'), start('2026-06-12'), start('2026-07-01')], [0, 1, 2]);
});
