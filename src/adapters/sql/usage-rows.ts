import type { UsageQuery, UsageRow } from '../../keys/index.ts';
import type { Clause } from './sql.ts';
import { all, any, list, raw, sql } from './sql.ts';

const AMOUNTS = ['requests', 'tiles', 'bytes', 'tasks', 'thread_ms'] as const;
const COLUMNS = raw(`key_id AS "keyId", day, ${AMOUNTS.join(', ')}`);
const SUMS = raw(AMOUNTS.map((name) => `${name} = key_usage.${name} + excluded.${name}`).join(', '));

/** Rows of one statement: both databases limit the number of its values. */
const ROWS_AT_ONCE = 500;

/** Statements that add counts and return the new sums. */
export function toAddStatements(rows: readonly UsageRow[]): readonly Clause[] {
  // All nodes lock rows in the same order, so that no two of them wait for each other.
  const sorted = rows.toSorted((one, other) => (toOrder(one) < toOrder(other) ? -1 : 1));
  return Array.from({ length: Math.ceil(sorted.length / ROWS_AT_ONCE) }, (_, i) =>
    toAddStatement(sorted.slice(i * ROWS_AT_ONCE, (i + 1) * ROWS_AT_ONCE)),
  );
}

const toOrder = ({ day, keyId }: UsageRow): string => `${day} ${keyId}`;

function toAddStatement(rows: readonly UsageRow[]): Clause {
  const values = rows.map(
    ({ day, keyId, requests, tiles, bytes, tasks, threadMs }) =>
      sql`(${day}, ${keyId}, ${requests}, ${tiles}, ${bytes}, ${tasks}, ${Math.round(threadMs)})`,
  );
  return sql`INSERT INTO key_usage (day, key_id, ${raw(AMOUNTS.join(', '))}) VALUES ${list(values, ', ')}
    ON CONFLICT (day, key_id) DO UPDATE SET ${SUMS} RETURNING ${COLUMNS}`;
}

/** Selects rows, sorted by day and key. */
export function toListStatement({ keyIds, from, to, limit }: UsageQuery): Clause {
  const isAsked = keyIds === null ? [] : [any(keyIds.map((id) => sql`key_id = ${id}`))];
  return sql`SELECT ${COLUMNS} FROM key_usage WHERE ${all([sql`day >= ${from}`, sql`day <= ${to}`, ...isAsked])}
    ORDER BY day, key_id LIMIT ${limit}`;
}

/** Removes rows of days before this one. */
export const toPruneStatement = (before: string): Clause => sql`DELETE FROM key_usage WHERE day < ${before}`;

/** A row of both statements; PostgreSQL returns bigint as a string. */
export type StoredUsage = { readonly keyId: string; readonly day: string } & Readonly<
  Record<(typeof AMOUNTS)[number], number | string>
>;

export const toUsageRow = ({ keyId, day, ...amounts }: StoredUsage): UsageRow => ({
  keyId,
  day,
  requests: Number(amounts.requests),
  tiles: Number(amounts.tiles),
  bytes: Number(amounts.bytes),
  tasks: Number(amounts.tasks),
  threadMs: Number(amounts.thread_ms),
});
