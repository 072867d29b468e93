import { hash } from 'node:crypto';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { isUnavailable } from '../../../errors.ts';
import { makeLru } from '../../../lru.ts';
import { explainPostgres } from './explain-postgres.ts';

/** The way to send statements over a connection. */
interface Sending {
  readonly begin: string;
  /** Sends one statement, or without values several. */
  send(connection: PoolClient, text: string, values?: unknown[]): Promise<QueryResult>;
}

/** Parses and plans every statement for its values: right for searches, which differ each time. */
const sendOnce: Sending = {
  begin: 'BEGIN',
  send: (connection, text, values) => connection.query(text, values),
};

/**
 * Statements are planned again after this time. A plan fits the current size of the tables, and a queue that is empty now
 * may have hundreds of tasks some seconds later.
 */
const PLANS_MS = 5_000;

const plannedMs = new WeakMap<PoolClient, number>();

/**
 * Prepares statements under a name and plans them every few seconds on each connection: right for a few frequent statements
 * that find rows by their keys. Planning them takes longer than running them.
 */
export const sendPrepared: Sending = {
  // Otherwise PostgreSQL plans again whenever it expects a better plan for the values, as for each list of ids.
  begin: 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan',
  async send(connection, text, values) {
    if (values === undefined) return connection.query(text);
    const nowMs = performance.now();
    const sinceMs = plannedMs.get(connection);
    if (sinceMs === undefined) plannedMs.set(connection, nowMs);
    else if (nowMs - sinceMs > PLANS_MS) {
      plannedMs.set(connection, nowMs);
      await connection.query('DISCARD PLANS');
    }
    return connection.query({ name: toName(text), text, values });
  },
};

const names = makeLru<string>({ max: 1_000 });

/** PostgreSQL uses the first 63 bytes of a name. */
const toName = (text: string): string => names.remember(text, () => hash('sha256', text, 'base64url'));

/** SQL and the values of its question marks; lists become PostgreSQL arrays. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Runs statements on PostgreSQL; its errors are explained (explain-postgres.ts). */
export interface SqlClient {
  query<Row>(statement: Statement): Promise<readonly Row[]>;
  /** Runs a statement within a transaction; throws PostgreSQL's own errors, for a caller that expects some. */
  execute(text: string): Promise<void>;
  /** Runs work on one connection, in a transaction. */
  inTransaction<Result>(work: (client: SqlClient) => Promise<Result>): Promise<Result>;
  /** Runs reads in one snapshot: all statements see the same state. */
  inSnapshot<Result>(work: (client: SqlClient) => Promise<Result>): Promise<Result>;
}

/** Runs work on a connection. If the work throws, the connection is closed. */
export type UseConnection = <Result>(work: (connection: PoolClient) => Promise<Result>) => Promise<Result>;

const ignore = (): void => {};

/**
 * Takes a connection from the pool. If it is lost between two statements, it emits an event that would end the process
 * without a listener. The next statement fails anyway.
 */
export async function takeConnection(pool: Pool): Promise<PoolClient> {
  const connection = await pool.connect();
  connection.on('error', ignore);
  return connection;
}

/** Returns a healthy connection to the pool; `release(true)` closes a broken one. */
export function returnConnection(connection: PoolClient): void {
  connection.off('error', ignore);
  connection.release();
}

/** Runs work on the connections of a pool. */
export const usePool =
  (pool: Pool): UseConnection =>
  async (work) => {
    const connection = await takeConnection(pool);
    try {
      const result = await work(connection);
      returnConnection(connection);
      return result;
    } catch (error) {
      connection.release(true);
      throw error;
    }
  };

/** A client over connections. */
export function makeSqlClient(use: UseConnection, address: string, sending: Sending = sendOnce): SqlClient {
  const explaining = async <Result>(work: (connection: PoolClient) => Promise<Result>): Promise<Result> => {
    try {
      return await use(work);
    } catch (error) {
      throw explainPostgres(error, address);
    }
  };
  async function runBetween<Result>(
    begin: string,
    work: (client: SqlClient) => Promise<Result>,
  ): Promise<Result> {
    const outcome = await explaining(async (connection) => {
      const client = makeConnectionClient({ connection, address, sending });
      try {
        await client.query({ sql: begin, values: [] });
        const result = await work(client);
        await client.query({ sql: 'COMMIT', values: [] });
        return { result };
      } catch (error) {
        // A connection that is lost or cannot roll back is closed, which makes the server roll back.
        if (isUnavailable(error)) throw error;
        const isInOrder = await connection.query('ROLLBACK').then(
          () => true,
          () => false,
        );
        if (!isInOrder) throw error;
        return { error };
      }
    });
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }
  return {
    query: (statement) => explaining((connection) => run({ connection, address, sending }, statement)),
    execute: (text) => explaining(async (connection) => void (await connection.query(text))),
    inTransaction: (work) => runBetween(sending.begin, work),
    inSnapshot: (work) => runBetween('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
  };
}

/** A connection and the way to send statements over it. */
interface Line {
  readonly connection: PoolClient;
  readonly address: string;
  readonly sending: Sending;
}

/** A client over one connection; transactions do not nest. */
function makeConnectionClient(line: Line): SqlClient {
  const client: SqlClient = {
    query: (statement) => run(line, statement),
    execute: async (text) => void (await line.connection.query(text)),
    inTransaction: (work) => work(client),
    inSnapshot: (work) => work(client),
  };
  return client;
}

async function run<Row>(
  { connection, address, sending }: Line,
  statement: Statement,
): Promise<readonly Row[]> {
  try {
    const { sql, values } = toNumbered(statement);
    return (await sending.send(connection, sql, values.length === 0 ? undefined : values)).rows as Row[];
  } catch (error) {
    throw explainPostgres(error, address);
  }
}

/** Strings from this length on are sent once, even if a statement uses them several times: a drawn area is long. */
const LONG_TEXT = 200;

/** Replaces question marks by PostgreSQL's numbered placeholders. */
export function toNumbered({ sql, values }: Statement): { readonly sql: string; readonly values: unknown[] } {
  const sent: unknown[] = [];
  const positions = new Map<string, number>();
  let next = 0;
  const text = sql.replaceAll('?', () => {
    const value = values[next];
    next += 1;
    const isLong = typeof value === 'string' && value.length >= LONG_TEXT;
    const known = isLong ? positions.get(value) : undefined;
    const position = known ?? sent.push(value);
    if (isLong) positions.set(value, position);
    return `$${position}`;
  });
  return { sql: text, values: sent };
}

/** True for a string with the character NUL, which PostgreSQL refuses in every statement. */
export const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0');
