import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GridVariable } from '../../cubes/index.ts';
import type { Accumulation } from './sum-periods.ts';
import { findSumPeriods } from './sum-periods.ts';

const HOUR_MS = 3_600_000;
const grid = { west: 0, north: 50, lonStep: 1, latStep: 1, width: 2, height: 1 };
const rainAt = (hour: number, cell: number): number => (hour % 3 === cell ? 0.5 : 0);

/** A variable of rain that counts from a start, over the hours that end at 1 to `count`. */
function makeRain(
  count: number,
  startOf: (hour: number) => number,
  more: Partial<GridVariable> = {},
): GridVariable {
  const ends = Array.from({ length: count }, (_, i) => i + 1);
  return {
    name: 'tp',
    standardName: '',
    longName: '',
    units: 'mm',
    grid,
    timesMs: ends.map((hour) => hour * HOUR_MS),
    readField: async (index) =>
      Float32Array.from([0, 1], (cell) => {
        let sum = 0;
        for (let hour = startOf(ends[index]!); hour < ends[index]!; hour++) sum += rainAt(hour, cell);
        return sum;
      }),
    ...more,
  };
}

const byHour = (count: number) => makeRain(count, (hour) => hour - 1);
const byDay = (count: number) => makeRain(count, (hour) => 24 * Math.floor((hour - 1) / 24));
const byRun = (count: number) => makeRain(count, () => 0);

const startsOf = async (
  variable: GridVariable,
  {
    stated = null,
    runMs = null,
    fileName = 'x.nc',
  }: { stated?: Accumulation | null; runMs?: number | null; fileName?: string } = {},
) =>
  (await findSumPeriods(variable, { stated, runMs, isRate: false, fileName })).startsMs.map(
    (ms) => ms / HOUR_MS,
  );

test('the values distinguish sums of hours from those of days and of runs', async () => {
  assert.deepEqual((await startsOf(byHour(50))).slice(22, 26), [22, 23, 24, 25]);
  assert.deepEqual((await startsOf(byDay(50))).slice(22, 26), [0, 0, 24, 24]);
  assert.deepEqual((await startsOf(byRun(50), { runMs: 0 })).slice(22, 26), [0, 0, 0, 0]);
  // Too few to tell anything.
  assert.deepEqual(await startsOf(byDay(2)), [0, 1]);
});

test('a period stated by the caller or the file takes precedence over the values', async () => {
  assert.deepEqual((await startsOf(byHour(26), { stated: 'day' })).slice(23), [0, 24, 24]);
  assert.deepEqual((await startsOf(byHour(26), { fileName: 'era5-land_202601.nc' })).slice(23), [0, 24, 24]);
  assert.deepEqual((await startsOf(byDay(26), { fileName: 'ERA5_202601.nc' })).slice(23), [23, 24, 25]);
  const said = makeRain(3, () => 0, { startsMs: [0, 0, 2 * HOUR_MS], method: 'sum' });
  assert.deepEqual(await startsOf(said), [0, 0, 2]);
  await assert.rejects(startsOf(byHour(3), { stated: 'run' }), { code: 'no-run' });
  const rate = await findSumPeriods(byDay(4), { stated: 'day', runMs: null, isRate: true, fileName: '' });
  assert.deepEqual(
    rate.startsMs.map((ms) => ms / HOUR_MS),
    [0, 1, 2, 3],
  );
});
