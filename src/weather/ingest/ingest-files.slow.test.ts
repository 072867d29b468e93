import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { openAddress } from '../../app/files.ts';
import { lockFolder } from '../../app/open-store.ts';
import { readSeries } from '../../cubes/index.ts';
import { openStations } from '../stations/station-store.ts';
import { makeWeatherNetcdf } from '../testing/make-weather-netcdf.ts';
import { areDaysCurrent, openRemovableWeather, openWeatherCubes } from '../weather-cubes.ts';
import { ingestWeatherFiles } from './ingest-files.ts';

const folders: string[] = [];
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'swath-weather-app-'));
  folders.push(dataDir);
});
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Larger than the first bytes that are read of every file. */
const grid = { west: 10, north: 50, lonStep: 0.1, latStep: 0.1, width: 200, height: 200 };
const makeFile = (degrees: number) =>
  Buffer.from(
    makeWeatherNetcdf({
      grid,
      hours: [480_000, 480_001, 480_002],
      variables: { t2m: { units: 'degC', valueAt: () => degrees } },
    }),
  );
const table = Buffer.from('date,tmin\n2026-05-01,4\n2026-05-02,5\n');

/** What the server has under each path. */
const served = new Map<string, { bytes: Buffer; etag: string }>();
/** Bytes that were sent. */
let sent = 0;
const server = createServer((request, response) => {
  const found = served.get(request.url ?? '');
  if (found === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { bytes, etag } = found;
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const [start, end] = range === null ? [0, bytes.length - 1] : [Number(range[1]), Number(range[2])];
  const part = bytes.subarray(start, Math.min(end + 1, bytes.length));
  if (request.method !== 'HEAD') sent += part.length;
  response.writeHead(range === null ? 200 : 206, {
    etag,
    'accept-ranges': 'bytes',
    'content-length': part.length,
    'content-range': `bytes ${start}-${start + part.length - 1}/${bytes.length}`,
  });
  response.end(request.method === 'HEAD' ? undefined : part);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const { port } = server.address() as AddressInfo;
const network = {
  hosts: ['127.0.0.1'],
  allowHttp: true,
  ports: [port],
  privateNetworks: ['127.0.0.0/8'],
};

const toConfig = (isOpen = true) => ({
  dataDir,
  cubes: null,
  sources: isOpen ? { folders: [], network } : { folders: [] },
});
const ingest = (from: string, { name = 'a', isOpen = true } = {}) =>
  ingestWeatherFiles({
    config: toConfig(isOpen),
    lockFolder,
    openAddress: (href) => openAddress(href, toConfig(isOpen)),
    from,
    data: name,
    kind: null,
    runMs: null,
    accumulated: null,
    runs: 4,
    station: { longitude: 10, latitude: 50, elevationM: null },
    signal: new AbortController().signal,
  });
const address = (path: string): string => `http://127.0.0.1:${port}${path}`;

test('a remote file is copied, read and deleted; it is read again when it changes', async () => {
  served.set('/era5.nc?token=secret', { bytes: makeFile(5), etag: '"1"' });
  const from = address('/era5.nc?token=secret');
  const first = await ingest(from);
  assert.equal(first.totals.ingested, 1, first.files[0]?.reason);
  assert.deepEqual(readdirSync(join(dataDir, 'cubes/copies')), []);
  const [source] = [...(await openWeatherCubes(toConfig()).cubes.readSources('a')).keys()];
  assert.ok(source?.startsWith(address('/era5.nc')) && !source.includes('secret'), source);
  const { length } = makeFile(5);
  const before = sent;
  assert.ok(before >= length, `${before} of ${length} bytes`);
  assert.deepEqual((await ingest(from)).totals, { ingested: 0, unchanged: 1, broken: 0 });
  // Only the first bytes, which come with its size and ETag.
  assert.ok(sent - before < length / 2, `${sent - before} of ${length} bytes`);
  served.set('/era5.nc?token=secret', { bytes: makeFile(6), etag: '"2"' });
  assert.equal((await ingest(from)).totals.ingested, 1);
});

test('a forbidden or empty address is refused', async () => {
  served.set('/x.nc', { bytes: makeFile(5), etag: '"1"' });
  await assert.rejects(ingest(address('/x.nc'), { isOpen: false }), {
    code: 'address-not-allowed',
    message: /SWATH_SOURCES does not name/,
  });
  await assert.rejects(ingest(address('/none.nc')));
  assert.equal(existsSync(join(dataDir, 'cubes/copies')), false);
});

test('tables are read as stations: from an address, from a file, and next to gridded files in a folder', async () => {
  served.set('/farm.csv', { bytes: table, etag: '"1"' });
  const remote = await ingest(address('/farm.csv'), { name: 'far' });
  assert.deepEqual([remote.totals.ingested, remote.files[0]?.rows], [1, 2], remote.files[0]?.reason);
  const folder = join(dataDir, 'files');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.nc'), makeFile(5));
  writeFileSync(join(folder, 'b.csv'), table);
  writeFileSync(join(folder, 'c.csv'), 'date,tmin\n2026-05-01,cold\n');
  const { files, totals } = await ingest(folder);
  assert.deepEqual(totals, { ingested: 2, unchanged: 0, broken: 1 });
  assert.deepEqual(
    files.map(({ file, outcome, code }) => [file, outcome, code]),
    [
      ['a.nc', 'ingested', undefined],
      ['b.csv', 'ingested', undefined],
      ['c.csv', 'broken', 'bad-table'],
    ],
  );
  const alone = await ingest(join(folder, 'b.csv'));
  assert.deepEqual([alone.totals.unchanged, alone.files.length], [1, 1]);
  const sets = await openStations({ dataDir, cubes: null, sources: { folders: [] } }).list();
  assert.deepEqual(
    sets.map(({ name, stations }) => [name, stations.map(({ id }) => id)]),
    [
      ['a', ['b']],
      ['far', ['farm']],
    ],
  );
  const none = join(folder, 'none');
  await assert.rejects(ingest(none), { code: 'no-files', message: `There is no file or folder ${none}.` });
});

test('days are computed from hours: from all at first, then from new ones; they are removed with the hours', async () => {
  const write = (name: string, first: number): string => {
    const hours = Array.from({ length: 72 }, (_, i) => first + i);
    const t2m = { units: 'degC', valueAt: (hour: number) => (hour - 480_000) / 4 };
    const path = join(dataDir, name);
    const small = { ...grid, width: 4, height: 3 };
    writeFileSync(path, makeWeatherNetcdf({ grid: small, hours, variables: { t2m } }));
    return path;
  };
  const grids = openWeatherCubes(toConfig());
  const readMax = async () => {
    const where = { type: 'Point', coordinates: [10.1, 49.9] } as const;
    const request = { variable: 'temperatureMax', where, firstStep: 20_001, lastStep: 20_004 };
    return [...(await readSeries(grids.dayCubes, 'a', request)).means];
  };
  assert.equal((await ingest(write('a.nc', 480_000))).totals.ingested, 1);
  assert.equal(await areDaysCurrent(grids, 'a'), true);
  // The clock of the meridian is an hour ahead of UTC.
  assert.deepEqual((await readMax()).slice(0, 1), [11.5]);
  await ingest(write('b.nc', 480_072));
  assert.equal(await areDaysCurrent(grids, 'a'), true);
  assert.deepEqual(await readMax(), [11.5, 17.5, 23.5, 29.5]);
  await openRemovableWeather(toConfig()).remove('a');
  assert.deepEqual([await grids.cubes.list(), await grids.dayCubes.list()], [[], []]);
});
