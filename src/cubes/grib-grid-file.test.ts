import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestField } from '../formats/grib/testing/encode-grib.ts';
import { encodeGrib } from '../formats/grib/testing/encode-grib.ts';
import { makeMemorySource } from '../formats/testing/memory-source.ts';
import { openGribGrid } from './open-grid-file.ts';

const grid = { west: 10, north: 50, lonStep: 0.5, latStep: 0.5, width: 2, height: 2 };
const rain: TestField = {
  edition: 2,
  parameter: [0, 1, 8],
  level: [1],
  run: '2026-05-02T00:00Z',
  grid,
  values: [0, 1, 2, 3],
  binaryScale: 0,
};
const period = (fromHours: number, hours: number, first: number): TestField => ({
  ...rain,
  fromHours,
  hours,
  values: [first, 1, 2, 3],
});
const hour = (hours: number): number => Date.UTC(2026, 4, 2, hours);
const open = (...fields: readonly TestField[]) =>
  openGribGrid(makeMemorySource(Buffer.concat(fields.map((field) => encodeGrib(field)))));

test('a variable is a parameter at a level with a method, with its times in order', async () => {
  const wind: TestField = { ...rain, parameter: [0, 2, 2], level: [103, 10] };
  const cloud: TestField = { ...rain, parameter: [0, 6, 1], level: [10] };
  const { variables } = await open(
    { ...wind, hours: 6 },
    { ...cloud, hours: 6 },
    { ...cloud, hours: 6, fromHours: 0, statistic: 0 },
    { ...wind, hours: 3, values: [5, 6, 7, 8] },
    { ...wind, hours: 6, level: [103, 100] },
  );
  assert.deepEqual(
    variables.map(({ name, units, method, timesMs, startsMs }) => ({
      name,
      units,
      method,
      timesMs,
      startsMs,
    })),
    [
      { name: '10u', units: 'm s**-1', method: 'instant', timesMs: [hour(3), hour(6)], startsMs: undefined },
      { name: 'tcc', units: '%', method: 'instant', timesMs: [hour(6)], startsMs: undefined },
      { name: 'tcc', units: '%', method: 'mean', timesMs: [hour(6)], startsMs: [hour(0)] },
      { name: '100u', units: 'm s**-1', method: 'instant', timesMs: [hour(6)], startsMs: undefined },
    ],
  );
  const [first] = variables;
  assert.deepEqual(first!.grid, grid);
  assert.deepEqual(first!.runsMs, [hour(0), hour(0)]);
  assert.deepEqual([...(await first!.readField(0))], [5, 6, 7, 8]);
  assert.deepEqual([...(await first!.readField(1))], [0, 1, 2, 3]);
});

test('sums since the run and six-hour sums are two variables, each complete', async () => {
  // As in files of GFS: to hour 6 both are the same, from then on they are not.
  const { variables } = await open(
    period(0, 3, 3),
    period(0, 6, 6),
    period(6, 9, 69),
    period(0, 9, 9),
    period(6, 12, 612),
    period(0, 12, 12),
  );
  assert.deepEqual(
    variables.map(({ name, method }) => [name, method]),
    [
      ['tp', 'sum'],
      ['tp', 'sum'],
    ],
  );
  const [fromRun, short] = variables;
  assert.deepEqual(fromRun!.startsMs, [hour(0), hour(0), hour(0), hour(0)]);
  assert.deepEqual(short!.startsMs, [hour(0), hour(0), hour(6), hour(6)]);
  for (const { timesMs } of variables) assert.deepEqual(timesMs, [hour(3), hour(6), hour(9), hour(12)]);
  assert.equal((await fromRun!.readField(3))[0], 12);
  assert.equal((await short!.readField(2))[0], 69);
});

test('one-hour sums are one variable, including the first of a run', async () => {
  const { variables } = await open(period(0, 1, 1), period(1, 2, 2), period(2, 3, 3));
  assert.equal(variables.length, 1);
  assert.deepEqual(variables[0]!.startsMs, [hour(0), hour(1), hour(2)]);
});

test('the last of two fields with the same time is used', async () => {
  const { variables } = await open(period(0, 3, 3), period(0, 3, 4));
  assert.deepEqual(variables[0]!.timesMs, [hour(3)]);
  assert.equal((await variables[0]!.readField(0))[0], 4);
});

test('fields on two grids are two variables; a file without a readable field gives the reason', async () => {
  const { variables } = await open(rain, { ...rain, grid: { ...grid, west: 20 } });
  assert.deepEqual(
    variables.map((one) => one.grid.west),
    [10, 20],
  );
  const more = { ...rain, fromHours: 0, statistic: 6, hours: 3 };
  assert.equal((await open(rain, more)).variables.length, 1);
  await assert.rejects(open(more), { code: 'grib-statistic' });
  const around = { ...rain, grid: { ...grid, west: 0, lonStep: 180, width: 3 }, values: [1, 2, 3, 4, 5, 6] };
  await assert.rejects(open(around), { code: 'grid-turn' });
});
