/**
 * Files of a whole scene compared with GDAL, small files, and tiles meanwhile: `npm run bench:exports`.
 *
 * Both sides read the same COGs and write to the same disk, and alternate; the medians of `--rounds` count. Swath is a
 * service with its default settings, and is measured from the order to the stored file; its GeoTIFFs have overviews and
 * are synced to the disk, those of GDAL are neither. CPU seconds are given too, because tasks take only what other
 * programs leave. `--scene <folder>` takes the scene from there, and makes it there first when there is none; by default
 * it is made in a folder for this run. `--only ndvi,bands,crop,picture,small,tiles,memory` selects measurements. Without
 * GDAL only Swath is measured. With TEST_DATABASE_URL small tasks are measured on PostgreSQL too:
 * `npm run with-postgres -- npm run bench:exports`. Needs Linux.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TRANSFORM } from '../tiles/make-band.ts';
import type { FileFacts } from './gdal.ts';
import { findGdal, RANGE, readFacts, toBandsCommands, toNdviCommands, toPictureCommands } from './gdal.ts';
import { BANDS, makeScene, SCENE } from './make-scene.ts';
import type { Order, Service } from './service.ts';
import { startService } from './service.ts';
import { measureSmallTasks, toSmallOrder } from './small-tasks.ts';
import type { Spent } from './spent.ts';
import { median, runPrograms, toMedian } from './spent.ts';
import { makeMeasureTiles, whileMaking } from './tiles.ts';

const { values } = parseArgs({
  options: {
    scene: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    tasks: { type: 'string', default: '1000' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const wanted = values.only?.split(',') ?? null;
const isWanted = (name: string): boolean => wanted === null || wanted.includes(name);

const COLORS = ['B04', 'B03', 'B02'];
const NDVI: Order = { type: 'bandmath', params: { bm_type: 'NDVI' } };
const WHOLE_BANDS: Order = { type: 'lbe', params: { bands: COLORS, merge: true } };
const PICTURE: Order = {
  type: 'jpeg',
  params: { bm_type: COLORS.join(), resample: 'cubic', levels: RANGE.join() },
};
/** About 5,000 × 5,000 pixels that begin and end within blocks. */
const CROPPED_BANDS: Order = {
  type: 'lbe',
  params: { bands: COLORS, merge: true, bbox: [32.0, 49.8, 32.68, 50.24] },
};
/** 5 km. */
const toCrop = (serial: number): readonly number[] => {
  const [west, south] = [31.8 + 0.1 * serial, 49.8 + 0.07 * serial];
  return [west, south, west + 0.07, south + 0.045];
};

const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
const scene = join(resolve(values.scene ?? folder), SCENE.name);

function demand(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}

const seconds = (number: number): string => number.toFixed(2).padStart(8);
const line = (name: string, wall: string, cpu = ''): void =>
  console.log(name.padEnd(52), wall.padStart(8), cpu.padStart(8));

interface Comparison {
  readonly name: string;
  readonly order: Order;
  /** The most wall time of Swath as a part of GDAL's. */
  readonly limit: number;
  toCommands(facts: FileFacts): readonly (readonly string[])[];
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ndvi: {
    name: 'NDVI of a whole scene, Float32',
    order: NDVI,
    limit: 0.5,
    toCommands: () => toNdviCommands(scene, folder),
  },
  bands: {
    name: '3 bands, whole',
    order: WHOLE_BANDS,
    limit: 0.1,
    toCommands: () => toBandsCommands(scene, folder, COLORS, null),
  },
  crop: {
    name: '3 bands, cropped within blocks',
    order: CROPPED_BANDS,
    limit: 0.4,
    toCommands: ({ width, height, geoTransform }) => {
      const [left, pixelSize, , top] = geoTransform as [number, number, number, number];
      const [x, y] = [(left - TRANSFORM[0]) / pixelSize, (TRANSFORM[3] - top) / pixelSize];
      return toBandsCommands(scene, folder, COLORS, [x, y, width, height]);
    },
  },
  picture: {
    name: 'JPEG of 3 bands in EPSG:3857, cubic, whole',
    order: PICTURE,
    limit: 0.4,
    toCommands: (facts) => toPictureCommands(scene, folder, COLORS, facts),
  },
};

/** What GDAL must make too: the facts of the file; of a JPEG, which does not say where it lies, those of its TIFF. */
async function readOwnFacts(service: Service, { type, params }: Order): Promise<FileFacts> {
  const order: Order = type === 'jpeg' ? { type, params: { ...params, format: 'tiff' } } : { type, params };
  const { id, link } = await service.make(order);
  const path = join(folder, 'own.tif');
  await service.download(link, path);
  await service.remove(id);
  const facts = readFacts(path);
  rmSync(path);
  return facts;
}

async function compare(
  service: Service,
  { name, order, limit, toCommands }: Comparison,
  gdal: string | null,
) {
  const commands = gdal === null ? null : toCommands(await readOwnFacts(service, order));
  const runs: { ours: Spent[]; theirs: Spent[] } = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round += 1) {
    if (commands !== null) runs.theirs.push(await runPrograms(commands));
    const made = await service.measure(order);
    runs.ours.push(made);
    await service.remove(made.id);
  }
  const ours = toMedian(runs.ours);
  line(`${name}: Swath`, seconds(ours.wallS), seconds(ours.cpuS));
  if (commands === null) return;
  const theirs = toMedian(runs.theirs);
  line(`${name}: GDAL ${gdal}`, seconds(theirs.wallS), seconds(theirs.cpuS));
  const [wall, cpu] = [ours.wallS / theirs.wallS, ours.cpuS / theirs.cpuS];
  line('  ratio', `${wall.toFixed(2)} ×`, `${cpu.toFixed(2)} ×`);
  demand(`at most ${limit} of the wall time of GDAL`, wall <= limit);
}

/** From the order to the downloaded file. */
async function measureCrops(service: Service, name: string, toOrder: (serial: number) => Order) {
  const times: number[] = [];
  for (let serial = 0; serial < 9; serial += 1) {
    const startMs = performance.now();
    const { id, link } = await service.make(toOrder(serial));
    await service.download(link);
    times.push(performance.now() - startMs);
    await service.remove(id);
  }
  const ms = median(times);
  line(`${name} of 5 km, from order to download`, `${ms.toFixed(0)} ms`);
  demand('at most 300 ms', ms <= 300);
}

async function compareTiles(service: Service): Promise<void> {
  const measure = makeMeasureTiles(service);
  await measure(3);
  const orders = Array.from({ length: 5 }, () => [NDVI, CROPPED_BANDS, PICTURE]).flat();
  const [idle, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await measure(20));
    busy.push(await whileMaking(service, orders, () => measure(20)));
  }
  line('tiles, idle, p99', `${median(idle).toFixed(1)} ms`);
  line('tiles while files are made on all cores, p99', `${median(busy).toFixed(1)} ms`);
  demand('p99 at most twice that of an idle service', median(busy) <= 2 * median(idle));
}

/** The most memory above that of an idle service, of which all threads have done something. */
async function measureMemory(service: Service, name: string, order: Order): Promise<void> {
  const idleMb = service.rssMb();
  service.peakRssMb();
  const { id } = await service.make(order);
  const mb = service.peakRssMb() - idleMb;
  await service.remove(id);
  line(`${name}: memory above idle`, `${mb.toFixed(0)} MiB`);
  demand('at most 512 MiB', mb <= 512);
}

/** Starts the threads of tasks, and compiles their code. */
async function warmUp(service: Service): Promise<void> {
  for (let serial = 0; serial < 8; serial += 1) await service.make(toSmallOrder(serial));
}

async function measureTasks(databaseUrl: string | null): Promise<void> {
  await using service = await startService({ scene, databaseUrl });
  await warmUp(service);
  await measureSmallTasks(service, 200);
  const rate = await measureSmallTasks(service, Number(values.tasks));
  line(
    `${values.tasks} small tasks on ${databaseUrl === null ? 'SQLite' : 'PostgreSQL'}`,
    `${rate.toFixed(0)} /s`,
  );
  demand('at least 100 a second', rate >= 100);
}

try {
  if (!existsSync(join(scene, `${SCENE.name}.json`))) {
    console.log('making a scene, which takes some minutes');
    await makeScene(scene);
  }
  const gdal = findGdal();
  if (gdal === null) console.log('GDAL is not installed: there is nothing to compare with.');
  line('', 'wall s', 'CPU s');
  {
    await using service = await startService({ scene, databaseUrl: null });
    await warmUp(service);
    if (isWanted('memory')) {
      await measureMemory(service, 'NDVI', NDVI);
      await measureMemory(service, '13 bands, whole, in a zip', {
        type: 'lbe',
        params: { bands: BANDS, merge: false },
      });
      const { bbox } = CROPPED_BANDS.params;
      await measureMemory(service, '13 bands, cropped', {
        type: 'lbe',
        params: { bands: BANDS, merge: true, bbox },
      });
      await measureMemory(service, 'JPEG', PICTURE);
    }
    for (const [key, comparison] of Object.entries(COMPARISONS))
      if (isWanted(key)) await compare(service, comparison, gdal);
    if (isWanted('small')) {
      await measureCrops(service, 'NDVI', (serial) => ({
        type: 'bandmath',
        params: { ...NDVI.params, bbox: toCrop(serial) },
      }));
      await measureCrops(service, 'JPEG', (serial) => ({
        type: 'jpeg',
        params: { ...PICTURE.params, bbox: toCrop(serial) },
      }));
    }
    if (isWanted('tiles')) await compareTiles(service);
  }
  if (isWanted('small')) {
    await measureTasks(null);
    const { TEST_DATABASE_URL: databaseUrl = '' } = process.env;
    if (databaseUrl !== '') await measureTasks(databaseUrl);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
