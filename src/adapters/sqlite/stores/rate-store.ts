import type { RateStore } from '../../../keys/index.ts';
import type { Ask } from '../threads/database-threads.ts';

/** Rates in SQLite. */
export const makeSqliteRateStore = (write: Ask): RateStore => ({
  count: (request) => write('countRequest', request),
});
