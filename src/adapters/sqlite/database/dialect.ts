import type { Dialect } from '../../sql/scene-search.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { sql } from '../../sql/sql-clause.ts';

/** SQLite's json_extract gives numbers, texts and null, and 1 and 0 for true and false. */
const extract = (field: string): Clause => sql`json_extract(s.fields, ${`$.${JSON.stringify(field)}`})`;

/** How SQLite says it. */
export const sqliteDialect: Dialect = {
  value: extract,
  sortKeys: (field) => [extract(field)],
  mergesInOrder: true,
};
