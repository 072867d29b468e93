/** Metrics whose values a scrape reads: figures of threads, caches, tasks, live catalogs and the service's state. */

import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import { readCacheCounts } from '../lru.ts';
import type { ReadCatalogFigures } from './catalog-metrics.ts';
import { watchCatalogFigures } from './catalog-metrics.ts';

/** Figures of the pixel pool that a scrape reads. */
interface PoolFigures {
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly ledgerBytes: number;
  readonly ledgerBudgetBytes: number;
  /** Totals since start by outcome: done, failed, refused, … */
  readonly totals: Readonly<Record<string, number>>;
}

/** Figures of the cache of decoded blocks. */
interface BlockFigures {
  readonly hits: number;
  readonly misses: number;
  readonly evicted: number;
  readonly refused: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** Figures of pictures that nodes share. */
type SharedFigures = Readonly<Record<'hits' | 'misses' | 'late' | 'failed' | 'written' | 'dropped', number>>;

/** Figures of the cache of finished pictures. */
interface TileFigures {
  readonly hits: number;
  readonly misses: number;
  readonly written: number;
  readonly dropped: number;
  readonly evicted: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** Figures of a folder of bytes of remote files. */
interface FolderFigures {
  readonly hits: number;
  readonly misses: number;
  readonly dropped: number;
  readonly evicted: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** Figures of reading remote files. */
interface FetchFigures {
  readonly calls: number;
  readonly retries: number;
  readonly hedged: number;
  readonly hedgesWon: number;
  readonly fetches: number;
  readonly fetchedBytes: number;
  readonly aheadBytes: number;
  readonly aheadUsefulBytes: number;
  readonly aheadWastedBytes: number;
  readonly usedBytes: number;
  readonly budgetBytes: number;
}

/** Tasks in one state, of one kind. */
interface TaskFigure {
  readonly state: string;
  readonly kind: string;
  readonly tasks: number;
  readonly oldestAt: string;
}

/** The figures of rendering, read at each scrape. */
interface RenderingFigures {
  readonly readPool: () => PoolFigures;
  /** The threads of tasks; left out where there are none. */
  readonly readTaskPool?: () => PoolFigures;
  readonly readBlocks: () => BlockFigures;
  readonly readTiles: () => TileFigures;
  /** Left out where nodes share no pictures. */
  readonly readSharedTiles?: () => SharedFigures;
  readonly readRanges: () => FolderFigures;
  readonly readHeaders: () => FolderFigures;
  /** Left out or null where no remote files are allowed. */
  readonly readFetches?: () => FetchFigures | null;
}

/** Adds metrics, each with the function that reads its values. */
export interface ScrapedMetrics {
  /** Says where the figures of threads and caches are read. */
  watchRendering(figures: RenderingFigures): void;
  /** Says where the state of the service is read, which probes read too. */
  watchReadiness(read: () => Promise<{ readonly ready: boolean; readonly degraded: boolean }>): void;
  /** Says where the numbers of tasks are read; null when the store does not answer. */
  watchTasks(read: () => Promise<readonly TaskFigure[] | null>): void;
  /** Says where the counts of requests to live catalogs are read; null when their thread does not answer. */
  watchCatalogs(read: ReadCatalogFigures): void;
  /** Says where the counts of spans are read, where traces are on. */
  watchTraces(read: () => Readonly<Record<'sent' | 'dropped' | 'refused', number>>): void;
  /** Says where the number of open connections is read. */
  watchConnections(count: () => number): void;
}

/** Builds what adds metrics to a registry; caches in memory are added at once. */
export function scrapeInto(register: Registry): ScrapedMetrics {
  const registers = [register];
  new Counter({
    name: 'swath_cache_total',
    help: 'Look-ups in caches in memory since start: found (hits) or not (misses).',
    labelNames: ['cache', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of readCacheCounts()) {
        this.inc({ cache, outcome: 'hits' }, hits);
        this.inc({ cache, outcome: 'misses' }, misses);
      }
    },
  });

  return {
    watchRendering(figures) {
      const { readPool, readTaskPool = () => null, readBlocks, readTiles } = figures;
      gauge('swath_pool_threads', 'Pixel threads.', () => readPool().threads);
      gauge('swath_pool_busy', 'Pixel threads at work.', () => readPool().busy);
      gauge('swath_pool_waiting', 'Pixel jobs waiting for a thread.', () => readPool().waiting);
      gauge(
        'swath_pool_memory_bytes',
        'Pixel memory promised to running jobs.',
        () => readPool().ledgerBytes,
      );
      gauge(
        'swath_pool_memory_budget_bytes',
        'Pixel memory that running jobs may take.',
        () => readPool().ledgerBudgetBytes,
      );
      gauge('swath_task_pool_busy', 'Pixel threads of tasks at work.', () => readTaskPool()?.busy ?? 0);
      gauge(
        'swath_task_pool_waiting',
        'Pixel jobs of tasks waiting for a thread.',
        () => readTaskPool()?.waiting ?? 0,
      );
      gauge(
        'swath_task_pool_memory_bytes',
        'Pixel memory promised to running jobs of tasks.',
        () => readTaskPool()?.ledgerBytes ?? 0,
      );
      gauge('swath_blocks_bytes', 'Memory that decoded blocks take.', () => readBlocks().usedBytes);
      gauge(
        'swath_blocks_budget_bytes',
        'Memory that decoded blocks may take.',
        () => readBlocks().budgetBytes,
      );
      outcomes(
        'swath_blocks_total',
        'Blocks since start: found in the cache (hits), read (misses), dropped from it, or too large for it.',
        () => {
          const { hits, misses, evicted, refused } = readBlocks();
          return { hits, misses, evicted, refused };
        },
      );
      gauge('swath_tile_cache_bytes', 'Disk that finished pictures take.', () => readTiles().usedBytes);
      gauge('swath_tile_cache_budget_bytes', 'Disk that they may take.', () => readTiles().budgetBytes);
      outcomes(
        'swath_tile_cache_total',
        'Finished pictures since start: found (hits) or not (misses), written, not written (dropped), evicted.',
        () => {
          const { hits, misses, written, dropped, evicted } = readTiles();
          return { hits, misses, written, dropped, evicted };
        },
      );
      const { readSharedTiles } = figures;
      if (readSharedTiles !== undefined) {
        outcomes(
          'swath_shared_tiles_total',
          'Pictures that nodes share, since start: found (hits) or not (misses), not there in time (late), not readable (failed), written, not written (dropped).',
          () => ({ ...readSharedTiles() }),
        );
      }
      watchFolder('swath_range_cache', 'bytes of remote files', figures.readRanges);
      watchFolder('swath_header_cache', 'headers of remote files', figures.readHeaders);
      const { readFetches = () => null } = figures;
      if (readFetches() !== null) {
        const read = (): FetchFigures => readFetches() as FetchFigures;
        gauge('swath_fetch_memory_bytes', 'Memory that bytes of remote files take.', () => read().usedBytes);
        gauge('swath_fetch_memory_budget_bytes', 'Memory that they may take.', () => read().budgetBytes);
        outcomes(
          'swath_fetch_requests_total',
          'Requests to stores of remote files since start: ranges asked for (calls), retries, requests made a second time because the answer was late (hedged), and those answered first (won).',
          () => {
            const { calls, retries, hedged, hedgesWon } = read();
            return { calls, retries, hedged, won: hedgesWon };
          },
        );
        outcomes(
          'swath_fetch_bytes_total',
          'Bytes of remote files since start: for jobs (asked), read ahead of the map (ahead), of those asked for later (useful) and dropped unused (wasted).',
          () => {
            const { fetchedBytes, aheadBytes, aheadUsefulBytes, aheadWastedBytes } = read();
            return {
              asked: fetchedBytes,
              ahead: aheadBytes,
              useful: aheadUsefulBytes,
              wasted: aheadWastedBytes,
            };
          },
        );
      }
      outcomes('swath_pool_jobs_total', 'Pixel jobs since start, by outcome.', () => readPool().totals);
    },
    watchReadiness(read) {
      let reading: ReturnType<typeof read> | null = null;
      /** Both metrics of a scrape share one reading. */
      const readOnce = (): ReturnType<typeof read> => {
        reading ??= read().finally(() => {
          reading = null;
        });
        return reading;
      };
      new Gauge({
        name: 'swath_ready',
        help: '1 if traffic may be sent, as /readyz says.',
        registers,
        async collect() {
          this.set((await readOnce()).ready ? 1 : 0);
        },
      });
      new Gauge({
        name: 'swath_degraded',
        help: '1 if a part of the service fails, as /readyz says.',
        registers,
        async collect() {
          this.set((await readOnce()).degraded ? 1 : 0);
        },
      });
    },
    watchTasks(read) {
      new Gauge({
        name: 'swath_tasks',
        help: 'Tasks in the store, by state and kind.',
        labelNames: ['state', 'kind'],
        registers,
        async collect() {
          const figures = await read();
          this.reset();
          for (const { state, kind, tasks } of figures ?? []) this.set({ state, kind }, tasks);
        },
      });
      new Gauge({
        name: 'swath_tasks_oldest_seconds',
        help: 'Age of the oldest task that is queued or running, by state and kind.',
        labelNames: ['state', 'kind'],
        registers,
        async collect() {
          const figures = await read();
          this.reset();
          for (const { state, kind, oldestAt } of figures ?? [])
            if (state === 'queued' || state === 'running')
              this.set({ state, kind }, Math.max(0, (Date.now() - Date.parse(oldestAt)) / 1_000));
        },
      });
    },
    watchCatalogs: (read) => watchCatalogFigures(register, read),
    watchTraces: (read) =>
      outcomes(
        'swath_trace_spans_total',
        'Spans of traces since start: sent to the collector, dropped because it was unavailable or their trace had too many, or refused by it.',
        () => ({ ...read() }),
      ),
    watchConnections: (count) => gauge('swath_connections', 'Open connections.', count),
  };

  function watchFolder(name: string, what: string, read: () => FolderFigures): void {
    gauge(`${name}_bytes`, `Disk that ${what} take.`, () => read().usedBytes);
    gauge(`${name}_budget_bytes`, `Disk that ${what} may take.`, () => read().budgetBytes);
    outcomes(
      `${name}_total`,
      `Reads of ${what} since start: found on disk (hits) or not (misses); files not written (dropped), evicted.`,
      () => {
        const { hits, misses, dropped, evicted } = read();
        return { hits, misses, dropped, evicted };
      },
    );
    outcomes(`${name}_moved_bytes_total`, `Bytes of ${what} read from disk and written to it.`, () => {
      const { readBytes, writtenBytes } = read();
      return { read: readBytes, written: writtenBytes };
    });
  }

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  /** A counter whose totals are counted elsewhere. */
  function outcomes(name: string, help: string, read: () => Readonly<Record<string, number>>): void {
    new Counter({
      name,
      help,
      labelNames: ['outcome'],
      registers,
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(read())) this.inc({ outcome }, count);
      },
    });
  }
}
