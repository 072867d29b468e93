import type { PoolClient } from 'pg';
import { Client, Pool } from 'pg';
import type { SwathError } from '../../../errors.ts';
import { isUnavailable } from '../../../errors.ts';
import type { Connection } from './connection.ts';
import { within } from './connection.ts';
import { explainPostgres } from './explain-postgres.ts';
import type { UseConnection } from './sql-client.ts';
import { returnConnection, takeConnection } from './sql-client.ts';

/** Connections to a PostgreSQL server that may be unavailable for some time. */
export interface WatchedPool {
  /** Rejects at once while PostgreSQL is known to be unavailable. */
  readonly use: UseConnection;
  /** Resolves when every connection is closed, or after some seconds without an answer. */
  close(): Promise<void>;
}

interface WatchedPoolDeps {
  readonly connection: Connection;
  readonly onFailure: (error: SwathError) => void;
}

/** Work that waits longer than this starts a probe whether PostgreSQL still answers. */
const SILENT_MS = 2_000;
/** How often the pool checks whether the server is back, and for work that waits too long. */
const CHECK_MS = 1_000;
/** Time limit of a probe, `SELECT 1` on a new connection. */
const PROBE_MS = 2_000;
/** Time limit for closing connections. */
const LEAVE_MS = 2_000;

interface Waiting {
  readonly sinceMs: number;
  readonly reject: (error: unknown) => void;
}

/**
 * A pool that notices when PostgreSQL is unavailable: by connection errors, and by silence, when a machine dies or a
 * network is cut and a statement would wait for its whole timeout. A probe on its own connection distinguishes a dead
 * server from a slow statement or a lost connection. While the server is unavailable, waiting work is rejected and no
 * new work begins; the pool is replaced, because its connections may be dead without an error.
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
    // Without a listener, the loss of an idle connection would end the process.
    made.on('error', () => {
      if (away === null) void probe();
    });
    return made;
  }

  /** Starts a probe after a connection error. */
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
          // A server that refuses the connection is available.
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

  /** Schedules the next check while work waits or the server is unavailable. */
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

/** Runs work on a connection of a pool; when `lost` rejects first, closes the connection and abandons the work. */
async function useFrom<Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
  lost: Promise<never>,
): Promise<Result> {
  const connection = await takeConnection(pool);
  try {
    // Work that was abandoned while it waited for a connection must not begin.
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
  // The awaits below reject with the same error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    // Not awaited: the server may be dead.
    void client.end().catch(() => {});
  }
}
