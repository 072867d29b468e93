import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { NewScene } from '../../src/catalog/index.ts';
import { createCog } from '../../src/formats/cog/index.ts';
import { tileAt } from '../../src/geo/index.ts';
import type { MgrsTile } from '../../src/live/testing/mgrs-tiles.ts';
import { listMgrsTiles, TILE_M, toMgrsTile } from '../../src/live/testing/mgrs-tiles.ts';
import { makeProjection } from '../../src/proj/index.ts';
import { SERVICE_KEY } from '../../test/support/start-swath.ts';
import { demand, printRow } from '../exports/report.ts';
import { measureSpent, median } from '../exports/spent.ts';
import { BANDS } from './make-scenes.ts';
import { askPicture, ingest, startMeasuredSwath, toPosition } from './services.ts';

const PLACES = 100;
const DAYS = 100;
/** Some kilobytes a scene: pixels of low zoom levels are coarser. */
const PIXEL_M = 600;
const SIZE_PX = TILE_M / PIXEL_M;
const MIDDLE = [17, 49] as const;
const NEWEST_MS = Date.UTC(2026, 8, 30);
const DAY_MS = 86_400_000;

const toDay = (back: number): string => new Date(NEWEST_MS - back * DAY_MS).toISOString().slice(0, 10);
const toId = (tile: MgrsTile, day: string): string => `S2B_${tile.name}_${day.replaceAll('-', '')}_0_L2A`;

/** The newest scene of each place, with files. */
async function makePlaces(folder: string): Promise<void> {
  const names = listMgrsTiles({ west: 10, south: 44, east: 24, north: 54 }, PLACES);
  for (const tile of names.map(toMgrsTile)) {
    const id = toId(tile, toDay(0));
    const scene = join(folder, id);
    mkdirSync(scene, { recursive: true });
    const [first, ...others] = BANDS;
    await write(join(scene, `${first}.tif`), tile, 'uint16');
    for (const band of others) linkSync(join(scene, `${first}.tif`), join(scene, `${band}.tif`));
    await write(join(scene, 'SCL.tif'), tile, 'uint8');
    const item = {
      type: 'Feature',
      stac_version: '1.0.0',
      id,
      geometry: tile.footprint,
      properties: {
        datetime: `${toDay(0)}T09:50:12Z`,
        'eo:cloud_cover': 10,
        'earthsearch:boa_offset_applied': true,
        's2:processing_baseline': '05.11',
      },
      links: [],
      assets: Object.fromEntries(
        [...BANDS, 'SCL'].map((band) => [band, { href: `./${band}.tif`, type: 'image/tiff' }]),
      ),
    };
    writeFileSync(join(scene, `${id}.json`), JSON.stringify(item));
  }
}

async function write(path: string, { epsg, west, north }: MgrsTile, type: 'uint8' | 'uint16'): Promise<void> {
  const cog = await createCog(path, {
    width: SIZE_PX,
    height: SIZE_PX,
    bandCount: 1,
    type,
    epsg,
    transform: [west, PIXEL_M, 0, north, 0, -PIXEL_M],
    nodata: 0,
    compression: 'deflate',
    predictor: 1,
    overviewMethod: 'nearest',
    isDurable: false,
  });
  const count = SIZE_PX * SIZE_PX;
  const pixels =
    type === 'uint8'
      ? new Uint8Array(count).fill(4)
      : Uint16Array.from({ length: count }, (_, i) => 1_500 + ((i * 7_919) % 1_000));
  await cog.writeRows([pixels], SIZE_PX);
  await cog.finish();
}

/** Records of earlier days, which have the files of the newest one. */
async function addDays(dataDir: string): Promise<number> {
  const store = openSqliteStore(dataDir);
  try {
    const newest: NewScene[] = [];
    for await (const { version: _, ...scene } of store.scenes.list()) newest.push(scene);
    for (let back = 1; back < DAYS; back += 1) {
      const day = toDay(back);
      const earlier = newest.map(
        (scene): NewScene => ({
          ...scene,
          viewId: [...scene.viewId.split('/').slice(0, 4), ...day.split('-').map(Number), 0].join('/'),
          sceneId: scene.sceneId.replace(/\d{8}/, day.replaceAll('-', '')),
          acquiredAt: `${day}T09:50:12.000Z`,
        }),
      );
      await store.scenes.putMany(earlier);
    }
    return await store.scenes.count();
  } finally {
    await store.close();
  }
}

const headers = { 'x-api-key': SERVICE_KEY };

/** Orders the pyramid and waits until it is made; gives the seconds that it took. */
async function build(url: string): Promise<number> {
  const startMs = performance.now();
  const answer = await fetch(`${url}/api/mosaic/pyramid/S2L2A/2026/${BANDS.join()}`, {
    method: 'POST',
    headers,
  });
  const ordered = await answer.text();
  if (answer.status !== 202) throw new Error(`the order was refused: ${answer.status} ${ordered}`);
  const { task_id: id } = JSON.parse(ordered) as { readonly task_id: string };
  for (;;) {
    const polled = await fetch(`${url}/api/${id}`, { headers, redirect: 'manual' });
    const text = await polled.text();
    const { task_type: type } = (polled.ok ? JSON.parse(text) : {}) as { readonly task_type?: string };
    if (polled.status === 303 || (type !== undefined && type !== 'started' && type !== 'error'))
      return (performance.now() - startMs) / 1000;
    if (!polled.ok || type === 'error') throw new Error(`the task failed: ${polled.status} ${text}`);
    await sleep(200);
  }
}

const ROUNDS = 60;

/** Low zoom levels of many scenes: made once, and then drawn of what was made. */
export async function measurePyramid(work: string): Promise<void> {
  const [scenes, dataDir] = [join(work, 'places'), join(work, 'places-data')];
  await makePlaces(scenes);
  await ingest({ dataDir, scenes });
  const count = await addDays(dataDir);
  await using service = await startMeasuredSwath({ dataDir, scenes });
  printRow(`pyramid of ${count} scenes, made in`, `${(await build(service.url)).toFixed(1)} s`);
  const [x, y] = makeProjection(4326, 3857).forward(...MIDDLE);
  printRow('ms per tile of 256², warm', 'CPU', 'wall', 'others');
  for (const z of [3, 5, 7]) {
    const url = `${service.url}/api/mosaic/S2L2A/2026/${BANDS.join()}/${toPosition(tileAt(z, x, y))}?MIN_MAX=300,3500&mimetype=image/png`;
    for (let warmUp = 0; warmUp < 5; warmUp += 1) await askPicture(url);
    const walls: number[] = [];
    const { spent } = await measureSpent(
      () => service.readCpuS(),
      async () => {
        for (let i = 0; i < ROUNDS; i += 1) {
          const startMs = performance.now();
          await askPicture(url);
          walls.push(performance.now() - startMs);
        }
      },
    );
    const cpuMs = (1000 * spent.cpuS) / ROUNDS;
    printRow(`zoom ${z}`, cpuMs.toFixed(2), median(walls).toFixed(2), `${Math.round(100 * spent.others)} %`);
    // Wall time counts where the processors were free, and CPU time otherwise.
    demand(`zoom ${z}: at most 50 ms`, (spent.others < 0.2 ? median(walls) : cpuMs) <= 50);
  }
}
