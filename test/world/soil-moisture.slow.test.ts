import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { lockFolder } from '../../src/app/open-store.ts';
import { lockCubes } from '../../src/cubes/index.ts';
import { removeDemoSoilMoisture, takeDemoSoilMoisture } from '../../src/demo/demo-data.ts';
import { makeSoilMoisture, openMoistureCubes } from '../../src/soil-moisture/index.ts';
import { makeClimate } from '../../world/climate/climate.ts';
import { makeToLocal, tenths } from '../../world/grids/degree-grid.ts';
import { localDay } from '../../world/grids/local-weather.ts';
import { writeWeather } from '../../world/grids/write-weather.ts';
import type { Ground } from '../../world/ground/ground.ts';
import { WORLD_SEED } from '../../world/ground/world.ts';
import { toDate, toDay, worldYears } from '../../world/setting.ts';

const neverCalled = (): never => {
  throw new Error('weather needs heights only');
};
/** The water of the soil does not depend on heights, which take long to make. */
const ground: Ground = {
  survey: neverCalled,
  paint: neverCalled,
  fieldsIn: neverCalled,
  heightAt: () => 100,
};
const climate = makeClimate(WORLD_SEED);
const toLocal = makeToLocal();
/** What the world says of a location on a day. */
const truthAt = (lon: number, lat: number, day: number): number => {
  const [x, y] = toLocal(lon, lat);
  return localDay(climate, day, { x, y, heightM: 100 }).soilWater;
};

let dataDir: string;
let folder: string;
const toConfig = () => ({ dataDir, cubes: null, sources: { folders: [] } });
const { signal } = new AbortController();
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'swath-demo-soil-'));
  folder = join(dataDir, 'demo/weather');
  mkdirSync(folder, { recursive: true });
  await writeWeather({ climate, ground }, folder);
  await takeDemoSoilMoisture(folder, { config: toConfig(), lockFolder, signal });
});
after(() => rmSync(dataDir, { recursive: true }));

const read = (
  where: Parameters<ReturnType<typeof makeSoilMoisture>['read']>[0]['where'],
  from: string,
  to: string,
) => makeSoilMoisture({ cubes: openMoistureCubes(toConfig()) }).read({ where, from, to });

test('every day of a cell is what the world says, and the root zone is the filter of it', async () => {
  const [column, row] = [5, 7];
  const [lon, lat] = [tenths.longitudes[column]!, tenths.latitudes[row]!];
  const series = (await read({ type: 'Point', coordinates: [lon, lat] }, worldYears.first, worldYears.last))!;
  const first = toDay(worldYears.first);
  assert.equal(series.days.length, toDay(worldYears.last) - first + 1);
  const truth = series.days.map((_, i) => truthAt(lon, lat, first + i));
  for (const [i, { date, surface, rootZone }] of series.days.entries()) {
    assert.equal(date, toDate(first + i));
    assert.ok(Math.abs(surface! - truth[i]!) < 1e-6, `${date}: ${surface}, not ${truth[i]}`);
    if (i % 50 !== 49) continue;
    const weights = truth.slice(0, i + 1).map((_, k) => Math.exp(-(i - k) / 10));
    const sum = weights.reduce((total, weight, k) => total + weight * truth[k]!, 0);
    const wanted = sum / weights.reduce((total, weight) => total + weight, 0);
    assert.ok(Math.abs(rootZone! - wanted) < 1e-6, `${date}: ${rootZone}, not ${wanted}`);
  }
});

test('an area has the mean of its cells, weighted by hand', async () => {
  const day = '2026-05-02';
  const [west, north] = [tenths.longitudes[3]! - 0.05, tenths.latitudes[4]! + 0.05];
  const ring = [
    [west, north - 0.2],
    [west + 0.25, north - 0.2],
    [west + 0.25, north],
    [west, north],
    [west, north - 0.2],
  ] as const;
  const { days } = (await read({ type: 'Polygon', coordinates: [ring] }, day, day))!;
  let [sum, weights] = [0, 0];
  for (const [dx, share] of [1, 1, 0.5].entries()) {
    for (const dy of [0, 1]) {
      const [lon, lat] = [tenths.longitudes[3 + dx]!, tenths.latitudes[4 + dy]!];
      const weight = share * Math.cos((lat * Math.PI) / 180);
      sum += weight * truthAt(lon, lat, toDay(day));
      weights += weight;
    }
  }
  assert.ok(Math.abs(days[0]!.surface! - sum / weights) < 1e-6);
  assert.equal(days[0]!.cells.length, 6);
});

test('taking it in again changes nothing, and it is removed with the demo', async () => {
  const listChunks = () => readdirSync(join(dataDir, 'cubes/soil-moisture/demo'), { recursive: true }).sort();
  const before = listChunks();
  await takeDemoSoilMoisture(folder, { config: toConfig(), lockFolder, signal });
  assert.deepEqual(listChunks(), before);
  const lock = await lockCubes(toConfig(), lockFolder);
  await assert.rejects(takeDemoSoilMoisture(folder, { config: toConfig(), lockFolder, signal }), {
    code: 'cubes-busy',
  });
  await lock.release();
  await removeDemoSoilMoisture({ config: toConfig(), lockFolder });
  assert.deepEqual(await openMoistureCubes(toConfig()).list(), []);
});
