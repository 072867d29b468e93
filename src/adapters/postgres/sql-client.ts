import type { Pool, PoolClient } from 'pg';
import { explainPostgres } from './explain-postgres.ts';

/** SQL and the values of its question marks; lists among them are arrays of PostgreSQL. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Asks PostgreSQL; errors come in words. */
export interface SqlClient {
  query<Row>(statement: Statement): Promise<readonly Row[]>;
  /** Runs work that is kept whole or not at all, on one connection. */
  inTransaction<Result>(work: (client: SqlClient) => Promise<Result>): Promise<Result>;
  /** Runs work that only reads, and sees one moment in all its statements. */
  inSnapshot<Result>(work: (client: SqlClient) => Promise<Result>): Promise<Result>;
}

/** A client over a pool of connections. */
export function makeSqlClient(pool: Pool, place: string): SqlClient {
  async function runBetween<Result>(
    begin: string,
    work: (client: SqlClient) => Promise<Result>,
  ): Promise<Result> {
    const connection = await pool.connect().catch((error: unknown) => {
      throw explainPostgres(error, place);
    });
    const client = makeConnectionClient(connection, place);
    let broken: unknown;
    try {
      await client.query({ sql: begin, values: [] });
      const result = await work(client);
      await client.query({ sql: 'COMMIT', values: [] });
      return result;
    } catch (error) {
      // A connection that cannot even roll back is closed, which makes the server do it.
      await connection.query('ROLLBACK').catch((problem: unknown) => {
        broken = problem;
      });
      throw error;
    } finally {
      connection.release(broken !== undefined);
    }
  }
  return {
    query: (statement) => run(pool, statement, place),
    inTransaction: (work) => runBetween('BEGIN', work),
    inSnapshot: (work) => runBetween('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
  };
}

/** A client over one connection; transactions do not nest. */
function makeConnectionClient(connection: PoolClient, place: string): SqlClient {
  const client: SqlClient = {
    query: (statement) => run(connection, statement, place),
    inTransaction: (work) => work(client),
    inSnapshot: (work) => work(client),
  };
  return client;
}

async function run<Row>(
  asked: Pool | PoolClient,
  statement: Statement,
  place: string,
): Promise<readonly Row[]> {
  try {
    const { sql, values } = toNumbered(statement);
    return (await asked.query(sql, values)).rows as Row[];
  } catch (error) {
    throw explainPostgres(error, place);
  }
}

/** Texts from this length on are sent once, however often a statement names them: a drawn area is long. */
const LONG_TEXT = 200;

/** PostgreSQL numbers its values where we write question marks. */
export function toNumbered({ sql, values }: Statement): { readonly sql: string; readonly values: unknown[] } {
  const sent: unknown[] = [];
  const places = new Map<string, number>();
  let next = 0;
  const text = sql.replaceAll('?', () => {
    const value = values[next];
    next += 1;
    const isLong = typeof value === 'string' && value.length >= LONG_TEXT;
    const known = isLong ? places.get(value) : undefined;
    const place = known ?? sent.push(value);
    if (isLong) places.set(value, place);
    return `$${place}`;
  });
  return { sql: text, values: sent };
}
