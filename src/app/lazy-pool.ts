import type { JobRunner, JobTable, Pool } from '../pool/index.ts';

/** A pool that is started for its first job. */
export interface LazyPool<Jobs extends JobTable> extends JobRunner<Jobs> {
  /** Null as long as it has not been needed. */
  started(): Pool<Jobs> | null;
  close(options: { readonly drainMs: number }): Promise<void>;
}

/** Builds it: most services make no files, and threads take memory and time at the start. */
export function makeLazyPool<Jobs extends JobTable>(start: () => Pool<Jobs>): LazyPool<Jobs> {
  let pool: Pool<Jobs> | null = null;
  return {
    run(kind, input, ticket) {
      pool ??= start();
      return pool.run(kind, input, ticket);
    },
    started: () => pool,
    close: async (options) => pool?.close(options),
  };
}
