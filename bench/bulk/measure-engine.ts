import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeBlockCache } from '../../src/blocks/index.ts';
import type { BulkJobs, BulkOrder, OrderedShape } from '../../src/bulk/index.ts';
import { makeBulkStatistics } from '../../src/bulk/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { openBlobs } from '../../src/objects/index.ts';
import { makePool } from '../../src/pool/index.ts';
import type { StatisticsJobs } from '../../src/zonal/index.ts';

/** What a run took. */
export interface EngineCost {
  readonly wallS: number;
  readonly cpuS: number;
  readonly maxRssMb: number;
  readonly fileMb: number;
  /** By how much the predicted end was wrong at worst, from a fifth of the work on, as a share of the whole CPU time. */
  readonly estimateError: number | null;
}

interface EngineRun {
  readonly dataDir: string;
  readonly scenes: readonly Scene[];
  /** How many fields of `makeFields`, in a square of this many pixels. */
  readonly fields: { readonly count: number; readonly sizePx: number };
  readonly more?: Partial<BulkOrder>;
}

const THREADS = 2;

/** CPU time of this process, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Runs a whole order on a pool of two threads: shapes, scenes, parts and the table. */
export async function measureEngine({ dataDir, scenes, fields, more = {} }: EngineRun): Promise<EngineCost> {
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-bulk-'));
  // A service has them in its database: making them is not a part of the order, reading them is.
  const shapes = join(folder, 'shapes.jsonl');
  const script = fileURLToPath(new URL('write-shapes.ts', import.meta.url));
  execFileSync(process.execPath, [script, shapes, String(fields.count), String(fields.sizePx)]);
  const cache = makeBlockCache(64 * 2 ** 20);
  const pool = makePool<BulkJobs & StatisticsJobs>({
    script: new URL('../../src/app/pixel-worker.ts', import.meta.url),
    settings: { files: { dataDir, folders: [] }, blocks: cache.handle },
    threads: THREADS,
    budgetBytes: 512 * 2 ** 20,
    taskBytes: 512 * 2 ** 20,
    taskThreads: THREADS,
    maxWaiting: { tile: 100, task: 100 },
    ownerShare: 1,
    greedyWaiting: 100,
    maxWaitMs: { tile: 3_600_000, task: 3_600_000 },
    onThreadExit: cache.release,
  });
  const bulk = makeBulkStatistics({
    scenes: {
      search: async ({ offset, limit }) => ({
        found: scenes.length,
        scenes: scenes.slice(offset, offset + limit),
      }),
      findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null,
    },
    compareScene: async (scene) => scene,
    watch: {
      renew: async () => {
        throw new Error('a file has changed');
      },
    },
    pool,
    // On a clock of CPU time, all threads together: other work on the machine does not move the end that is predicted.
    threads: 1,
    nowMs: cpuMs,
    blobs: openBlobs({ dataDir: folder, bucketHref: null }),
    async *listShapes() {
      for await (const line of createInterface(createReadStream(shapes)))
        yield JSON.parse(line) as readonly OrderedShape[];
    },
    readDaily: () => Promise.reject(new Error('nothing is joined')),
    atOnce: 3 * THREADS,
    onFailure: (viewId, error) => console.error(viewId, error),
  });
  let maxRss = 0;
  const watch = setInterval(() => {
    maxRss = Math.max(maxRss, process.memoryUsage.rss());
  }, 100);
  const estimates: { readonly atMs: number; readonly leftMs: number; readonly share: number }[] = [];
  try {
    await pool.ready();
    const [startMs, startCpuMs] = [performance.now(), cpuMs()];
    const path = join(folder, 'table.parquet');
    await bulk.run(
      {
        id: 'bench',
        owner: 'bench',
        collection: null,
        order: {
          from: '2000-01-01',
          to: '2030-01-01',
          datasets: ['sentinel2l2a'],
          expressions: ['NDVI'],
          clouds: { maxPercent: null, masked: 'none', level: null },
          shapes: { kind: 'fields' },
          weights: 'centres',
          limit: null,
          format: 'parquet',
          layout: 'long',
          ...more,
        },
      },
      {
        path,
        ticket: {
          owner: 'bench',
          lane: 'task',
          timeoutMs: 3_600_000,
          signal: new AbortController().signal,
        },
        onProgress: ({ done, total }) =>
          estimates.push({ atMs: cpuMs(), leftMs: total - done, share: done / total }),
      },
    );
    const [endMs, endCpuMs] = [performance.now(), cpuMs()];
    const errors = estimates
      .filter(({ share }) => share >= 0.2)
      .map(({ atMs, leftMs }) => Math.abs(atMs + leftMs - endCpuMs) / (endCpuMs - startCpuMs));
    return {
      wallS: (endMs - startMs) / 1e3,
      cpuS: (endCpuMs - startCpuMs) / 1e3,
      maxRssMb: maxRss / 1e6,
      fileMb: statSync(path).size / 1e6,
      estimateError: errors.length === 0 ? null : Math.max(...errors),
    };
  } finally {
    clearInterval(watch);
    await pool.close({ drainMs: 0 });
    rmSync(folder, { recursive: true, force: true });
  }
}
