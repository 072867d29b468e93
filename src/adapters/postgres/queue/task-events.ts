import { Client } from 'pg';
import type { TaskEvent } from '../../../tasks/index.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { sql } from '../../sql/sql-clause.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** Events of tasks, between all processes on one database. */
export interface TaskEvents {
  /**
   * Changes one task and tells of it, in one round trip; the event is sent when the transaction commits. False, and nothing
   * is told, when the statement (`INSERT` or `UPDATE`) has changed no row.
   */
  change(client: SqlClient, kind: TaskEvent['kind'], statement: Clause): Promise<boolean>;
  watch(listener: (event: TaskEvent) => void): () => void;
  close(): Promise<void>;
}

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
      const event = parseEvent(payload ?? '');
      if (event !== null) tell(event);
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
    const client = await open;
    client?.removeAllListeners('end');
    await client?.end().catch(() => {});
  }

  return {
    async change(client, kind, statement) {
      const told = await client.query(
        sql`WITH changed AS (${statement} RETURNING id)
            SELECT pg_notify(${channel}, ${`${kind} `} || id) FROM changed`,
      );
      return told.length === 1;
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

function parseEvent(payload: string): TaskEvent | null {
  const [kind, id = ''] = payload.split(' ', 2);
  if (kind !== 'queued' && kind !== 'over') return null;
  return id === '' ? { kind } : { kind, id };
}
