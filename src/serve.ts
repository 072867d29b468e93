import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDirectory, prepareDirectory } from './adapters/sqlite/index.ts';
import { makeAreas } from './areas/index.ts';
import type { Terminal } from './cli/index.ts';
import { printGreeting } from './cli/index.ts';
import { makeColormaps } from './colormaps/index.ts';
import type { Config } from './config.ts';
import { fillCatalog } from './fill-catalog.ts';
import type { Readiness } from './http/index.ts';
import {
  listen,
  makeApp,
  makeAuth,
  makeFrontDoor,
  makeMetrics,
  makeRoutes,
  readViewer,
} from './http/index.ts';
import { makeKeys } from './keys/index.ts';
import { makeLog } from './log.ts';
import { findUnfinishedDemo } from './make-demo.ts';
import { openStore } from './open-store.ts';
import type { Pool } from './render/index.ts';
import {
  makeBlockCache,
  makeCompareScene,
  makeDrawColorbar,
  makeFindContrast,
  makeFindIntensity,
  makePictureCache,
  makePointReader,
  makePool,
  makeRenderer,
} from './render/index.ts';
import { waitForStop } from './stop-signals.ts';
import type { DiskCache } from './storage/index.ts';
import { makeDiskCache } from './storage/index.ts';
import type { DemoSize } from './world/index.ts';

interface ServeDeps {
  readonly config: Config;
  readonly version: string;
  readonly terminal: Terminal;
  /** Started by an npm script: then the end of that script is a request to stop. */
  readonly isUnderNpm: boolean;
}

const MIB = 2 ** 20;

/** The parts of the service, put together; resolves to the exit status when it has been told to stop. */
export async function serve({ config, version, terminal, isUnderNpm }: ServeDeps): Promise<number> {
  const log = makeLog({ level: config.log, format: config.logFormat, stream: process.stderr });
  prepareDirectory(config.dataDir);
  await using parts = new AsyncDisposableStack();

  const lock = lockDirectory(config.dataDir);
  parts.defer(() => lock.release());
  const store = await openStore(config, (error) =>
    log.warn({ err: error }, 'a connection to the database was lost'),
  );
  parts.defer(() => store.close());

  const blocks = makeBlockCache(config.cacheMb * MIB);
  const pool = makePool({
    script: new URL('./pixel-worker.ts', import.meta.url),
    settings: { files: toThreadFiles(config), blocks: blocks.handle },
    onThreadExit: blocks.release,
    threads: config.threads,
    budgetBytes: config.memoryMb * MIB,
    // A browser asks for a screenful of tiles at once, so one key may hold half of the waiting places.
    maxWaiting: { tile: 16 * config.threads, task: 8 * config.threads },
    ownerShare: 0.5,
    // What a thread may rightly hold between jobs: the kernels' memory and some slack; shared memory is not counted.
    maxWorkerBytes: 512 * MIB,
  });
  parts.defer(() => pool.close({ drainMs: config.drainMs }));
  await pool.ready();

  const keys = makeKeys({ store: store.keys, configuredSecret: config.apiKey, now: () => new Date() });
  const timeoutMs = config.renderTimeoutMs;
  const onForgotten = (error: unknown): void =>
    log.warn({ err: error }, 'a measured range could not be stored');
  const findContrast = makeFindContrast({ store: store.contrasts, pool, timeoutMs, onForgotten });
  const disk = openTileCache(config, (error) =>
    log.warn({ err: error }, 'finished pictures cannot be kept on disk; it is tried again in a minute'),
  );
  if (disk !== null) parts.defer(() => disk.close());
  const pictures = makePictureCache(disk);
  const compareScene = makeCompareScene({ scenes: store.scenes, nowMs: () => performance.now() });
  const renderer = makeRenderer({
    scenes: store.scenes,
    compareScene,
    findContrast,
    pool,
    timeoutMs,
    pictures,
  });
  const findIntensity = makeFindIntensity({
    ...{ scenes: store.scenes, compareScene, store: store.intensities, pool, timeoutMs, onForgotten },
  });
  const readPoint = makePointReader({ scenes: store.scenes, compareScene, pool, timeoutMs });
  const metrics = makeMetrics({
    ...{ version, readPool: () => toFigures(pool), readBlocks: blocks.stats, readTiles: pictures.stats },
  });

  const stopping = new AbortController();
  let waiting: string | null = null;
  const readReadiness = async (): Promise<Readiness> => {
    const checks = {
      store: await check(() => store.ping()),
      pool: pool.health().ok ? ('ok' as const) : ('failed' as const),
    };
    const isWell = Object.values(checks).every((state) => state === 'ok');
    const reason = stopping.signal.aborted ? 'shutting down' : waiting;
    return { ready: isWell && reason === null, waiting: reason, checks };
  };

  const auth = makeAuth({ keys, nowMs: () => performance.now() });
  const app = makeApp({
    routes: makeRoutes({
      version,
      scenes: store.scenes,
      areas: makeAreas({ store: store.areas }),
      colormaps: makeColormaps({ store: store.colormaps }),
      drawColorbar: makeDrawColorbar({ pool, timeoutMs }),
      renderer,
      readPoint,
      findIntensity,
      metrics,
      showMetrics: config.metrics,
      viewer: readViewer(new URL('../web/dist/', import.meta.url)),
      maxAgeS: config.maxAgeS,
      watermark: config.watermark,
      readReadiness,
    }),
    auth,
    metrics,
    log,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    isDraining: () => stopping.signal.aborted,
  });

  // Twice, so that both threads that search are started before the first search comes.
  const [scenes] = await Promise.all([store.scenes.count(), store.scenes.count()]);
  const demoSize = planDemo(config, scenes);
  if (demoSize !== null && scenes === 0) waiting = 'the first demo scene';
  const door = makeFrontDoor({
    // Room for all that the pool can take, and for a few that are being planned or sent: more would only be refused
    // later, after they have cost something.
    maxInside: 24 * config.threads,
    maxPerCaller: 12 * config.threads,
    isKnownKey: auth.isKnownKey,
    onRefuse: () => metrics.observeRequest({ route: 'front door', method: 'GET', status: 503, seconds: 0 }),
  });
  const onError = (error: Error): void => log.error({ err: error }, 'the listening socket has trouble');
  const server = await listen({
    fetch: app.fetch as never,
    host: config.host,
    port: config.port,
    door,
    onError,
  });
  parts.defer(() => server.close(config.drainMs));
  const stopped = waitForStop({ stopping, terminal, log, isUnderNpm });

  const isFirstStart = config.apiKey === null && (await keys.list()).length === 0;
  const newKey = isFirstStart ? (await keys.create({ label: 'first start' })).secret : null;
  const url = config.publicUrl ?? `http://${toReachable(config.host)}:${server.port}`;
  printGreeting(terminal, { version, url, dataDir: config.dataDir, newKey });
  log.info({ version, port: server.port, threads: config.threads }, 'Swath is listening');

  if (demoSize !== null) {
    const onFirstScene = (): void => {
      waiting = null;
    };
    const { signal } = stopping;
    // One that fails leaves an empty catalog and a service that is ready for others.
    void fillCatalog({
      size: demoSize,
      config,
      scenes: store.scenes,
      terminal,
      log,
      signal,
      onFirstScene,
    }).finally(onFirstScene);
  }

  const status = await stopped;
  // A load balancer needs a moment to see /readyz turn 503 before connections are refused.
  await sleep(config.lingerMs);
  await parts.disposeAsync();
  log.info({}, 'Swath has stopped');
  return status;
}

/** The cache of finished pictures, when there is room for one. */
function openTileCache(
  { dataDir, tileCacheMb }: Config,
  onTrouble: (error: Error) => void,
): DiskCache | null {
  if (tileCacheMb === 0) return null;
  return makeDiskCache({ directory: join(dataDir, 'tile-cache'), maxBytes: tileCacheMb * MIB, onTrouble });
}

/** What there is to make of the demo: in an empty catalog all of it, after a stop in the middle the rest. */
function planDemo({ demo, dataDir }: Config, scenes: number): DemoSize | null {
  if (demo === 'off') return null;
  if (scenes > 0) return findUnfinishedDemo(dataDir);
  return demo === 'small' ? 'small' : 'standard';
}

/** Calls to one origin that all threads together may have under way; with many threads, two for each. */
const CALLS_PER_ORIGIN = 16;

/** Where a pixel thread finds files; threads do not know of each other, so each gets its part of the calls. */
function toThreadFiles({ dataDir, sources, threads }: Config) {
  const { folders, network } = sources;
  if (network === undefined) return { dataDir, folders };
  const concurrency = Math.max(2, Math.floor(CALLS_PER_ORIGIN / threads));
  return { dataDir, folders, network: { ...network, limits: { concurrency, ...network.limits } } };
}

/** An address that listens everywhere is reached here under the machine's own name. */
const toReachable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

function toFigures(pool: Pool) {
  const { threads, busy, waiting, ledger, totals } = pool.stats();
  return {
    threads,
    busy,
    waiting: waiting.tile + waiting.task,
    ledgerBytes: ledger.usedBytes,
    totals: { ...totals },
  };
}

async function check(probe: () => Promise<void> | void): Promise<'ok' | 'failed'> {
  try {
    await probe();
    return 'ok';
  } catch {
    return 'failed';
  }
}
