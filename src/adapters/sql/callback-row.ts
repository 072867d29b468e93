import type { Callback, CallbackQuery, CallbackState, NewCallback } from '../../tasks/index.ts';
import type { Clause } from './sql-clause.ts';
import { all, list, raw, sql } from './sql-clause.ts';

/** A callback as both databases give it. */
export interface CallbackRow {
  readonly task_id: string;
  readonly owner: string;
  readonly url: string;
  readonly form: string;
  readonly public_url: string;
  readonly state: CallbackState;
  readonly token: number;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_at: string | null;
  readonly delivered_at: string | null;
}

/** A callback as it is ordered; plain values, for threads too. */
export type NewCallbackRow = Pick<CallbackRow, 'url' | 'form' | 'public_url'>;

/** A request for a callback as a row. */
export const toCallbackRow = ({ url, form, publicUrl }: NewCallback): NewCallbackRow => ({
  url,
  form,
  public_url: publicUrl,
});

/** A row as a callback. */
export const toCallback = (row: CallbackRow): Callback => ({
  taskId: row.task_id,
  owner: row.owner,
  url: row.url,
  form: row.form,
  publicUrl: row.public_url,
  state: row.state,
  attempts: row.attempts,
  lastStatus: row.last_status,
  lastError: row.last_error,
  nextAttemptAt: row.next_at,
  deliveredAt: row.delivered_at,
});

/** Lists callbacks, newest first. */
export function listCallbacks(columns: string, { owner, state, limit }: CallbackQuery): Clause {
  const conditions = [
    ...(owner === undefined ? [] : [sql`owner = ${owner}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
  ];
  return list(
    [
      raw(`SELECT ${columns} FROM callbacks WHERE`),
      all(conditions),
      sql`ORDER BY number DESC LIMIT ${limit}`,
    ],
    ' ',
  );
}
