import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { Client, escapeIdentifier } from 'pg';
import type { SwathError } from '../../../errors.ts';
import { badInput } from '../../errors.ts';

/** Settings of the connections to PostgreSQL. */
export interface PostgresOptions {
  /** The schema of Swath's tables; created if it is missing. */
  readonly schema?: string;
  /** Upper bound of this process's connections. */
  readonly poolSize?: number;
  /** Time limit of connecting; by default that of the address (`connect_timeout`), or two seconds. */
  readonly connectTimeoutMs?: number;
  /** Time after which the server cancels a statement. */
  readonly statementTimeoutMs?: number;
  /** Called for each failure of PostgreSQL. */
  readonly onFailure?: (error: SwathError) => void;
}

/** Everything needed to connect, and an address without the password for messages. */
export interface Connection {
  readonly config: PoolConfig;
  /** Time limit of connecting, and of a probe whether the server answers. */
  readonly connectTimeoutMs: number;
  readonly address: string;
  /** The role, quoted for SQL if necessary. */
  readonly role: string;
  readonly schema: string;
}

/** Parses a `postgres://` URL; its `sslmode` sets TLS, and its `connect_timeout` the seconds that connecting may take. The error does not repeat an invalid URL. */
export function parseConnection(url: string, options: PostgresOptions): Connection {
  const { schema = 'swath', poolSize = 10, statementTimeoutMs = 10_000 } = options;
  const connectTimeoutMs = options.connectTimeoutMs ?? readConnectTimeout(url) ?? CONNECT_MS;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw badInput('bad-settings', 'The schema for PostgreSQL must be a plain lower-case name.');
  }
  return {
    schema,
    connectTimeoutMs,
    address: toAddress(url),
    role: toRole(url),
    config: {
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // For a server that does not answer at all; otherwise its own timeout comes first.
      query_timeout: statementTimeoutMs + 2_000,
      keepAlive: true,
      application_name: 'swath',
      // PostGIS is mostly in public, at some providers in extensions. Our searches end before a plan is compiled or a
      // parallel worker has started, and concurrent searches use all cores anyway.
      options: `-c search_path=${schema},public,extensions -c jit=off -c max_parallel_workers_per_gather=0`,
    },
  };
}

/** Long enough for a server nearby; requests wait for it when there is none. */
const CONNECT_MS = 2_000;

/** `connect_timeout` as psql reads it, in seconds; zero, which means no limit there, counts as absent. */
function readConnectTimeout(url: string): number | null {
  const seconds = Number(/[?&]connect_timeout=(\d{1,4})(?:&|$)/.exec(url)?.[1] ?? 0);
  return seconds === 0 ? null : 1_000 * seconds;
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

/** The role that connects, as pg finds it: in the address, or the name of the system user. */
function toRole(connectionString: string): string {
  const name = new Client({ connectionString }).user ?? '';
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : escapeIdentifier(name);
}

/** Waits for work that a silent server may never answer, at most `ms`. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const ended = work.then(
    () => done.abort(),
    () => done.abort(),
  );
  await Promise.race([ended, sleep(ms, undefined, { signal: done.signal }).catch(() => {})]);
}
