import type { CountedRequest, RatedRequest } from '../../keys/index.ts';
import type { Clause } from './sql.ts';
import { sql } from './sql.ts';

/** All times here are in microseconds, so that steps are whole numbers at high rates too. */
const WINDOW_US = 60_000_000;

/**
 * If tokens would refill later than this, the clock was set back or the machine restarted: the bucket counts as full. Twice
 * the window, because PostgreSQL reads the time of a request before it waits for the row: later requests may have been
 * counted first.
 */
const LONGEST_US = 2 * WINDOW_US;

/** The time to refill one token, rounded down, so that a minute's requests always fit into a minute. */
const toStepUs = (perMinute: number): number => Math.floor(WINDOW_US / perMinute);

/**
 * Counts a request: returns a row with the time until all tokens are refilled (`full_in`), or no row if no token is left.
 * A single statement, so that concurrent requests see each other; a refused request writes nothing.
 */
export function toCountStatement({ owner, name, perMinute }: RatedRequest, nowUs: Clause): Clause {
  const stepUs = toStepUs(perMinute);
  const now = sql`(excluded.full_at - ${stepUs})`;
  const isFull = sql`rates.full_at < ${now} OR rates.full_at > ${now} + ${LONGEST_US}`;
  return sql`INSERT INTO rates (owner, name, full_at) VALUES (${owner}, ${name}, ${nowUs} + ${stepUs})
    ON CONFLICT (owner, name) DO UPDATE
      SET full_at = CASE WHEN ${isFull} THEN excluded.full_at ELSE rates.full_at + ${stepUs} END
      WHERE ${isFull} OR rates.full_at <= ${now} + ${WINDOW_US - stepUs}
    RETURNING full_at - ${nowUs} AS full_in`;
}

/** The time until all tokens are refilled, for a refused request. */
export const toWaitStatement = ({ owner, name }: RatedRequest, nowUs: Clause): Clause =>
  sql`SELECT full_at - ${nowUs} AS full_in FROM rates WHERE owner = ${owner} AND name = ${name}`;

/** The row of both statements; PostgreSQL returns bigint as a string. */
export interface RateRow {
  readonly full_in: number | string;
}

/** The result of the first statement. */
export function toCounted(row: RateRow, { perMinute }: RatedRequest): CountedRequest {
  const fullInUs = Math.max(0, Number(row.full_in));
  return {
    isAllowed: true,
    remaining: Math.max(0, Math.floor((WINDOW_US - fullInUs) / toStepUs(perMinute))),
    fullInMs: fullInUs / 1000,
  };
}

/** The result of the second statement; without a row the first one would not have refused. */
export function toRefused(row: RateRow | undefined, { perMinute }: RatedRequest): CountedRequest {
  const waitUs = Number(row?.full_in ?? 0) - WINDOW_US + toStepUs(perMinute);
  // The token may have been refilled meanwhile.
  return { isAllowed: false, waitMs: Math.max(1, waitUs / 1000) };
}
