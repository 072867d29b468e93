import { makeBlockCache } from '../../src/blocks/index.ts';
import type { Pool } from '../../src/pool/index.ts';
import { makePool } from '../../src/pool/index.ts';
import type { DrawJobs } from '../../src/render/pictures/draw.ts';
import type { RenderPlan } from '../../src/render/plan/render-plan.ts';
import type { DrawSettings } from './draw-worker.ts';
import type { Wanted } from './workloads.ts';

/** Two threads with some kind of cache. */
export interface Crew {
  ready(): Promise<void>;
  draw(wanted: Wanted, plan: RenderPlan): Promise<unknown>;
  counts(): { readonly hits: number; readonly misses: number };
  close(): Promise<void>;
}

const THREADS = 2;

const startPool = (
  threads: number,
  settings: DrawSettings,
  onThreadExit?: (id: number) => void,
): Pool<DrawJobs> =>
  makePool<DrawJobs>({
    script: new URL('./draw-worker.ts', import.meta.url),
    settings,
    threads,
    budgetBytes: 2 ** 30,
    maxWaiting: { tile: 100, task: 100 },
    ownerShare: 1,
    ...(onThreadExit ? { onThreadExit } : {}),
  });

const drawOn = (pool: Pool<DrawJobs>, plan: RenderPlan): Promise<unknown> =>
  pool.run(
    'draw',
    { plan, outline: null, contrast: plan.stretches.map(() => ({ min: 0, max: 3000 })) },
    { lane: 'tile', owner: 'bench', bytes: 0, timeoutMs: 60_000 },
  );

function makeSharedCrew(budgetBytes: number, waits: boolean): Crew {
  const cache = makeBlockCache(budgetBytes);
  const pool = startPool(THREADS, { handle: cache.handle, waits }, cache.release);
  return {
    ready: () => pool.ready(),
    draw: (_, plan) => drawOn(pool, plan),
    counts: () => cache.stats(),
    close: () => pool.close(),
  };
}

const makeCounters = () => new BigInt64Array(new SharedArrayBuffer(16));
const readCounters = (counters: BigInt64Array) => ({
  hits: Number(counters[0]),
  misses: Number(counters[1]),
});

function makePrivateCrew(budgetBytes: number): Crew {
  const counters = makeCounters();
  const pool = startPool(THREADS, { cacheBytes: budgetBytes / THREADS, counters });
  return {
    ready: () => pool.ready(),
    draw: (_, plan) => drawOn(pool, plan),
    counts: () => readCounters(counters),
    close: () => pool.close(),
  };
}

/** A cache for each thread, and nearby tiles go to one thread; an idle thread takes what waits for the other. */
function makeAffineCrew(budgetBytes: number): Crew {
  const counters = makeCounters();
  const settings = { cacheBytes: budgetBytes / THREADS, counters };
  const pools = Array.from({ length: THREADS }, () => startPool(1, settings));
  const idle = new Set(pools);
  const waiting: {
    readonly preferred: Pool<DrawJobs>;
    readonly run: (pool: Pool<DrawJobs>) => Promise<void>;
  }[] = [];

  function pump(): void {
    for (const pool of idle) {
      const own = waiting.findIndex(({ preferred }) => preferred === pool);
      const [next] = waiting.splice(Math.max(0, own), 1);
      if (next === undefined) return;
      idle.delete(pool);
      void next.run(pool).then(() => {
        idle.add(pool);
        pump();
      });
    }
  }

  return {
    ready: async () => void (await Promise.all(pools.map((pool) => pool.ready()))),
    draw({ scene, tile }, plan) {
      // Two zooms up: a square of 4 × 4 tiles, several blocks wide.
      const hash = Math.imul(tile.x >> 2, 0x9e3779b1) ^ Math.imul(tile.y >> 2, 0x85ebca6b) ^ scene;
      const preferred = pools[((hash ^ (hash >>> 15)) >>> 0) % THREADS]!;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.push({ preferred, run: (pool) => drawOn(pool, plan).then(resolve, reject) });
      pump();
      return promise;
    },
    counts: () => readCounters(counters),
    close: async () => void (await Promise.all(pools.map((pool) => pool.close()))),
  };
}

/** What is compared, by name. */
export const crews: Readonly<Record<string, (budgetBytes: number) => Crew>> = {
  'per thread': makePrivateCrew,
  affinity: makeAffineCrew,
  'shared, no waiting': (budgetBytes) => makeSharedCrew(budgetBytes, false),
  shared: (budgetBytes) => makeSharedCrew(budgetBytes, true),
};
