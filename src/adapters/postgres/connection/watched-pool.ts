import type { PoolClient } from 'pg';
import { Client, Pool } from 'pg';
import type { SwathError } from '../../../errors.ts';
import { isUnavailable } from '../../../errors.ts';
import type { Connection } from './connection.ts';
import { explainPostgres } from './explain-postgres.ts';
import type { UseConnection } from './sql-client.ts';

/** Connections to a PostgreSQL that may go and come back. */
export interface WatchedPool {
  /** Rejects at once while PostgreSQL is known to be away. */
  readonly use: UseConnection;
  /** Resolves when every connection is closed. */
  close(): Promise<void>;
}

interface WatchedPoolDeps {
  readonly connection: Connection;
  readonly onFailure: (error: SwathError) => void;
}

/** Work that has no answer after this makes us look whether PostgreSQL still answers at all. */
const SILENT_MS = 2_000;
/** How often we look whether it is back, and for work that waits too long. */
const LOOK_MS = 1_000;
/** How long it may take to answer `SELECT 1` on a new connection. */
const PROBE_MS = 2_000;

interface Waiting {
  readonly sinceMs: number;
  readonly reject: (error: unknown) => void;
}

/**
 * A pool that notices when PostgreSQL is gone: by errors of connections, and by silence, as when a machine dies or a
 * network is cut, where a statement would otherwise wait for its whole time limit. A probe on a connection of its own
 * tells a dead server from a slow statement or from one lost connection. While the server is away, all that waits is
 * rejected and nothing new is begun; the pool is replaced, because its connections may be dead without knowing it.
 */
export function makeWatchedPool({ connection, onFailure }: WatchedPoolDeps): WatchedPool {
  const { config, address } = connection;
  const waiting = new Set<Waiting>();
  let away: SwathError | null = null;
  let probing: Promise<void> | null = null;
  let answeredMs = performance.now();
  let looking: NodeJS.Timeout | undefined;
  let pool = makePool();

  function makePool(): Pool {
    const made = new Pool(config);
    // Without a listener a connection that is lost while idle would end the program.
    made.on('error', () => {
      if (away === null) void probe();
    });
    return made;
  }

  /** Something went wrong with a connection: is it the server? */
  function suspect(error: unknown): void {
    const inWords = explainPostgres(error, address);
    if (!isUnavailable(inWords)) return;
    onFailure(inWords);
    if (inWords.code === 'store-unavailable' && away === null) void probe();
  }

  function probe(): Promise<void> {
    probing ??= askOnce(connection)
      .then(
        () => {
          away = null;
          answeredMs = performance.now();
        },
        (error: unknown) => {
          const inWords = explainPostgres(error, address);
          // A server that refuses us answers.
          if (isUnavailable(inWords) && inWords.code === 'store-unavailable') leave(inWords);
          else away = null;
        },
      )
      .finally(() => {
        probing = null;
        look();
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

  /** Looks again in a moment, as long as there is something to look for. */
  function look(): void {
    clearTimeout(looking);
    if (away === null && waiting.size === 0) return;
    looking = setTimeout(() => {
      const [oldest] = waiting;
      const isSilent =
        oldest !== undefined && performance.now() - Math.max(oldest.sinceMs, answeredMs) > SILENT_MS;
      if (away !== null || isSilent) void probe();
      else look();
    }, LOOK_MS).unref();
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
      if (waiting.size === 1) look();
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
      clearTimeout(looking);
      await probing;
      clearTimeout(looking);
      await pool.end();
    },
  };
}

/** Work on a connection of a pool; when `lost` rejects first, the connection is closed and the work is given up. */
async function useFrom<Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
  lost: Promise<never>,
): Promise<Result> {
  const connection = await pool.connect();
  try {
    // Work that was given up while it waited for a connection must not begin.
    await Promise.race([lost, Promise.resolve()]);
    const result = await Promise.race([work(connection), lost]);
    connection.release();
    return result;
  } catch (error) {
    connection.release(true);
    throw error;
  }
}

async function askOnce({ config }: Connection): Promise<void> {
  const client = new Client({ ...config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  // What it would tell is told by the rejections below.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    // Nobody waits for the goodbye of a server that may be dead.
    void client.end().catch(() => {});
  }
}
