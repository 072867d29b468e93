/** The metrics of the service, and their endpoint. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReadCatalogFigures } from './catalog-metrics.ts';
import { watchCatalogFigures } from './catalog-metrics.ts';
import { Answer } from './kit/answers.ts';
import type { Endpoint } from './kit/endpoint.ts';

/** Figures of the pixel pool that a scrape reads. */
interface PoolFigures {
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly ledgerBytes: number;
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
}

/** Tasks in one state, of one kind. */
interface TaskFigure {
  readonly state: string;
  readonly kind: string;
  readonly tasks: number;
}

/** What the service counts, for Prometheus. Labels never hold a key, an address or a scene. */
export interface Metrics {
  observeRequest(request: { route: string; method: string; status: number; seconds: number }): void;
  /** Counts a request that was answered before it took any time. */
  countEarlyAnswer(status: number, method: string): void;
  observeRender(stage: string, seconds: number): void;
  /** Counts a connection that was closed on its client. */
  countCut(reason: string): void;
  /** Counts a run of a task in this process, by how it ended, and how long it took. */
  observeTask(task: { readonly kind: string }, end: string, ms: number): void;
  /** Counts an attempt at a callback in this process, by how it ended. */
  countCallback(end: string): void;
  /** Says where the numbers of tasks are read; null when the store does not answer. */
  watchTasks(read: () => Promise<readonly TaskFigure[] | null>): void;
  /** Says where the counts of requests to live catalogs are read; null when their thread does not answer. */
  watchCatalogs(read: ReadCatalogFigures): void;
  /** Says where the number of open connections is read. */
  watchConnections(count: () => number): void;
  /** The text format of Prometheus. */
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** Builds the metrics of one process. */
export function makeMetrics(deps: {
  readonly version: string;
  readonly readPool: () => PoolFigures;
  readonly readBlocks: () => BlockFigures;
  readonly readTiles: () => TileFigures;
  readonly readRanges: () => FolderFigures;
  readonly readHeaders: () => FolderFigures;
  /** Left out or null where no remote files are allowed. */
  readonly readFetches?: () => FetchFigures | null;
}): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const requests = new Counter({
    name: 'swath_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'swath_http_request_seconds',
    help: 'Time to answer a request.',
    labelNames: ['route'],
    // From a cached tile to the render time limit.
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const stages = new Histogram({
    name: 'swath_render_stage_seconds',
    help: 'Time spent in each stage of a render.',
    labelNames: ['stage'],
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers,
  });
  const cuts = new Counter({
    name: 'swath_connections_cut_total',
    help: 'Connections closed on their clients, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const taskRuns = new Counter({
    name: 'swath_task_runs_total',
    help: 'Runs of tasks in this process, by kind and how they ended.',
    labelNames: ['kind', 'end'],
    registers,
  });
  const taskSeconds = new Histogram({
    name: 'swath_task_seconds',
    help: 'Time that runs of tasks took.',
    labelNames: ['kind'],
    // From a small crop to a full scene on a slow disk.
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    registers,
  });
  const callbacks = new Counter({
    name: 'swath_callbacks_total',
    help: 'Attempts at callbacks of tasks in this process, by how they ended.',
    labelNames: ['end'],
    registers,
  });
  const { readPool, readBlocks, readTiles } = deps;
  gauge('swath_pool_threads', 'Pixel threads.', () => readPool().threads);
  gauge('swath_pool_busy', 'Pixel threads at work.', () => readPool().busy);
  gauge('swath_pool_waiting', 'Pixel jobs waiting for a thread.', () => readPool().waiting);
  gauge('swath_pool_memory_bytes', 'Pixel memory promised to running jobs.', () => readPool().ledgerBytes);
  gauge('swath_blocks_bytes', 'Memory that decoded blocks take.', () => readBlocks().usedBytes);
  gauge('swath_blocks_budget_bytes', 'Memory that decoded blocks may take.', () => readBlocks().budgetBytes);
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
  watchFolder('swath_range_cache', 'bytes of remote files', deps.readRanges);
  watchFolder('swath_header_cache', 'headers of remote files', deps.readHeaders);
  const { readFetches = () => null } = deps;
  if (readFetches() !== null) {
    const read = (): FetchFigures => readFetches() as FetchFigures;
    gauge('swath_fetch_memory_bytes', 'Memory that bytes of remote files take.', () => read().usedBytes);
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
        return { asked: fetchedBytes, ahead: aheadBytes, useful: aheadUsefulBytes, wasted: aheadWastedBytes };
      },
    );
  }
  outcomes('swath_pool_jobs_total', 'Pixel jobs since start, by outcome.', () => readPool().totals);
  new Gauge({ name: 'swath_info', help: 'Version of the program.', labelNames: ['version'], registers }).set(
    { version: deps.version },
    1,
  );

  return {
    observeRequest({ route, method, status, seconds: duration }) {
      requests.inc({ route, method, status: String(status) });
      seconds.observe({ route }, duration);
    },
    countEarlyAnswer: (status, method) =>
      requests.inc({ route: 'front door', method, status: String(status) }),
    observeRender: (stage, duration) => stages.observe({ stage }, duration),
    countCut: (reason) => cuts.inc({ reason }),
    observeTask({ kind }, end, ms) {
      taskRuns.inc({ kind, end });
      taskSeconds.observe({ kind }, ms / 1000);
    },
    countCallback: (end) => callbacks.inc({ end }),
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
    },
    watchCatalogs: (read) => watchCatalogFigures(register, read),
    watchConnections: (count) => gauge('swath_connections', 'Open connections.', count),
    render: async () => ({ text: await register.metrics(), contentType: register.contentType }),
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

  /** A counter whose totals others keep. */
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

/** `GET /metrics` in the text format of Prometheus. */
export const metricsText = (metrics: Metrics): Endpoint => ({
  summary: 'Metrics for Prometheus',
  tag: 'Service',
  answers: { 200: { description: 'Metrics.', content: { 'text/plain': null } } },
  async handle() {
    const { text, contentType } = await metrics.render();
    return new Answer(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
  },
});
