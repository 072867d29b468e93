import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cube, GridVariable } from '../../cubes/index.ts';
import { isForecast, listRuns, planPrune, toRunName } from './ingest-weather.ts';

const HOUR_MS = 3_600_000;
const nowMs = Date.UTC(2026, 10, 16, 12);
const grid = { west: 0, north: 50, lonStep: 1, latStep: 1, width: 2, height: 2 };

const variable = (runMs: number | null, leads: readonly number[]): GridVariable => ({
  name: '2t',
  standardName: '',
  longName: '',
  units: 'K',
  grid,
  timesMs: leads.map((lead) => (runMs ?? nowMs) + lead * HOUR_MS),
  ...(runMs === null ? {} : { runsMs: leads.map(() => runMs) }),
  readField: async () => new Float32Array(4),
});

test('a forecast is distinguished from a reanalysis by its reach, its age and its name', () => {
  const [old, late] = [Date.UTC(2020, 0, 1), nowMs - 6 * HOUR_MS];
  const tell = (one: GridVariable, ...names: readonly string[]) => isForecast([one], { names, nowMs });
  assert.equal(tell(variable(old, [1, 12, 24]), 'era5'), false);
  assert.equal(tell(variable(old, [1, 48]), 'a'), true);
  assert.equal(tell(variable(late, [0]), 'a'), true);
  assert.equal(tell(variable(old, [3]), 'a', 'gfs.t06z.pgrb2.0p25.f003'), true);
  assert.equal(tell(variable(old, [3]), 'sensible', 'rapid.grib'), false);
  assert.equal(tell(variable(null, [3]), 'gfs'), false);
});

test('runs have unique names, and can be found by them', () => {
  const runMs = Date.UTC(2026, 10, 16, 6);
  assert.equal(toRunName('gfs', runMs), 'gfs-20261116t06');
  assert.equal(toRunName('gfs', runMs + 30 * 60_000), 'gfs-20261116t0630');
  const cube = (name: string, more: Partial<Cube>): Cube => ({
    name,
    grid,
    stepHours: 1,
    variables: {},
    firstStep: 0,
    lastStep: 1,
    sourceCount: 1,
    ...more,
  });
  const cubes = [
    cube('gfs-20261116t06', { kind: 'forecast', runMs }),
    cube('gfs-20261116t12', { kind: 'forecast', runMs: runMs + 6 * HOUR_MS }),
    cube('gfs-wave-20261116t06', { kind: 'forecast', runMs }),
    cube('gfs-20261116', { kind: 'history' }),
  ];
  assert.deepEqual(
    listRuns(cubes, 'gfs').map(({ name }) => name),
    ['gfs-20261116t12', 'gfs-20261116t06'],
  );
});

test('runs older than the newest usable ones are removed', () => {
  const run = (hours: number, reach: number) => ({
    name: `r${hours}`,
    grid,
    stepHours: 1 as const,
    variables: {},
    firstStep: 0,
    sourceCount: 1,
    lastStep: hours + reach,
    runMs: hours * HOUR_MS,
  });
  assert.deepEqual(planPrune([run(18, 120), run(12, 120), run(6, 120), run(0, 120)], 2), ['r6', 'r0']);
  // The newest does not reach far enough yet.
  assert.deepEqual(planPrune([run(18, 10), run(12, 120), run(6, 120), run(0, 120)], 2), ['r0']);
  // A model of 36 hours is complete with them.
  assert.deepEqual(planPrune([run(12, 36), run(6, 36), run(0, 36)], 1), ['r6', 'r0']);
  assert.deepEqual(planPrune([run(6, 120)], 2), []);
});
