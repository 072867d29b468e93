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
export function makeWatchedPool(deps: WatchedPoolDeps): WatchedPool {
  const server = new WatchedServer(deps);
  return { use: (work) => server.use(work), close: () => server.close() };
}

/**
 * A server is available or not, and only a probe changes that:
 *
 *     available ──a connection error, or silence──▶ probe ──no answer──▶ unavailable
 *         ▲ ◀──────────an answer or a refusal──────── │ ▲                     │
 *         │                                           │ └─────CHECK_MS────────┘
 *         └───────────────────────────────────────────┘
 */
class WatchedServer implements WatchedPool {
  readonly #deps: WatchedPoolDeps;
  #pool: Pool;
  /** Why the server is unavailable; null while it is available. */
  #outage: SwathError | null = null;
  #probing: Promise<void> | null = null;
  #nextCheck: NodeJS.Timeout | undefined;
  /** Work in flight, oldest first. */
  readonly #waiting = new Set<Waiting>();
  #answeredMs = performance.now();

  constructor(deps: WatchedPoolDeps) {
    this.#deps = deps;
    this.#pool = this.#makePool();
  }

  async use<Result>(work: (connection: PoolClient) => Promise<Result>): Promise<Result> {
    if (this.#outage !== null) {
      this.#deps.onFailure(this.#outage);
      throw this.#outage;
    }
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const entry: Waiting = { sinceMs: performance.now(), reject };
    this.#waiting.add(entry);
    if (this.#waiting.size === 1) this.#scheduleCheck();
    try {
      const result = await Promise.race([useFrom(this.#pool, work, lost), lost]);
      this.#answeredMs = performance.now();
      return result;
    } catch (error) {
      this.#suspect(error);
      throw error;
    } finally {
      this.#waiting.delete(entry);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#nextCheck);
    await this.#probing;
    clearTimeout(this.#nextCheck);
    await within(LEAVE_MS, this.#pool.end());
  }

  #makePool(): Pool {
    const made = new Pool(this.#deps.connection.config);
    // Without a listener, the loss of an idle connection would end the process.
    made.on('error', () => {
      if (this.#outage === null) void this.#probe();
    });
    return made;
  }

  /** Starts a probe after a connection error. */
  #suspect(error: unknown): void {
    const explained = explainPostgres(error, this.#deps.connection.address);
    if (!isUnavailable(explained)) return;
    this.#deps.onFailure(explained);
    if (isNoAnswer(explained) && this.#outage === null) void this.#probe();
  }

  #probe(): Promise<void> {
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = null;
      this.#scheduleCheck();
    });
    return this.#probing;
  }

  async #runProbe(): Promise<void> {
    try {
      await askOnce(this.#deps.connection);
    } catch (error) {
      const explained = explainPostgres(error, this.#deps.connection.address);
      // A server that refuses the connection is available.
      if (isUnavailable(explained) && isNoAnswer(explained)) this.#enterOutage(explained);
      else this.#outage = null;
      return;
    }
    this.#outage = null;
    this.#answeredMs = performance.now();
  }

  #enterOutage(error: SwathError): void {
    if (this.#outage === null) {
      this.#deps.onFailure(error);
      const dead = this.#pool;
      this.#pool = this.#makePool();
      void dead.end().catch(() => {});
    }
    this.#outage = error;
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting.clear();
  }

  /** Schedules the next check while work waits or the server is unavailable. */
  #scheduleCheck(): void {
    clearTimeout(this.#nextCheck);
    if (this.#outage === null && this.#waiting.size === 0) return;
    this.#nextCheck = setTimeout(() => this.#check(), CHECK_MS).unref();
  }

  #check(): void {
    if (this.#outage !== null || this.#isSilent()) void this.#probe();
    else this.#scheduleCheck();
  }

  #isSilent(): boolean {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return false;
    return performance.now() - Math.max(oldest.sinceMs, this.#answeredMs) > SILENT_MS;
  }
}

const isNoAnswer = ({ code }: SwathError): boolean => code === 'store-unavailable';

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

/** A probe: `SELECT 1` on a new connection. */
async function askOnce({ config, connectTimeoutMs }: Connection): Promise<void> {
  const client = new Client({ ...config, query_timeout: connectTimeoutMs });
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
