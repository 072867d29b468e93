import { makeBlockCache, makeThreadTools } from '../../src/blocks/index.ts';
import type { JobRunner } from '../../src/pool/index.ts';
import { makeRunnerHere } from '../../src/pool/testing/run-here.ts';
import type { RenderJobs } from '../../src/render/index.ts';
import { makeRenderJobs } from '../../src/render/index.ts';
import type { OpenSourceOptions } from '../../src/sources/index.ts';

/** All that draws, without threads. */
export interface PoolHere {
  /** Does its jobs at once, on this thread. */
  readonly pool: JobRunner<RenderJobs>;
  /** Kinds of the jobs since the last call. */
  takeJobs(): string[];
}

/** Makes a pool whose jobs run on this thread, one after the other: they share the kernels' memory. */
export function makePoolHere(files: OpenSourceOptions): PoolHere {
  const blocks = makeBlockCache(32 * 2 ** 20).handle;
  const pool = makeRunnerHere<RenderJobs>(makeRenderJobs(makeThreadTools({ files, blocks })));
  return { pool, takeJobs: () => pool.asked.splice(0).map(({ kind }) => kind) };
}
