import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { QueueDialect } from '../../sql/task-queue.ts';

const NOW = raw('now()');
const after = (ms: number): Clause => sql`now() + ${ms} * interval '1 ms'`;

/** How PostgreSQL says it: its clock is the one that all processes share, and transactions skip each other's rows. */
export const postgresQueue: QueueDialect = {
  now: NOW,
  laterBy: after,
  after,
  atOnce: NOW,
  isPast: (column) => raw(`${column} <= now()`),
  isOverdue: raw(`created_at + timeout_s * interval '1 s' <= now()`),
  // As an array: PostgreSQL may run a list of IN again for each row, and would lock other rows each time.
  isNumberIn: (numbers) => sql`number = ANY (ARRAY(${numbers}))`,
  rowsOf: (strings) => sql`SELECT jsonb_array_elements_text(${JSON.stringify(strings)}::jsonb)`,
  skipLocked: raw('FOR UPDATE SKIP LOCKED'),
};
