import type { JobRunner, JobTable } from './job.ts';
import type { Pool } from './pool.ts';

/** A pool that is started for its first job. */
interface LazyPool<Jobs extends JobTable> extends JobRunner<Jobs> {
  close(options: { readonly drainMs: number }): Promise<void>;
}

/** Delays the start of a pool until its first job: threads take memory and time. */
export function makeLazyPool<Jobs extends JobTable>(start: () => Pool<Jobs>): LazyPool<Jobs> {
  let pool: Pool<Jobs> | null = null;
  return {
    run(kind, input, ticket) {
      pool ??= start();
      return pool.run(kind, input, ticket);
    },
    close: async (options) => pool?.close(options),
  };
}
