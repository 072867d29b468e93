import type { DatabaseSync, SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { makeLru } from '../../../lru.ts';
import type { Clause } from '../../sql/sql-clause.ts';

/** A prepared statement whose rows are of a known type: the columns that its text selects. */
export interface Prepared<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  run(...values: SQLInputValue[]): StatementResultingChanges;
}

/** A statement whose rows are of a type. That they are is for the reader of its text to see: it is not checked. */
export const toTyped = <Row>(statement: StatementSync): Prepared<Row> =>
  statement as unknown as Prepared<Row>;

/** Prepares a statement that gives rows of a type. */
export const prepare = <Row>(database: DatabaseSync, sql: string): Prepared<Row> =>
  toTyped(database.prepare(sql));

/** Runs clauses on a connection; each text is prepared once. */
export interface Queries {
  query<Row>(clause: Clause): readonly Row[];
  /** Gives the number of rows that were changed. */
  change(clause: Clause): number;
}

/** More texts than the transitions of tasks and callbacks have. */
const MAX_PREPARED = 200;

/** The queries of a connection. */
export function makeQueries(database: DatabaseSync): Queries {
  const prepared = makeLru<Prepared<unknown>>({ max: MAX_PREPARED });
  function find(sql: string): Prepared<unknown> {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = prepare(database, sql);
    prepared.set(sql, statement);
    return statement;
  }
  return {
    query: <Row>({ sql, values }: Clause) => find(sql).all(...values) as Row[],
    change: ({ sql, values }) => Number(find(sql).run(...values).changes),
  };
}
