import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MeasuredScene, SeriesState } from '../../../state/series-state.ts';
import { NO_SERIES } from '../../../state/series-state.ts';
import { toChartData } from './chart-data.ts';
import { toRunningSums } from './running-sums.ts';

const makeScene = (
  date: string,
  average: number | null,
  change: Partial<MeasuredScene> = {},
): MeasuredScene => ({
  date,
  sceneId: `scene ${date}`,
  viewId: `S2/${date}`,
  cloudPercent: 0,
  notes: [],
  values: { NDVI: { average, min: null, max: null, std: null, median: null, p10: average, p90: average } },
  ...change,
});
const makeState = (scenes: readonly MeasuredScene[]): SeriesState => ({
  ...NO_SERIES,
  choice: { ...NO_SERIES.choice, maxCloudPercent: 30 },
  measured: { kind: 'ready', value: { scenes, failures: [] } },
});
const period = { from: '2026-01-01', to: '2026-01-10' };

test('each day has a row: clear scenes are points, cloudy ones are not, with a line between the first and the last', () => {
  const { days, seconds, indices, scenes } = toChartData(
    makeState([
      makeScene('2026-01-02', 0.2),
      makeScene('2026-01-04', 0.9, { cloudPercent: 31 }),
      makeScene('2026-01-05', null),
      makeScene('2026-01-08', 0.5),
    ]),
    period,
  );
  assert.deepEqual([days.length, days[0], days.at(-1)], [10, '2026-01-01', '2026-01-10']);
  assert.equal(seconds[1], Date.UTC(2026, 0, 2) / 1000);
  const [{ points, line } = { points: [], line: [] }] = indices;
  assert.deepEqual(
    points.flatMap((value, i) => (value === null ? [] : [[days[i], value]])),
    [
      ['2026-01-02', 0.2],
      ['2026-01-08', 0.5],
    ],
  );
  assert.equal(scenes[3], null);
  assert.equal(line[0], null);
  assert.ok(Math.abs(line[4]! - 0.35) < 1e-9, 'two points are joined by a straight line');
  assert.equal(line[9], null);
});

test('the complete one of two scenes on a day is drawn, and the clearer of two complete ones', () => {
  const { indices } = toChartData(
    makeState([
      makeScene('2026-01-02', 0.1, { notes: ['partial coverage'] }),
      makeScene('2026-01-02', 0.2, { cloudPercent: 20 }),
      makeScene('2026-01-02', 0.3, { cloudPercent: 10 }),
    ]),
    period,
  );
  assert.equal(indices[0]?.points[1], 0.3);
});

test('the line stops where there is no data for months', () => {
  const { indices } = toChartData(
    makeState([makeScene('2026-01-01', 0.2), makeScene('2026-01-05', 0.3), makeScene('2026-06-01', 0.5)]),
    { from: '2026-01-01', to: '2026-06-02' },
  );
  const line = indices[0]?.line ?? [];
  assert.ok(line[4] !== null && line[5] === null && line[100] === null && line[151] !== null);
});

test('forecasts extend the chart, and every day has its weather and soil', () => {
  const day = {
    minC: 1,
    maxC: 9,
    rainMm: 0,
    growingDegrees: null,
    evaporationMm: null,
    balanceMm: null,
    isForecast: true,
  };
  const data = toChartData(
    {
      ...makeState([]),
      weather: { kind: 'ready', value: { days: [{ ...day, day: '2026-01-12' }], source: 'demo' } },
      soil: { kind: 'ready', value: [{ day: '2026-01-03', surface: 0.2, rootZone: null }] },
    },
    period,
  );
  assert.deepEqual(
    [data.days.at(-1), data.weather.at(-1)?.maxC, data.soil[2]?.surface],
    ['2026-01-12', 9, 0.2],
  );
  assert.deepEqual(data.indices, []);
});

test('years are overlaid by day, the newest first, with the normal of the earlier ones', () => {
  const scenes = [2023, 2024, 2025, 2026].flatMap((year) =>
    ['03-01', '03-21', '04-10'].map((day, i) => makeScene(`${year}-${day}`, 0.1 * i + 0.01 * (year - 2023))),
  );
  const state = makeState(scenes);
  const data = toChartData(
    { ...state, choice: { ...state.choice, views: ['years', 'spread'] } },
    { from: '2023-01-01', to: '2026-04-30' },
  );
  assert.deepEqual([data.days.length, data.days[0], data.days.at(-1)], [365, '2026-01-01', '2026-12-31']);
  assert.deepEqual(
    data.indices.map(({ name }) => name),
    ['2026', '2025', '2024', '2023'],
  );
  const row = data.days.indexOf('2026-03-21');
  assert.equal(data.indices[0]?.points[row], 0.13);
  assert.equal(data.indices[3]?.points[row], 0.1);
  assert.equal(data.scenes[row]?.date, '2026-03-21', 'a click shows the newest');
  assert.ok(Math.abs((data.normal?.mean[row] ?? 0) - 0.11) < 0.01);
  assert.deepEqual(data.normal?.years, [2023, 2024, 2025]);
  assert.ok((data.spread?.low[row] ?? null) !== null);
});

test('two areas are drawn with one index, each with its name', () => {
  const square = { type: 'Polygon' as const, coordinates: [] };
  const data = toChartData(
    {
      ...makeState([makeScene('2026-01-02', 0.2), makeScene('2026-01-08', 0.4)]),
      field: { name: 'North 1', sownOn: null, other: { outline: square, name: 'North 2' } },
      compared: { kind: 'ready', value: { scenes: [makeScene('2026-01-02', 0.7)], failures: [] } },
    },
    period,
  );
  assert.deepEqual(
    data.indices.map(({ name, points }) => [name, points[1]]),
    [
      ['North 1', 0.2],
      ['North 2', 0.7],
    ],
  );
});

test('growing degrees are summed from sowing, or from each first of January, and not across an unknown day', () => {
  const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03'];
  assert.deepEqual(toRunningSums(days, [1, 2, 3, 4, 5], null), [null, null, 3, 7, 12]);
  assert.deepEqual(toRunningSums(days, [1, 2, 3, 4, 5], '2025-12-31'), [null, 2, 5, 9, 14]);
  assert.deepEqual(toRunningSums(days, [1, 2, 3, null, 5], '2025-12-31'), [null, 2, 5, null, null]);
  assert.deepEqual(toRunningSums(days, [1, 2, 3, 4, 5], '2024-05-01'), [null, null, 3, 7, 12]);
});
