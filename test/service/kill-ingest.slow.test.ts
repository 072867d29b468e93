/** kill -9 in the middle of each ingest: what is stored is whole, and another run completes it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { toScene } from '../../src/catalog/index.ts';
import type { Cubes } from '../../src/cubes/index.ts';
import { readFields } from '../../src/cubes/index.ts';
import { toLandsatOdl } from '../../src/ingest/families/testing/product-texts.ts';
import type { TestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { makeTestFolder, SCENE } from '../../src/ingest/folder/testing/make-folder.ts';
import { naipItem } from '../../src/ingest/stac/testing/make-items.ts';
import { writeDem } from '../../src/terrain/ingest/testing/make-dem-folder.ts';
import { openStations } from '../../src/weather/stations/station-store.ts';
import { makeWeatherNetcdf } from '../../src/weather/testing/make-weather-netcdf.ts';
import { openWeatherCubes } from '../../src/weather/weather-cubes.ts';
import { ONE_THREAD, runSwath } from '../support/start-swath.ts';

const BIN = fileURLToPath(new URL('../../bin/swath.js', import.meta.url));
const FLAGS = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];

/** Contents of a data directory, by name; each entry is comparable across runs. */
type Stored = ReadonlyMap<string, unknown>;

/** One kind of ingest. */
interface IngestCase {
  readonly kind: 'folder' | 'stac' | 'dem' | 'weather';
  readonly count: number;
  /** Writes what is ingested into a folder; resolves to the path for the command. */
  readonly write: (folder: TestFolder) => Promise<string>;
  /** Words of the progress after which runs are killed, one run for each. */
  readonly words: readonly string[];
  /** A run is killed at most so long after its word: about what the rest of it takes. */
  readonly latestMs: number;
  readonly read: (dataDir: string) => Promise<Stored>;
  /** Whether each record is stored in one step, so that those that are there are final. */
  readonly isByRecord: boolean;
}

/** Every record of a catalog: each must be whole, which its version proves. */
async function readScenes(dataDir: string): Promise<Stored> {
  const store = openSqliteStore(dataDir);
  try {
    const versions = new Map<string, string>();
    for await (const scene of store.scenes.list()) {
      const { version, ...record }: Scene = scene;
      assert.equal(toScene(record).version, version, scene.viewId);
      versions.set(scene.viewId, version);
    }
    assert.equal(await store.scenes.count(), versions.size);
    return versions;
  } finally {
    await store.close();
  }
}

/** Records of a model, and the bytes of its overview mosaics, whose names and stamps tell when they were made. */
async function readModel(dataDir: string): Promise<Stored> {
  const store = openSqliteStore(dataDir);
  try {
    const stored = new Map<string, unknown>();
    for (const { ingestedAt: _, ...dem } of await store.dems.list()) {
      stored.set(dem.name, dem);
      for (let overview = 0; overview <= dem.overviews.length; overview += 1) {
        for await (const file of store.dems.listFiles({ dem: dem.name, overview })) {
          if (overview === 0) stored.set(file.href, file);
          else {
            const cell = file.href.replace(/-[0-9a-f]+\.tif$/, '');
            stored.set(cell, readFileSync(join(dataDir, file.href)).toString('base64'));
          }
        }
      }
    }
    return stored;
  } finally {
    await store.close();
  }
}

/** Every value of data cubes and stations, and the files that they come from. */
async function readWeather(dataDir: string): Promise<Stored> {
  const stored = new Map<string, unknown>();
  const { cubes, dayCubes } = openWeatherCubes({ dataDir, cubes: null, sources: { folders: [] } });
  await readCubes('hours', cubes, stored);
  await readCubes('days', dayCubes, stored);
  const stations = openStations({ dataDir, cubes: null, sources: { folders: [] } });
  for (const set of await stations.list()) {
    stored.set(`stations ${set.name}`, set);
    for (const { id } of set.stations)
      stored.set(`station ${set.name} ${id}`, await stations.readStation(set.name, id));
  }
  return stored;
}

async function readCubes(subject: string, cubes: Cubes, stored: Map<string, unknown>): Promise<void> {
  for (const cube of await cubes.list()) {
    stored.set(`${subject} ${cube.name}`, [cube, await cubes.readSources(cube.name)]);
    for (const variable of Object.keys(cube.variables))
      for (let step = cube.firstStep; step <= cube.lastStep; step += 1)
        stored.set(
          `${subject} ${cube.name} ${variable} ${step}`,
          await readFields(cubes, cube.name, { variable, steps: [step] }),
        );
  }
}

const CASES: readonly IngestCase[] = [
  {
    kind: 'folder',
    // Records are put fifty at a time: three commits, between which a run can be cut off.
    count: 130,
    async write({ root, write, writeImage }) {
      for (let i = 0; i < 130; i += 1) {
        const pathRow = `016${String(i + 1).padStart(3, '0')}`;
        const productId = `LC08_L1TP_${pathRow}_20170813_20170814_01_RT`;
        const odl = toLandsatOdl({ sceneId: `LC8${pathRow}2017225LGN00`, productId, collection: 1 });
        await write(`${productId}/${productId}_MTL.txt`, odl);
        await writeImage(`${productId}/${productId}_B4.TIF`, { ...SCENE, nodata: 0 });
      }
      return root;
    },
    words: ['Ingesting 25 %', 'Ingesting 50 %', 'Ingesting 75 %'],
    latestMs: 100,
    read: readScenes,
    isByRecord: true,
  },
  {
    kind: 'stac',
    // More than the 250 items between two lines of progress.
    count: 300,
    async write({ root, write, writeImage }) {
      const lines: string[] = [];
      for (let i = 0; i < 300; i += 1) {
        const day = String(1 + Math.floor(i / 50)).padStart(2, '0');
        const number = 1 + (i % 50);
        const item = naipItem(number);
        const name = `${String(item.id).replace(/^al_/, '').replace(/\d\d$/, day)}.tif`;
        item.id = `al_${name.replace('.tif', '')}`;
        item.properties.datetime = `2019-10-${day}T00:00:00Z`;
        item.assets.image!.href = `./${name}`;
        lines.push(JSON.stringify(item));
        const image = { epsg: 26916, west: 601_183 + number * 1_000, north: 3_430_444, pixel: 500 };
        await writeImage(name, { ...image, type: 'uint8', bandCount: 4 });
      }
      await write('items.ndjson', lines.join('\n'));
      return join(root, 'items.ndjson');
    },
    words: ['250 so far', '250 so far'],
    latestMs: 50,
    read: readScenes,
    isByRecord: true,
  },
  {
    kind: 'dem',
    // Records are put 64 at a time, and more than sixteen files of a degree need overview mosaics.
    count: 80,
    async write({ root }) {
      const more = { compression: 'deflate', blockSize: 64 } as const;
      for (let i = 0; i < 80; i += 1) {
        const place = { west: i % 20, north: 1 + Math.floor(i / 20) };
        await writeDem(join(root, `tile-${i}.tif`), { ...place, width: 128, height: 128, more });
      }
      return root;
    },
    words: ['Ingesting 75 %', 'Making overview mosaics', 'Making overview mosaics'],
    latestMs: 300,
    read: readModel,
    isByRecord: false,
  },
  {
    kind: 'weather',
    count: 30,
    async write({ root, write }) {
      const grid = { west: 10, north: 50, lonStep: 0.1, latStep: 0.1, width: 40, height: 30 };
      for (let day = 0; day < 24; day += 1) {
        const hours = Array.from({ length: 24 }, (_, hour) => 480_000 + 24 * day + hour);
        const valueAt = (hour: number, cell: number) => ((hour * 7 + cell) % 300) / 10;
        const variables = { t2m: { units: 'degC', valueAt }, tp: { units: 'mm', valueAt } };
        await write(`day-${String(day).padStart(2, '0')}.nc`, makeWeatherNetcdf({ grid, hours, variables }));
      }
      const head = 'date,latitude,longitude,tmin,rain';
      for (let station = 0; station < 6; station += 1)
        await write(`station-${station}.csv`, `${head}\n2026-05-01,50,10,${station},1\n2026-05-03,50,10,2,3`);
      return root;
    },
    words: ['Ingesting 25 %', 'Ingesting 75 %', 'Ingesting 75 %'],
    latestMs: 600,
    read: readWeather,
    isByRecord: false,
  },
];

const root = mkdtempSync(join(tmpdir(), 'swath-kill-ingest-'));
const folders: TestFolder[] = [];
after(async () => {
  for (const folder of folders) await folder.remove();
  rmSync(root, { recursive: true, force: true });
});

/** When a run is killed. */
interface Moment {
  readonly word: string;
  readonly latestMs: number;
}

/** Runs a command and kills it some moments after it has printed a word; true when it was killed in time. */
async function runUntil(
  args: readonly string[],
  env: Record<string, string>,
  { word, latestMs }: Moment,
): Promise<boolean> {
  const child = spawn(process.execPath, [...FLAGS, BIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  );
  const seen = new Promise<void>((resolve) => {
    let text = '';
    const look = (part: string): void => {
      text += part;
      if (text.includes(word)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
  });
  await Promise.race([seen, ended]);
  await sleep(latestMs * Math.random());
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

for (const { kind, count, write, words, latestMs, read, isByRecord } of CASES)
  test(`kill -9 at random moments of swath ingest ${kind}: another run completes what is stored`, async (t) => {
    const folder = await makeTestFolder();
    folders.push(folder);
    const args = ['ingest', kind, await write(folder)];
    const toEnv = (name: string) => ({
      SWATH_DATA: join(root, kind, name),
      SWATH_SOURCES: folder.root,
      ...ONE_THREAD,
    });
    const [whole, killed] = [toEnv('whole'), toEnv('killed')];
    const first = await runSwath(args, whole);
    assert.equal(first.status, 0, first.stderr);
    const expected = await read(whole.SWATH_DATA);

    let kills = 0;
    const sizes: number[] = [];
    // One data directory for all of them: each run goes on where the last was cut off.
    for (const [i, word] of words.entries()) {
      // The first at once: beside other programs all others may be over before they are killed.
      if (await runUntil(args, killed, { word, latestMs: i === 0 ? 0 : latestMs })) kills += 1;
      const found = await read(killed.SWATH_DATA);
      if (isByRecord) {
        for (const [name, record] of found) assert.deepEqual(record, expected.get(name), name);
        assert.ok(found.size >= (sizes.at(-1) ?? 0), 'what was acknowledged stays');
      }
      sizes.push(found.size);
    }
    t.diagnostic(`killed ${kills} times, with ${sizes.join(', ')} of ${expected.size} entries stored`);
    assert.ok(kills > 0, 'at least one run was cut off');
    const cutOff = await runSwath(['doctor'], killed);
    assert.equal(cutOff.status, 0, cutOff.stdout);

    const last = await runSwath([...args, '--json'], killed);
    assert.equal(last.status, 0, last.stderr);
    const { totals } = JSON.parse(last.stdout) as { totals: Record<string, number> };
    assert.equal((totals.ingested ?? 0) + (totals.unchanged ?? 0), count);
    assert.deepEqual(await read(killed.SWATH_DATA), expected);
    const doctor = await runSwath(['doctor'], killed);
    assert.equal(doctor.status, 0, doctor.stdout);
  });
