import { raw, sql } from '../../sql/sql-clause.ts';
import type { QueueDialect } from '../../sql/task-queue.ts';
import { sharedNowMs } from './shared-clock.ts';

/** The longest delay or lease: what lies further ahead was written before the machine started, when its clock was ahead. */
const LONGEST_MS = 3_600_000;

/** How SQLite says it: times are milliseconds of the machine's monotonic clock, and one transaction writes at a time. */
export const sqliteQueue: QueueDialect = {
  // As JavaScript writes times.
  now: raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`),
  laterBy: (ms) => sql`${new Date(Date.now() + Math.min(ms, LONGEST_MS)).toISOString()}`,
  after: (ms) => sql`${sharedNowMs() + Math.min(ms, LONGEST_MS)}`,
  atOnce: raw('0'),
  isPast(column) {
    const nowMs = sharedNowMs();
    return sql`(${raw(column)} <= ${nowMs} OR ${raw(column)} > ${nowMs + LONGEST_MS})`;
  },
  isOverdue: raw(`unixepoch(created_at) + timeout_s <= unixepoch('now')`),
  isNumberIn: (numbers) => sql`number IN (${numbers})`,
  rowsOf: (strings) => sql`SELECT value FROM json_each(${JSON.stringify(strings)})`,
  skipLocked: raw(''),
};
