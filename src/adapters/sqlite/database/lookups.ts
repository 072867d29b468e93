import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** Prepares statements that are answered at once, on the calling thread; their errors come in words. */
export interface Lookups {
  prepare(sql: string): Lookup;
}

/** A prepared statement. */
export interface Lookup {
  get(...values: SQLInputValue[]): unknown;
  all(...values: SQLInputValue[]): unknown[];
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
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        get: (...values) => attempt(() => statement.get(...values)),
        all: (...values) => attempt(() => statement.all(...values)),
      };
    },
  };
}
