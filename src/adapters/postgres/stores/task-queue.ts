import type { TaskEvent } from '../../../tasks/index.ts';
import type { Clause } from '../../sql/sql.ts';
import { raw, sql } from '../../sql/sql.ts';
import type { QueueDialect } from '../../sql/tasks.ts';
import type { Listener } from '../connection/listener.ts';
import type { SqlClient, Statement } from '../connection/sql-client.ts';

/** A task that a statement has changed. */
interface ChangedTask {
  readonly id: string;
}

/** Task events between all processes on one database. */
export interface TaskEvents {
  /**
   * Changes tasks and notifies all processes, in one round trip; the notification is sent when the transaction commits.
   * Returns the columns of `returning`, which include `id`, for each task that the statement (`INSERT` or `UPDATE`) changes.
   */
  change<Row extends ChangedTask>(
    client: SqlClient,
    kind: TaskEvent['kind'],
    statement: Statement,
    returning?: string,
  ): Promise<readonly Row[]>;
  watch(listener: (event: TaskEvent) => void): () => void;
}

/** The most tasks that one event names: PostgreSQL limits an event to 8,000 bytes. An event for more tasks has no ids. */
const MAX_IDS = 200;

/** The channel of task events. */
export const toTasksChannel = (schema: string): string => `${schema}_tasks`;

/** Events over LISTEN and NOTIFY. */
export function makeTaskEvents(listener: Listener, channel: string): TaskEvents {
  return {
    change: (client, kind, { sql, values }, returning = 'id') =>
      client.query({
        sql: `WITH changed AS (${sql} RETURNING ${returning}),
                told AS (SELECT pg_notify(?, ? || CASE WHEN count(*) > ${MAX_IDS} THEN '' ELSE ' ' || string_agg(id, ' ') END)
                  FROM changed HAVING count(*) > 0)
              SELECT changed.* FROM changed, told`,
        values: [...values, channel, kind],
      }),
    watch: (tell) =>
      listener.watch(channel, {
        onNotification(payload) {
          for (const event of parseEvents(payload)) tell(event);
        },
        onConnect() {
          tell({ kind: 'queued' });
          tell({ kind: 'over' });
        },
      }),
  };
}

function parseEvents(payload: string): readonly TaskEvent[] {
  const [kind, ...ids] = payload.split(' ');
  if (kind === 'over') return ids.length === 0 ? [{ kind }] : ids.map((id) => ({ kind, id }));
  // Whatever was queued, there is work.
  return kind === 'queued' ? [{ kind }] : [];
}

const NOW = raw('now()');
const after = (ms: number): Clause => sql`now() + ${ms} * interval '1 ms'`;

/** The PostgreSQL dialect: all processes share the server's clock, and transactions skip each other's rows. */
export const postgresQueue: QueueDialect = {
  now: NOW,
  laterBy: after,
  after,
  atOnce: NOW,
  isPast: (column) => raw(`${column} <= now()`),
  isOverdue: raw(`created_at + timeout_s * interval '1 s' <= now()`),
  // An array, because PostgreSQL may run an IN subquery again for each row and lock other rows each time.
  isNumberIn: (numbers) => sql`number = ANY (ARRAY(${numbers}))`,
  rowsOf: (strings) => sql`SELECT jsonb_array_elements_text(${JSON.stringify(strings)}::jsonb)`,
  skipLocked: raw('FOR UPDATE SKIP LOCKED'),
};
