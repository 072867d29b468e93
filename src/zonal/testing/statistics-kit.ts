import type { NewScene, PendingScene, Scene, SceneQuery } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { summarize } from '../../numbers/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import type { MeasureJob, StatisticsJobs } from '../measure-scene.ts';
import { makeZonalStatistics } from '../statistics.ts';
import type { Measured, SceneStatisticsStore, StatisticsOrder } from '../statistics-order.ts';
import { toTestArea, toTestAsset } from './statistics-here.ts';

const image = { width: 100, height: 100, pixelM: 10 };
export const assets = {
  B04: toTestAsset('B04', image),
  B08: toTestAsset('B08', image),
  SCL: toTestAsset('SCL', image),
};
export const area = toTestArea([10, 10, 20, 20]);

/** The n-th day from the first of January 2026 on. */
export function onDay(n: number, more: Partial<NewScene> = {}): Scene {
  const acquiredAt = new Date(Date.UTC(2026, 0, 1 + n, 10, 50)).toISOString();
  const [year, month, day] = acquiredAt.slice(0, 10).split('-').map(Number);
  const viewId = `${more.dataset === 'sentinel2l2a' ? 'S2L2A' : 'S2'}/31/T/DH/${year}/${month}/${day}/0`;
  return toScene(makeScene(1, { viewId, sceneId: `scene ${n}`, acquiredAt, assets, ...more }));
}

export const order: StatisticsOrder = {
  from: '2026-01-01',
  to: '2026-12-31',
  datasets: ['sentinel2'],
  expressions: ['NDVI'],
  area: area.geometry,
  limit: 500,
  histogram: null,
  clouds: { maxPercent: null, masked: 'none', level: null },
};

/** What a measurement says of a scene: clouds in percent of a hundred pixels. */
export const measured = (cloudPx: number): Measured => ({
  statistics: summarize(Float32Array.of(0.5), null),
  areaPx: 100,
  validPx: 100,
  cloudPx,
  isTouched: false,
  histogram: null,
});

export const viewIdOf = (job: MeasureJob): string => job.groups[0]!.pieces[0]!.pixels.viewId;
export const expressionsOf = (job: MeasureJob): number =>
  job.groups.reduce((sum, one) => sum + one.expressions, 0);

interface Kit {
  readonly scenes: Scene[];
  readonly measure?: (job: MeasureJob) => readonly Measured[];
  readonly search?: (query: SceneQuery) => void;
  /** The scenes as they are found, instead of those above. */
  readonly pending?: readonly PendingScene[];
  readonly known?: Map<string, Measured>;
  readonly store?: Partial<SceneStatisticsStore>;
  readonly renew?: (scene: Scene) => void;
  readonly threads?: { start(): void };
  readonly onLong?: () => void;
}

/** Statistics over scenes in memory, with a measurement that the test makes up. */
export function makeKit({
  scenes,
  measure,
  search,
  pending,
  known = new Map(),
  store,
  renew,
  ...events
}: Kit) {
  const jobs = makeRunnerHere<StatisticsJobs>({
    async 'scene-statistics'(job, { signal }) {
      // A pool begins no job of a task that was stopped.
      signal.throwIfAborted();
      return measure === undefined
        ? Array.from({ length: expressionsOf(job) }, () => measured(0))
        : measure(job);
    },
  });
  const queries: SceneQuery[] = [];
  const failed: string[] = [];
  const forgotten: unknown[] = [];
  const compared: string[] = [];
  const statistics = makeZonalStatistics({
    scenes: {
      async search(query) {
        queries.push(query);
        search?.(query);
        const matching = scenes
          .filter(({ dataset, acquiredAt, sceneId }) => {
            const wanted = query.datasets.find(({ id }) => id === dataset);
            const day = acquiredAt.slice(0, 10);
            return wanted?.filters.every((filter) =>
              filter.kind === 'range'
                ? String(filter.from) <= day && day <= String(filter.to)
                : filter.field === 'sceneID' && filter.values.includes(sceneId),
            );
          })
          .toSorted((a, b) => (a.acquiredAt < b.acquiredAt ? 1 : -1));
        return { found: matching.length, scenes: matching.slice(query.offset, query.offset + query.limit) };
      },
      ...(pending === undefined
        ? {}
        : { searchPending: async () => ({ found: pending.length, scenes: pending }) }),
      findByViewId: async (viewId) => scenes.find((scene) => scene.viewId === viewId) ?? null,
    },
    compareScene: async (scene) => {
      compared.push(scene.viewId);
      return scene;
    },
    watch: { renew: async (scene) => renew?.(scene) },
    store: {
      findMany: async (keys) => new Map([...known].filter(([key]) => keys.includes(key))),
      putMany: async (entries) => {
        for (const [key, value] of entries) known.set(key, value);
      },
      ...store,
    },
    pool: jobs,
    atOnce: 2,
    onForgotten: (error) => forgotten.push(error),
    onFailure: (viewId) => failed.push(viewId),
    ...events,
  });
  const run = (more: Partial<StatisticsOrder> = {}, signal: AbortSignal = aTicket.signal) =>
    statistics.run({ ...order, ...more }, { ticket: { ...aTicket, signal }, onProgress() {} });
  return { run, jobs, queries, failed, forgotten, known, compared };
}

export const days = (count: number): Scene[] => Array.from({ length: count }, (_, n) => onDay(n));
export const datesOf = ({ scenes }: { readonly scenes: readonly { readonly date: string }[] }) =>
  scenes.map(({ date }) => date);
