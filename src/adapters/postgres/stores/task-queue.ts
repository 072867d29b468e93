import { Client } from 'pg';
import type { TaskEvent } from '../../../tasks/index.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { raw, sql } from '../../sql/sql-clause.ts';
import type { QueueDialect } from '../../sql/task-queue.ts';
import type { Connection } from '../connection/connection.ts';
import { within } from '../connection/connection.ts';
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
  close(): Promise<void>;
}

/** The most tasks that one event names: PostgreSQL limits an event to 8,000 bytes. An event for more tasks has no ids. */
const MAX_IDS = 200;

/** Time limit for closing a connection. */
const LEAVE_MS = 2_000;

/** Delay before a lost connection is opened again. */
const RECONNECT_MS = 1_000;

/** Events over LISTEN and NOTIFY, on their own connection, which the first listener opens. */
export function makeTaskEvents({ config, schema }: Connection): TaskEvents {
  const channel = `${schema}_tasks`;
  const listeners = new Set<(event: TaskEvent) => void>();
  let isClosed = false;
  let connection: Promise<Client | null> | undefined;
  let waiting: NodeJS.Timeout | undefined;

  function tell(event: TaskEvent): void {
    for (const listener of listeners) listener(event);
  }

  async function connect(): Promise<Client | null> {
    const { statement_timeout: _server, query_timeout: _client, ...rest } = config;
    const client = new Client(rest);
    client.on('error', () => lose(client));
    client.on('end', () => lose(client));
    client.on('notification', ({ payload }) => {
      for (const event of parseEvents(payload ?? '')) tell(event);
    });
    try {
      await client.connect();
      await client.query(`LISTEN "${channel}"`);
      // Notifications that were sent without a connection are lost.
      tell({ kind: 'queued' });
      tell({ kind: 'over' });
      return client;
    } catch {
      lose(client);
      return null;
    }
  }

  function lose(client: Client): void {
    void client.end().catch(() => {});
    if (isClosed || listeners.size === 0 || waiting !== undefined) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      connection = connect();
    }, RECONNECT_MS).unref();
  }

  async function disconnect(): Promise<void> {
    clearTimeout(waiting);
    waiting = undefined;
    const open = connection;
    connection = undefined;
    const leave = async (): Promise<void> => {
      const client = await open;
      client?.removeAllListeners('end');
      await client?.end();
    };
    await within(LEAVE_MS, leave());
  }

  return {
    change: (client, kind, { sql, values }, returning = 'id') =>
      client.query({
        sql: `WITH changed AS (${sql} RETURNING ${returning}),
                told AS (SELECT pg_notify(?, ? || CASE WHEN count(*) > ${MAX_IDS} THEN '' ELSE ' ' || string_agg(id, ' ') END)
                  FROM changed HAVING count(*) > 0)
              SELECT changed.* FROM changed, told`,
        values: [...values, channel, kind],
      }),
    watch(listener) {
      listeners.add(listener);
      if (!isClosed) connection ??= connect();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) void disconnect();
      };
    },
    async close() {
      isClosed = true;
      listeners.clear();
      await disconnect();
    },
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
