import type { PoolClient } from 'pg';
import { Client, Pool } from 'pg';
import type { SwathError } from '../../../errors.ts';
import { isUnavailable } from '../../../errors.ts';
import type { Connection } from './connection.ts';
import { within } from './connection.ts';
import { explainPostgres } from './explain-postgres.ts';
import type { UseConnection } from './sql-client.ts';
import { returnConnection, takeConnection } from './sql-client.ts';

/** Connections to a PostgreSQL server that may go away and come back. */
export interface WatchedPool {
  /** Rejects at once while PostgreSQL is known to be away. */
  readonly use: UseConnection;
  /** Resolves when every connection is closed, or has not been answered for some seconds. */
  close(): Promise<void>;
}

interface WatchedPoolDeps {
  readonly connection: Connection;
  readonly onFailure: (error: SwathError) => void;
}

/** Work without an answer after this time starts a probe whether PostgreSQL still answers. */
const SILENT_MS = 2_000;
/** How often the pool checks whether the server is back, and for work that waits too long. */
const CHECK_MS = 1_000;
/** How long it may take to answer `SELECT 1` on a new connection. */
const PROBE_MS = 2_000;
/** How long the ends of its connections are waited for. */
const LEAVE_MS = 2_000;

interface Waiting {
  readonly sinceMs: number;
  readonly reject: (error: unknown) => void;
}

/**
 * A pool that notices when PostgreSQL is gone: by errors of connections, and by silence, when a machine dies or a
 * network is cut and a statement would wait for its whole timeout. A probe on a connection of its own
 * tells a dead server from a slow statement or from one lost connection. While the server is away, all that waits is
 * rejected and nothing new is begun; the pool is replaced, because its connections may be dead without knowing it.
 */
export function makeWatchedPool({ connection, onFailure }: WatchedPoolDeps): WatchedPool {
  const { config, address } = connection;
  const waiting = new Set<Waiting>();
  let away: SwathError | null = null;
  let probing: Promise<void> | null = null;
  let answeredMs = performance.now();
  let checking: NodeJS.Timeout | undefined;
  let pool = makePool();

  function makePool(): Pool {
    const made = new Pool(config);
    // Without a listener, losing an idle connection would end the process.
    made.on('error', () => {
      if (away === null) void probe();
    });
    return made;
  }

  /** A connection failed: probes whether the server is gone. */
  function suspect(error: unknown): void {
    const explained = explainPostgres(error, address);
    if (!isUnavailable(explained)) return;
    onFailure(explained);
    if (explained.code === 'store-unavailable' && away === null) void probe();
  }

  function probe(): Promise<void> {
    probing ??= askOnce(connection)
      .then(
        () => {
          away = null;
          answeredMs = performance.now();
        },
        (error: unknown) => {
          const explained = explainPostgres(error, address);
          // A server that refuses the connection is there.
          if (isUnavailable(explained) && explained.code === 'store-unavailable') leave(explained);
          else away = null;
        },
      )
      .finally(() => {
        probing = null;
        check();
      });
    return probing;
  }

  function leave(error: SwathError): void {
    if (away === null) {
      onFailure(error);
      const dead = pool;
      pool = makePool();
      void dead.end().catch(() => {});
    }
    away = error;
    for (const { reject } of waiting) reject(error);
    waiting.clear();
  }

  /** Checks again in a moment, as long as work waits or the server is away. */
  function check(): void {
    clearTimeout(checking);
    if (away === null && waiting.size === 0) return;
    checking = setTimeout(() => {
      const [oldest] = waiting;
      const isSilent =
        oldest !== undefined && performance.now() - Math.max(oldest.sinceMs, answeredMs) > SILENT_MS;
      if (away !== null || isSilent) void probe();
      else check();
    }, CHECK_MS).unref();
  }

  return {
    async use(work) {
      if (away !== null) {
        onFailure(away);
        throw away;
      }
      const { promise: lost, reject } = Promise.withResolvers<never>();
      const entry: Waiting = { sinceMs: performance.now(), reject };
      waiting.add(entry);
      if (waiting.size === 1) check();
      try {
        const result = await Promise.race([useFrom(pool, work, lost), lost]);
        answeredMs = performance.now();
        return result;
      } catch (error) {
        suspect(error);
        throw error;
      } finally {
        waiting.delete(entry);
      }
    },
    async close() {
      clearTimeout(checking);
      await probing;
      clearTimeout(checking);
      await within(LEAVE_MS, pool.end());
    },
  };
}

/** Work on a connection of a pool; when `lost` rejects first, the connection is closed and the work is given up. */
async function useFrom<Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
  lost: Promise<never>,
): Promise<Result> {
  const connection = await takeConnection(pool);
  try {
    // Work that was given up while it waited for a connection must not begin.
    await Promise.race([lost, Promise.resolve()]);
    const result = await Promise.race([work(connection), lost]);
    returnConnection(connection);
    return result;
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

async function askOnce({ config }: Connection): Promise<void> {
  const client = new Client({ ...config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  // The rejections below say the same.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    // Not awaited: the server may be dead.
    void client.end().catch(() => {});
  }
}
