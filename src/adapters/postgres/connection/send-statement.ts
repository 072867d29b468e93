import { hash } from 'node:crypto';
import type { PoolClient, QueryResult } from 'pg';
import { makeLru } from '../../../lru.ts';

/** How statements are sent over a connection. */
export interface Sending {
  readonly begin: string;
  /** Without values it may be several statements. */
  send(connection: PoolClient, text: string, values?: unknown[]): Promise<QueryResult>;
}

/** Every statement is parsed and planned for its values: right for searches, which differ each time. */
export const sendOnce: Sending = {
  begin: 'BEGIN',
  send: (connection, text, values) => connection.query(text, values),
};

/**
 * Plans are made again after this time. They are made for tables as large as they are at that moment; a queue that is
 * empty now may hold hundreds of tasks some seconds later.
 */
const PLANS_MS = 5_000;

const plannedMs = new WeakMap<PoolClient, number>();

/**
 * Statements are prepared, under a name, and planned every few seconds on each connection: right for a few that are sent again and
 * again and find rows by their keys. Planning them takes longer than running them.
 */
export const sendPrepared: Sending = {
  // Otherwise PostgreSQL plans again whenever it hopes for a better plan for the values, as for each list of ids.
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

/** PostgreSQL takes 63 bytes of a name. */
const toName = (text: string): string => names.remember(text, () => hash('sha256', text, 'base64url'));
