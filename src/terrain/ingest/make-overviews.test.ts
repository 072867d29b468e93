import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../../blocks/index.ts';
import type { Grid } from '../../geo/index.ts';
import { openOwnFiles } from '../../objects/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import type { TerrainJobs } from '../index.ts';
import { makeTerrainJobs } from '../index.ts';
import { makeDem, makeFakeDemStore } from '../testing/fake-dem-store.ts';
import { makeTerrainHere } from '../testing/terrain-here.ts';
import type { OverviewDeps } from './make-overviews.ts';
import { dropOverviews, makeOverviews } from './make-overviews.ts';
import { planOverviews } from './plan-overviews.ts';
import { readDemFile } from './read-dem-file.ts';

const here = makeTerrainHere();
after(here.remove);
here.addModel('hills', { gaps: 'sea' });
const surface = (lon: number, lat: number): number => 400 + 200 * Math.sin(lon * 3) * Math.cos(lat * 2);
const STEP = 1 / 64;
// 5 by 5 degrees, one of which is sea: no file.
for (let i = 0; i < 25; i++) {
  const [west, north] = [5 + (i % 5), 50 - Math.floor(i / 5)];
  if (i === 12) continue;
  await here.addImage({
    dem: 'hills',
    epsg: 4326,
    transform: [west, STEP, 0, north, 0, -STEP],
    width: 64,
    height: 64,
    heightAt: surface,
  });
}

const sources = [...here.files];
const store = makeFakeDemStore();
await store.putDem(makeDem('hills', { gaps: 'sea' }));
await store.putFiles(sources);
const directory = join(here.dataDir, 'mosaics');
const files = openOwnFiles({ dataDir: here.dataDir, cubes: null, sources: {} });

async function make() {
  // Each run is a process of its own: nothing of the one before is cached.
  const blocks = makeBlockCache(32 * 2 ** 20).handle;
  const tools = makeThreadTools({ files: { dataDir: here.dataDir, folders: [] }, blocks });
  const pool = makeRunnerHere<TerrainJobs>(makeTerrainJobs(tools));
  const progress: number[] = [];
  const deps: OverviewDeps = {
    plans: planOverviews(sources, 256),
    store,
    pool,
    atOnce: 2,
    files,
    folder: 'mosaics/',
    checkFile: async (file) => {
      await pool.run('check-dem', file, { ...aTicket, bytes: 0 });
    },
    readFile: (href, layer) =>
      readDemFile(here.tools, {
        ...layer,
        href,
        bandIndex: 0,
        unit: null,
        nodata: null,
      }),
    maxBytes: 2 ** 28,
    signal: new AbortController().signal,
    onProgress: (done, total) => progress.push(done / total),
  };
  const { overviews, damaged } = await makeOverviews('hills', deps);
  if (damaged.length === 0) assert.deepEqual((await store.find('hills'))?.overviews, overviews);
  return { jobs: pool.asked.filter(({ kind }) => kind === 'heights').length, progress, damaged };
}

test('mosaics have the averages of the files, sea where there is none, and their own records', async () => {
  const { jobs, progress } = await make();
  assert.ok(jobs > 0);
  assert.deepEqual([progress[0], progress.at(-1)], [0, 1]);
  const [listed] = await store.list();
  assert.ok((listed?.overviews.length as number) >= 1);
  const mosaic = [];
  for await (const file of store.listFiles({ dem: 'hills', overview: 1 })) mosaic.push(file);
  assert.ok(mosaic.length >= 1 && mosaic.length <= 4);

  here.files.splice(0, here.files.length, ...mosaic);
  const grid: Grid = { epsg: 4326, transform: [5, 1 / 16, 0, 50, 0, -1 / 16], width: 80, height: 80 };
  const heights = await here.readGrid({ grid, isFiltered: false }, aTicket);
  const at = (lon: number, lat: number): number =>
    heights[Math.floor((50 - lat) * 16) * 80 + Math.floor((lon - 5) * 16)] as number;
  for (const [lon, lat] of [
    [6.2, 49.2],
    [8.9, 48.8],
    [5.5, 46.5],
  ] as const)
    assert.ok(Math.abs(at(lon, lat) - surface(lon, lat)) < 40, `${lon} ${lat}: ${at(lon, lat)}`);
  assert.equal(at(7.5, 47.5), 0, 'the degree without a file');
});

test('existing mosaics are reused, changed ones are made again, and the rest is removed', async () => {
  const names = (): string[] =>
    readdirSync(directory, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.tif'))
      .sort();
  const before = names();
  assert.equal((await make()).jobs, 0);
  assert.deepEqual(names(), before);
  const { overviews = [] } = (await store.find('hills')) ?? {};
  await store.putDem(makeDem('hills', { gaps: 'unknown', overviews }));
  assert.ok((await make()).jobs > 0);
  assert.notDeepEqual(names(), before);
  assert.equal(names().length, before.length);
});

/** Overwrites bytes in the middle of the pixels of a file of ours, whose first block is large. */
async function damage(path: string): Promise<() => Promise<void>> {
  const whole = await readFile(path);
  await writeFile(path, Buffer.from(whole).fill(0xff, whole.length - 600, whole.length - 500));
  return () => writeFile(path, whole);
}

test('all unreadable files are named, and the mosaics stay unchanged', async () => {
  const before = [...store.files.values()].filter(({ overview }) => overview > 0);
  const bad = [sources[3]!, sources[20]!];
  const repair = await Promise.all(bad.map(({ href }) => damage(join(here.dataDir, href))));
  await store.putDem({ ...(await store.find('hills'))!, gaps: 'sea' });
  const { damaged } = await make();
  assert.deepEqual(damaged.map(({ file }) => file.href).sort(), bad.map(({ href }) => href).sort());
  assert.match(damaged[0]!.message, /block of the image is damaged/);
  assert.deepEqual(
    [...store.files.values()].filter(({ overview }) => overview > 0),
    before,
  );
  for (const restore of repair) await restore();
  assert.deepEqual((await make()).damaged, []);
});

test('a damaged mosaic on disk is made again', async () => {
  const [mosaic] = [...store.files.values()].filter(({ overview }) => overview === 1);
  await writeFile(join(here.dataDir, mosaic!.href), 'half of a file');
  assert.ok((await make()).jobs > 0);
  assert.equal((await make()).jobs, 0);
});

test('a model that no longer needs mosaics loses them', async () => {
  await dropOverviews('hills', { store, files, folder: 'mosaics/' });
  assert.deepEqual((await store.find('hills'))?.overviews, []);
  assert.deepEqual(
    [...store.files.values()].filter(({ overview }) => overview > 0),
    [],
  );
  assert.ok(
    !existsSync(directory) ||
      readdirSync(directory, { recursive: true }).every((name) => !String(name).endsWith('.tif')),
  );
});
