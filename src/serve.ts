import { lockDirectory, openSqliteStore, prepareDirectory } from './adapters/sqlite/index.ts';
import type { NewScene } from './catalog/index.ts';
import { ensureDemo } from './catalog/index.ts';
import type { Terminal } from './cli/index.ts';
import type { Config } from './config.ts';
import { isSwathError } from './errors.ts';
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
import type { Pool } from './render/index.ts';
import { makeFindContrast, makePool, makeRenderer } from './render/index.ts';

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
  const store = openSqliteStore(config.dataDir);
  parts.defer(() => store.close());

  const cacheBytes = Math.floor((config.cacheMb * MIB) / config.threads);
  const pool = makePool({
    script: new URL('./render/pixel-worker.ts', import.meta.url),
    settings: { dataDir: config.dataDir, cacheBytes },
    threads: config.threads,
    budgetBytes: config.memoryMb * MIB,
    // A browser asks for a screenful of tiles at once: half of the places let one key wait for two dozen of them.
    maxWaiting: { tile: 16 * config.threads, task: 8 * config.threads },
    ownerShare: 0.5,
    // What a thread may rightly hold between jobs: its cache of blocks, the kernels' memory and some slack.
    maxWorkerBytes: cacheBytes + 512 * MIB,
  });
  parts.defer(() => pool.close({ drainMs: config.drainMs }));
  await pool.ready();

  const keys = makeKeys({ store: store.keys, configuredSecret: config.apiKey, now: () => new Date() });
  const timeoutMs = config.renderTimeoutMs;
  const findContrast = makeFindContrast({ store: store.contrasts, pool, timeoutMs });
  const renderer = makeRenderer({ scenes: store.scenes, findContrast, pool, timeoutMs });
  const metrics = makeMetrics({ version, readPool: () => toFigures(pool) });

  const stopping = new AbortController();
  let waiting: string | null = null;
  const readReadiness = async (): Promise<Readiness> => {
    const checks = {
      store: check(() => store.ping()),
      pool: pool.health().ok ? ('ok' as const) : ('failed' as const),
    };
    const isWell = Object.values(checks).every((state) => state === 'ok');
    const reason = stopping.signal.aborted ? 'shutting down' : waiting;
    return { ready: isWell && reason === null, waiting: reason, checks };
  };

  const app = makeApp({
    routes: makeRoutes({
      version,
      scenes: store.scenes,
      renderer,
      metrics,
      showMetrics: config.metrics,
      viewer: readViewer(new URL('../web/dist/', import.meta.url)),
      maxAgeS: config.maxAgeS,
      readReadiness,
    }),
    auth: makeAuth({ keys, nowMs: () => performance.now() }),
    metrics,
    log,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    isDraining: () => stopping.signal.aborted,
  });

  const makesDemo = config.demo && (await store.scenes.count()) === 0;
  if (makesDemo) waiting = 'demo scene 0 %';
  const door = makeFrontDoor({
    // Room for all that the pool can take, and for as many again that are being planned, refused or sent.
    maxInside: 48 * config.threads,
    maxPerCaller: 24 * config.threads,
    onRefuse: () => metrics.observeRequest({ route: 'front door', method: 'GET', status: 503, seconds: 0 }),
  });
  const server = await listen({ fetch: app.fetch as never, host: config.host, port: config.port, door });
  parts.defer(() => server.close(config.drainMs));
  const stopped = waitForStop({ stopping, terminal, isUnderNpm });
  await greet(server.port);
  if (makesDemo) void fillCatalog();
  log.info({ version, port: server.port, threads: config.threads }, 'Swath is listening');

  const status = await stopped;
  await parts.disposeAsync();
  log.info({}, 'Swath has stopped');
  return status;

  async function greet(port: number): Promise<void> {
    const url = config.publicUrl ?? `http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`;
    const { bold, cyan, dim } = terminal.style;
    terminal.line(`${bold('Swath')} ${version} is running. Data: ${config.dataDir}`);
    if (config.apiKey === null && (await keys.list()).length === 0) {
      const { secret } = await keys.create({ label: 'first start' });
      terminal.line('A key was made for you; it is shown only this once:');
      terminal.line();
      terminal.line(`  Map   ${cyan(`${url}/?api_key=${secret}`)}`);
      terminal.line(`  API   ${cyan(`${url}/docs`)}`);
      terminal.line();
    } else {
      terminal.line(
        `  Map   ${cyan(url)}   ${dim('it asks for your key; "npm run swath keys create" makes another')}`,
      );
      terminal.line(`  API   ${cyan(`${url}/docs`)}`);
    }
    terminal.line(dim('Stop with Ctrl-C.'));
  }

  /** Runs beside the service; a demo that cannot be made is reported and leaves an empty, working service. */
  async function fillCatalog(): Promise<void> {
    const progress = terminal.progress('Making the demo scene');
    try {
      await ensureDemo({
        scenes: store.scenes,
        signal: stopping.signal,
        onProgress(fraction) {
          waiting = `demo scene ${Math.floor(fraction * 100)} %`;
          progress.update(fraction);
        },
        makeDemo: async ({ onProgress, signal }) => {
          const { output } = await pool.run<NewScene>({
            kind: 'demo',
            input: null,
            priority: 'task',
            owner: 'demo',
            bytes: 128 * MIB,
            timeoutMs: 600_000,
            signal,
            onProgress: (fraction) => onProgress(fraction as number),
          });
          return output;
        },
      });
      progress.done('The demo scene is ready; the map shows it now.');
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error({ err: error }, 'the demo scene could not be made');
      progress.done(
        `The demo scene could not be made${isSwathError(error) ? `: ${error.message}` : ''}; the catalog stays empty.`,
      );
    } finally {
      waiting = null;
    }
  }
}

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

function check(probe: () => void): 'ok' | 'failed' {
  try {
    probe();
    return 'ok';
  } catch {
    return 'failed';
  }
}

interface StopDeps {
  readonly stopping: AbortController;
  readonly terminal: Terminal;
  readonly isUnderNpm: boolean;
}

/** Resolves to the exit status on the first SIGTERM or Ctrl-C; a second one does not wait for anything. */
function waitForStop({ stopping, terminal, isUnderNpm }: StopDeps): Promise<number> {
  return new Promise((resolve) => {
    const stop = (): void => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      terminal.note('Finishing what is under way; once more to stop at once.');
      resolve(0);
    };
    const stopNow = (): void => (stopping.signal.aborted ? process.exit(1) : stop());
    process.on('SIGTERM', stopNow);
    process.on('SIGINT', stopNow);
    if (isUnderNpm) watchParent(stop);
  });
}

/** A signal to npm reaches the shell between npm and us, but not us: its death is all that we see of it. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, 500).unref();
}
