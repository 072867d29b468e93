import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { makeFolderObjects } from '../../objects/index.ts';
import { ingestStationTable } from '../ingest/ingest-files.ts';
import { makeStationProvider } from './station-provider.ts';
import type { StationSeries } from './station-store.ts';
import { makeStationStore } from './station-store.ts';

const folders: string[] = [];
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'swath-stations-'));
  folders.push(directory);
});
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const openFolder = () => makeStationStore({ objects: makeFolderObjects({ folder: directory }) });

const DAY = Date.UTC(2026, 4, 1) / 86_400_000;
const series = (
  id: string,
  tmin: readonly number[],
  { firstStep = DAY, latitude = 50, elevationM = 100 as number | null, stepHours = 24 as 1 | 24 } = {},
): StationSeries => ({
  station: {
    id,
    longitude: 10,
    latitude,
    elevationM,
    stepHours,
    firstStep,
    stepCount: tmin.length,
    variables: ['temperatureMin', 'precipitation'],
  },
  values: {
    temperatureMin: Float32Array.from(tmin),
    precipitation: Float32Array.from(tmin, () => 2),
  },
});

test('stations are stored as a whole, merged by day, listed and removed', async () => {
  const store = openFolder();
  assert.deepEqual([await store.list(), await store.find('farm')], [[], null]);
  const gap = Number.NaN;
  await store.put('farm', [series('a', [1, 2, 3]), series('b', [7])], { 'a.csv': '1' });
  await store.put('farm', [series('a', [gap, 9, 10], { firstStep: DAY + 1 })], { 'b.csv': '2' });
  const other = openFolder();
  const read = await other.readStation('farm', 'a');
  assert.deepEqual([...read!.values.temperatureMin!], [1, 2, 9, 10]);
  assert.deepEqual([...(await other.readStation('farm', 'b'))!.values.temperatureMin!], [7]);
  assert.equal(await other.readStation('farm', 'c'), null);
  const [set] = await other.list();
  assert.deepEqual([set!.name, set!.sources], ['farm', { 'a.csv': '1', 'b.csv': '2' }]);
  assert.deepEqual(
    set!.stations.map(({ id, firstStep, stepCount }) => [id, firstStep, stepCount]),
    [
      ['a', DAY, 4],
      ['b', DAY, 1],
    ],
  );
  await assert.rejects(store.put('farm', [series('a', [1], { stepHours: 1 })], {}), { code: 'station-step' });
  assert.deepEqual(readdirSync(directory), ['farm.stations']);
  assert.deepEqual([await store.remove('farm'), await store.remove('farm')], [true, false]);
  assert.deepEqual(readdirSync(directory), []);
});

test('a damaged file is an error, never values', async () => {
  await openFolder().put('farm', [series('a', [1, 2, 3])], {});
  const path = join(directory, 'farm.stations');
  const whole = readFileSync(path);
  for (const bytes of [whole.subarray(0, 2), whole.subarray(0, -4), Buffer.from('not a file of stations')]) {
    writeFileSync(path, bytes);
    await assert.rejects(openFolder().list(), { code: 'stations-damaged' });
  }
});

test('a table is stored once, and again when it or its location changes', async () => {
  const stations = openFolder();
  const path = join(directory, 'my farm.csv');
  writeFileSync(path, 'date,tmin\n2026-05-01,4\n');
  const station = { longitude: 10, latitude: 50, elevationM: null };
  const ingest = (more = {}) =>
    ingestStationTable({ stations, name: 'farm', path, source: path, stamp: '1', station, ...more });
  assert.equal(await ingest(), 1);
  assert.equal(await ingest(), null);
  assert.equal(await ingest({ stamp: '2' }), 1);
  assert.equal(await ingest({ stamp: '2', station: { ...station, elevationM: 5 } }), 1);
  assert.deepEqual(
    (await stations.find('farm'))?.stations.map(({ id }) => id),
    ['my-farm'],
  );
});

const point = (latitude: number) => ({ type: 'Point', coordinates: [10, latitude] }) as const;
const request = {
  from: '2026-05-01',
  to: '2026-05-03',
  utcOffsetHours: 2,
  isHourly: false,
  variables: ['temperatureMin', 'precipitation', 'windSpeed'] as const,
};

test('the nearest station with values for those days is used, at the height of the ground', async () => {
  const stations = openFolder();
  await stations.put('farm', [series('far', [1, 2, 3], { latitude: 50.1 })], {});
  await stations.put('old', [series('near', [5], { firstStep: DAY - 400, latitude: 50.01 })], {});
  const provider = makeStationProvider({ stations });
  const found = await provider.readHistory({ ...request, where: point(50) });
  assert.deepEqual(found?.lineage, {
    source: 'stations:farm',
    runMs: null,
    method: 'nearest station',
    correctedToM: null,
  });
  const { values, ...rest } = found!.series;
  assert.deepEqual(rest, {
    stepHours: 24,
    startMs: DAY * 86_400_000 - 2 * 3_600_000,
    stepCount: 3,
    utcOffsetHours: 2,
  });
  assert.deepEqual(values, {
    temperatureMin: Float64Array.of(1, 2, 3),
    precipitation: Float64Array.of(2, 2, 2),
  });
  const heights = { at: async () => 1100 };
  const higher = await makeStationProvider({ stations, heights }).readHistory({
    ...request,
    where: point(50),
  });
  assert.deepEqual([...higher!.series.values.temperatureMin!], [-5.5, -4.5, -3.5]);
  assert.deepEqual([...higher!.series.values.precipitation!], [2, 2, 2]);
  assert.equal(higher!.lineage.correctedToM, 1100);
  // 30 km are 0.27 degrees.
  assert.equal(await provider.readHistory({ ...request, where: point(49.8) }), null);
  assert.equal(await provider.readHistory({ ...request, where: point(50), isHourly: true }), null);
  assert.equal(await provider.readForecast({ where: point(50), hours: 72, nowMs: 0 }), null);
});

test('hours of a station start at local midnight', async () => {
  const stations = openFolder();
  const hours = Array.from({ length: 72 }, (_, hour) => hour);
  await stations.put('farm', [series('a', hours, { stepHours: 1, firstStep: DAY * 24 })], {});
  const found = await makeStationProvider({ stations }).readHistory({
    ...request,
    where: point(50),
    to: '2026-05-01',
    isHourly: true,
  });
  assert.deepEqual([found!.series.startMs, found!.series.stepCount], [(DAY * 24 - 2) * 3_600_000, 24]);
  assert.deepEqual([...found!.series.values.temperatureMin!].slice(0, 4), [Number.NaN, Number.NaN, 0, 1]);
});

test('two concurrent writers lose nothing, and a reader never mixes two states', async () => {
  const folder = makeFolderObjects({ folder: directory });
  const [one, two] = [openFolder(), openFolder()];
  await one.put('farm', [series('a', [1, 2])], {});
  let isMeddled = false;
  const slow = makeStationStore({
    objects: {
      ...folder,
      // Another process replaces the set between the read and the write, or between two reads.
      async readRange(key, range) {
        const bytes = await folder.readRange(key, range);
        if (!isMeddled) {
          isMeddled = true;
          await two.put('farm', [series('0', [9, 9, 9])], { 'two.csv': '2' });
        }
        return bytes;
      },
    },
  });
  await slow.put('farm', [series('c', [3])], { 'three.csv': '3' });
  const [set] = await one.list();
  assert.deepEqual(set?.stations.map(({ id }) => id).toSorted(), ['0', 'a', 'c']);
  assert.deepEqual(set?.sources, { 'two.csv': '2', 'three.csv': '3' });
  isMeddled = false;
  assert.deepEqual([...(await slow.readStation('farm', 'a'))!.values.temperatureMin!], [1, 2]);
});
