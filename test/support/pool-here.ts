import type { Pool } from '../../src/render/index.ts';
import { makeBlockCache, makeRenderJobs } from '../../src/render/index.ts';
import type { OpenSourceOptions } from '../../src/storage/index.ts';

/** All that draws, without threads. */
export interface PoolHere {
  /** Does its jobs at once, on this thread. */
  readonly pool: Pool;
  /** Kinds of the jobs since the last call. */
  takeJobs(): string[];
}

type Handlers = Readonly<Record<string, (input: unknown, context: unknown) => Promise<unknown>>>;

/** Makes a pool whose jobs run on this thread, one after the other. */
export function makePoolHere(files: OpenSourceOptions): PoolHere {
  const blocks = makeBlockCache(32 * 2 ** 20).handle;
  const handlers = makeRenderJobs({ files, blocks }) as unknown as Handlers;
  let kinds: string[] = [];
  // One after the other, as a thread does them: they share the kernels' memory.
  let last: Promise<unknown> = Promise.resolve();
  const run: Pool['run'] = async <Output>({ kind, input, signal }: Parameters<Pool['run']>[0]) => {
    const handler = handlers[kind];
    if (handler === undefined) throw new Error(`no job ${kind}`);
    kinds.push(kind);
    const context = { signal: signal ?? new AbortController().signal };
    const work = last.then(() => handler(structuredClone(input), context));
    last = work.catch(() => {});
    const output = await work;
    // What moves between threads comes in a box.
    const opened =
      output !== null && typeof output === 'object' && 'output' in output ? output.output : output;
    return { output: opened as Output, queuedMs: 0, ranMs: 0, shared: false };
  };
  const takeJobs = (): string[] => {
    const taken = kinds;
    kinds = [];
    return taken;
  };
  return { pool: { run } as Pool, takeJobs };
}
