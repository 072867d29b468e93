import { Client } from 'pg';
import type { TaskEvent } from '../../../tasks/index.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqlClient, Statement } from '../connection/sql-client.ts';
import { within } from '../connection/within.ts';

/** Events of tasks, between all processes on one database. */
export interface TaskEvents {
  /**
   * Changes tasks and tells of it, in one round trip; one event for all of them is sent when the transaction commits. Gives
   * the ids of those that the statement (`INSERT` or `UPDATE`) has changed; nothing is told when there are none.
   */
  change(client: SqlClient, kind: TaskEvent['kind'], statement: Statement): Promise<readonly string[]>;
  watch(listener: (event: TaskEvent) => void): () => void;
  close(): Promise<void>;
}

/** So long the end of a connection is waited for. */
const LEAVE_MS = 2_000;

/** Before a lost connection is made again. */
const RECONNECT_MS = 1_000;

/** Events over LISTEN and NOTIFY, on one connection of their own, which is opened for the first listener. */
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
      // What was sent while there was no connection is not sent again.
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
    async change(client, kind, { sql, values }) {
      const rows = await client.query<{ id: string }>({
        sql: `WITH changed AS (${sql} RETURNING id),
                told AS (SELECT pg_notify(?, ? || string_agg(id, ' ')) FROM changed HAVING count(*) > 0)
              SELECT id FROM changed, told`,
        values: [...values, channel, `${kind} `],
      });
      return rows.map(({ id }) => id);
    },
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
  if (kind === 'over') return ids.map((id) => ({ kind, id }));
  // Whatever was queued, there is work to do.
  return kind === 'queued' ? [{ kind }] : [];
}
