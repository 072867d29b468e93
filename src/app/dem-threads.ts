import { makeGate } from '../async/index.ts';
import { makeBlockCache } from '../blocks/index.ts';
import type { JobRunner } from '../pool/index.ts';
import { makePool } from '../pool/index.ts';
import { DEFAULT_LIMITS } from '../render/index.ts';
import type { DemFile } from '../terrain/index.ts';
import type { Config } from './config.ts';
import type { PixelJobs } from './pixel-jobs.ts';
import { toThreadFiles } from './start-rendering.ts';

/** The threads of an ingest of elevation models. They start when the first job needs them. */
export interface DemThreads extends AsyncDisposable {
  readonly runner: JobRunner<PixelJobs>;
  /** Reads every block of a file; rejects with what is wrong. */
  checkFile(file: DemFile, signal: AbortSignal): Promise<void>;
}

/** Blocks are read once, strip after strip: the cache need hold a few rows of them. */
const CACHE_BYTES = 256 * 2 ** 20;
/** What a thread may rightly hold between jobs. */
const MAX_WORKER_BYTES = 1024 * 2 ** 20;
/** A few blocks of the largest size that is common. */
const CHECK_BYTES = 64 * 2 ** 20;
/** The largest national grids have tens of gigabytes in one file. */
const CHECK_TIMEOUT_MS = 6 * 3_600_000;

/** Prepares threads on all cores. */
export function makeDemThreads(config: Config): DemThreads {
  let started: ReturnType<typeof start> | null = null;
  const runner: JobRunner<PixelJobs> = {
    run: (...job) => {
      started ??= start(config);
      return started.run(...job);
    },
  };
  const gate = makeGate(config.threads);
  return {
    runner,
    checkFile: (file, signal) =>
      gate.run(async () => {
        const ticket = { owner: 'check', lane: 'task', timeoutMs: CHECK_TIMEOUT_MS, signal } as const;
        await runner.run('check-dem', file, { ...ticket, bytes: CHECK_BYTES });
      }),
    async [Symbol.asyncDispose]() {
      await started?.close({ drainMs: 0 });
    },
  };
}

function start(config: Config) {
  const blocks = makeBlockCache(CACHE_BYTES);
  return makePool<PixelJobs>({
    script: new URL('./pixel-worker.ts', import.meta.url),
    settings: { files: toThreadFiles(config), blocks: blocks.handle },
    onThreadExit: blocks.release,
    threads: config.threads,
    taskThreads: config.threads,
    budgetBytes: 2 * config.threads * DEFAULT_LIMITS.bytes,
    maxWaiting: { tile: 1, task: 4 * config.threads },
    ownerShare: 1,
    maxWorkerBytes: MAX_WORKER_BYTES,
  });
}
