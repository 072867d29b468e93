import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { lockFolder } from '../app/open-store.ts';
import type { FakeS3 } from '../sources/testing/fake-s3.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { ingestWeatherFiles, openRemovableWeather, openWeatherCubes } from '../weather/index.ts';
import { makeWeatherNetcdf } from '../weather/testing/make-weather-netcdf.ts';
import { lockCubes } from './cubes.ts';
import { readSeries } from './index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-data-cubes-'));
let fake: FakeS3;
before(async () => {
  fake = await startFakeS3();
});
after(() => {
  fake.stop();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(() => fake.reset());

/** A machine of its own that stores its cubes in the bucket. */
const toMachine = () => ({
  dataDir: mkdtempSync(join(scratch, 'data-')),
  cubes: `s3://${FAKE_BUCKET}/cubes`,
  sources: { folders: [], network: fake.network },
});

const file = join(scratch, 'weather.nc');
const grid = { west: 10, north: 50, lonStep: 0.1, latStep: 0.1, width: 4, height: 3 };
const hours = Array.from({ length: 72 }, (_, i) => 480_000 + i);
const t2m = { units: 'degC', valueAt: (hour: number) => (hour - 480_000) / 4 };
writeFileSync(file, makeWeatherNetcdf({ grid, hours, variables: { t2m } }));

const ingest = (config: ReturnType<typeof toMachine>) =>
  ingestWeatherFiles({
    config,
    lockFolder,
    openAddress: () => assert.fail('no address is opened'),
    from: file,
    data: 'a',
    kind: null,
    runMs: null,
    accumulated: null,
    runs: 4,
    station: { longitude: 10, latitude: 50, elevationM: null },
    signal: new AbortController().signal,
  });

test('weather is ingested into the configured bucket, read by another machine, and removed', async () => {
  const machine = toMachine();
  assert.equal((await ingest(machine)).totals.ingested, 1);
  assert.equal(existsSync(join(machine.dataDir, 'cubes/weather')), false);
  const { cubes, dayCubes } = openWeatherCubes(toMachine());
  const where = { type: 'Point', coordinates: [10.1, 49.9] } as const;
  const request = { variable: 'temperature', where, firstStep: 480_000, lastStep: 480_003 };
  assert.deepEqual([...(await readSeries(cubes, 'a', request)).means], [0, 0.25, 0.5, 0.75]);
  assert.equal((await dayCubes.list()).length, 1);
  const other = toMachine();
  const lock = await lockCubes(other, lockFolder);
  assert.equal(await openRemovableWeather(other, lock).remove('a'), true);
  await lock.release();
  assert.deepEqual([...fake.objects.keys()], []);
});

test('one machine at a time may write; a lease that is not renewed ends', async () => {
  const lock = await lockCubes(toMachine(), lockFolder);
  await assert.rejects(ingest(toMachine()), { code: 'cubes-busy', message: /SWATH_CUBES/ });
  // The store's clock goes on, and the lease is not renewed.
  fake.aheadMs = 121_000;
  assert.equal((await ingest(toMachine())).totals.ingested, 1);
  await assert.rejects(lock.confirm(), { code: 'lease-lost' });
  await lock.release();
});

test('a store without conditional writes is refused with an explanation', async () => {
  fake.ignoresConditions = true;
  await assert.rejects(ingest(toMachine()), { code: 'no-conditional-writes', message: /If-None-Match/ });
  assert.deepEqual([...fake.objects.keys()], []);
});

test('a bucket that becomes unavailable ends an ingest with the reason; the next one catches up', async () => {
  fake.fault = ({ operation, key }) =>
    operation === 'put' && key.endsWith('/cube.json') ? { status: 503 } : null;
  await assert.rejects(ingest(toMachine()), { tag: 'unavailable', code: 'cubes-unavailable' });
  assert.deepEqual(await openWeatherCubes(toMachine()).cubes.list(), []);
  fake.fault = ({ operation, key }) =>
    operation === 'list' && key === '' ? { status: 403, code: 'AccessDenied' } : null;
  await assert.rejects(ingest(toMachine()), { tag: 'unavailable', code: 'cubes-unavailable' });
  fake.fault = () => null;
  assert.equal((await ingest(toMachine())).totals.ingested, 1);
});
