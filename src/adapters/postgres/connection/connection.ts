import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { Client, escapeIdentifier } from 'pg';
import type { SwathError } from '../../../errors.ts';
import { badInput } from '../../errors.ts';

/** Settings of the connections to PostgreSQL. */
export interface PostgresOptions {
  /** The schema that holds Swath's tables; made when missing. */
  readonly schema?: string;
  /** Max connections of this process. */
  readonly poolSize?: number;
  readonly connectTimeoutMs?: number;
  /** After this time the server cancels a statement. */
  readonly statementTimeoutMs?: number;
  /** Called each time PostgreSQL could not do its work. */
  readonly onFailure?: (error: SwathError) => void;
}

/** All that is needed to connect, and an address to show, which holds no password. */
export interface Connection {
  readonly config: PoolConfig;
  readonly address: string;
  /** As SQL names it. */
  readonly role: string;
  readonly schema: string;
}

/** Reads a `postgres://` URL; TLS is set in it by `sslmode`. A URL that cannot be parsed is not repeated in the error. */
export function parseConnection(url: string, options: PostgresOptions): Connection {
  const { schema = 'swath', poolSize = 10, connectTimeoutMs = 2_000, statementTimeoutMs = 10_000 } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw badInput('bad-settings', 'The schema for PostgreSQL must be a plain lower-case name.');
  }
  return {
    schema,
    address: toAddress(url),
    role: toRole(url),
    config: {
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // For a server that no longer answers at all; otherwise its own timeout comes first.
      query_timeout: statementTimeoutMs + 2_000,
      keepAlive: true,
      application_name: 'swath',
      // PostGIS is mostly in public, at some providers in extensions. Our searches are over before a plan is compiled
      // or a helper process has started, and many at once use all cores anyway.
      options: `-c search_path=${schema},public,extensions -c jit=off -c max_parallel_workers_per_gather=0`,
    },
  };
}

function toAddress(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw badInput(
      'bad-settings',
      'The address of PostgreSQL must look like postgres://user:password@host:5432/database.',
    );
  }
  const { host, pathname, searchParams } = new URL(url);
  return `${host || (searchParams.get('host') ?? 'localhost')}${pathname}`;
}

/** The role that connects, as pg finds it: in the address, or by the name of the system's user. */
function toRole(connectionString: string): string {
  const name = new Client({ connectionString }).user ?? '';
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : escapeIdentifier(name);
}

/** Waits for work that a server may have left unanswered, but not longer than this: a silent one does not say goodbye. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const ended = work.then(
    () => done.abort(),
    () => done.abort(),
  );
  await Promise.race([ended, sleep(ms, undefined, { signal: done.signal }).catch(() => {})]);
}
