import type { DatabaseSync } from 'node:sqlite';
import type { Prepared } from './queries.ts';
import { prepare } from './queries.ts';

/** Prepares statements that are answered at once, on the calling thread; their errors come in words. */
export interface Lookups {
  prepare<Row>(sql: string): Pick<Prepared<Row>, 'get' | 'all'>;
}

/** Look-ups on a connection; `explain` turns what SQLite throws into what is thrown on. */
export function makeLookups(database: DatabaseSync, explain: (error: unknown) => unknown): Lookups {
  function attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw explain(error);
    }
  }
  return {
    prepare<Row>(sql: string) {
      const statement = prepare<Row>(database, sql);
      return {
        get: (...values) => attempt(() => statement.get(...values)),
        all: (...values) => attempt(() => statement.all(...values)),
      };
    },
  };
}
