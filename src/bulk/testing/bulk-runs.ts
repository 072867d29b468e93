import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBlockCache, makeThreadTools } from '../../blocks/index.ts';
import type { Scene } from '../../catalog/index.ts';
import type { MultiPolygonGeometry } from '../../geo/index.ts';
import { makeFolderBlobs } from '../../objects/blob-store.ts';
import type { JobRunner } from '../../pool/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makeRandom } from '../../stack/testing/put-scenes.ts';
import type { StatisticsJobs } from '../../zonal/index.ts';
import { makeStatisticsJobs } from '../../zonal/index.ts';
import { toTestArea, writeTestScene } from '../../zonal/testing/statistics-here.ts';
import type { BulkOrder, OrderedShape } from '../bulk-order.ts';
import { makeBulkStatistics } from '../bulk-statistics.ts';
import type { ReadDaily } from '../joined-days.ts';
import type { BulkJobs } from '../measure-window.ts';
import { makeBulkJobs } from '../measure-window.ts';

/** The jobs of a run. */
export type Jobs = BulkJobs & StatisticsJobs;

const SIDE = 120;
const fine = { width: SIDE, height: SIDE, pixelM: 10 };
/** What is ordered, unless a test orders something else. */
const order: BulkOrder = {
  from: '2026-01-01',
  to: '2026-12-31',
  datasets: ['sentinel2'],
  expressions: ['NDVI', 'B04'],
  clouds: { maxPercent: null, masked: 'none', level: null },
  shapes: { kind: 'fields' },
  weights: 'centres',
  limit: null,
  format: 'csv',
  layout: 'long',
};

const geometries: readonly MultiPolygonGeometry[] = [
  toTestArea([5, 5, 25, 25]).geometry,
  toTestArea([50, 50, 80, 90], [100, 100, 110, 110]).geometry,
  toTestArea([-30, -30, -10, -10]).geometry,
];
/** Two fields in the scenes, and one beside them. */
export const shapes = geometries.map(
  (geometry, i): OrderedShape => ({
    id: `id-${i}`,
    externalId: i === 0 ? 'ex, 0' : null,
    name: `Field ${i}`,
    sownOn: null,
    geometry,
  }),
);

/** Where a run stores its parts, and what a test does otherwise. */
interface Kit {
  readonly blobFolder: string;
  readonly pool?: JobRunner<Jobs>;
  readonly listed?: readonly OrderedShape[];
  readonly readDaily?: ReadDaily;
}

/** Writes three scenes of three days, and builds runs over them. */
export async function makeBulkRuns() {
  const folder = await mkdtemp(join(tmpdir(), 'bulk-run-'));
  const random = makeRandom(5);
  const band = { ...fine, valueAt: () => 1 + 9_000 * random() };
  const scenes: readonly Scene[] = await Promise.all(
    [3, 2, 1].map((day) =>
      writeTestScene(
        folder,
        { B04: band, B08: band },
        {
          viewId: `S2/31/T/DH/2026/6/${day}/0`,
          sceneId: `scene-${day}`,
          acquiredAt: `2026-06-0${day}T10:00:00Z`,
          footprint: toTestArea([0, 0, SIDE, SIDE]).geometry,
        },
      ),
    ),
  );
  const files = { dataDir: folder, folders: [] };
  const thread = makeThreadTools({ files, blocks: makeBlockCache(16 * 2 ** 20).handle });
  const handlers = { ...makeBulkJobs(thread), ...makeStatisticsJobs(thread) };

  function makeKit({
    blobFolder,
    pool = makeRunnerHere<Jobs>(handlers),
    listed = shapes,
    readDaily = () => assert.fail('nothing is joined'),
  }: Kit) {
    const blobs = makeFolderBlobs({ folder: blobFolder });
    const bulk = makeBulkStatistics({
      scenes: {
        search: async ({ offset, limit }) => ({
          found: scenes.length,
          scenes: scenes.slice(offset, offset + limit),
        }),
        findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null,
      },
      compareScene: async (scene) => scene,
      watch: { renew: () => assert.fail('no file has changed') },
      pool,
      threads: 1,
      blobs,
      async *listShapes() {
        yield listed;
      },
      readDaily,
      atOnce: 2,
      onFailure: () => {},
      windowPx: 64,
    });
    return {
      blobs,
      async run(more: Partial<BulkOrder> = {}, signal: AbortSignal = aTicket.signal) {
        const staged = await blobs.stage('task-1.1');
        const progress: { done: number; total: number; storedBytes: number }[] = [];
        try {
          await bulk.run(
            { id: 'task-1', owner: 'me', order: { ...order, ...more }, collection: null },
            { path: staged.path, ticket: { ...aTicket, signal }, onProgress: (one) => progress.push(one) },
          );
          return { bytes: await readFile(staged.path), progress };
        } finally {
          await staged.discard();
        }
      },
    };
  }

  return { folder, scenes, handlers, makeKit, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs a test with an empty folder for the parts of its runs. */
export const withKit = async <Result>(work: (kit: Kit) => Promise<Result>): Promise<Result> => {
  const blobFolder = await mkdtemp(join(tmpdir(), 'bulk-blobs-'));
  try {
    return await work({ blobFolder });
  } finally {
    await rm(blobFolder, { recursive: true, force: true });
  }
};

/** The cells of a CSV without quotes in it. */
export const toRows = (bytes: Buffer): readonly Record<string, string>[] => {
  const [header = '', ...lines] = bytes.toString().trim().split(/\r?\n/);
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.replace('"ex, 0"', 'ex 0').split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
};
