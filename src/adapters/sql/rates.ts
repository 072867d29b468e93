import type { CountedRequest, RatedRequest } from '../../keys/index.ts';
import type { Clause } from './sql-clause.ts';
import { sql } from './sql-clause.ts';

/** In microseconds, as all times here, so that steps are whole numbers also at high rates. */
const WINDOW_US = 60_000_000;

/**
 * Tokens that come back later than this were taken before the clock was set back, or the machine started again: the bucket
 * is full. Twice the window, because on PostgreSQL the time of a request is read before it waits for the row: requests that
 * came later may have been counted first.
 */
const LONGEST_US = 2 * WINDOW_US;

/** How long a token takes to come back: rounded down, so that a minute's requests always fit into a minute. */
const toStepUs = (perMinute: number): number => Math.floor(WINDOW_US / perMinute);

/**
 * Counts a request: gives a row with when all tokens will be back (`full_in`), or none if there is no token. One statement,
 * so that of many at once each sees the one before it; a refused one writes nothing.
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

/** When all tokens will be back, for a request that was refused. */
export const toWaitStatement = ({ owner, name }: RatedRequest, nowUs: Clause): Clause =>
  sql`SELECT full_at - ${nowUs} AS full_in FROM rates WHERE owner = ${owner} AND name = ${name}`;

/** What both statements give; PostgreSQL's bigint comes as text. */
export interface RateRow {
  readonly full_in: number | string;
}

/** The answer of the first statement. */
export function toCounted(row: RateRow, { perMinute }: RatedRequest): CountedRequest {
  const fullInUs = Math.max(0, Number(row.full_in));
  return {
    isAllowed: true,
    remaining: Math.max(0, Math.floor((WINDOW_US - fullInUs) / toStepUs(perMinute))),
    fullInMs: fullInUs / 1000,
  };
}

/** The answer of the second one; without a row, the first statement would not have refused. */
export function toRefused(row: RateRow | undefined, { perMinute }: RatedRequest): CountedRequest {
  const waitUs = Number(row?.full_in ?? 0) - WINDOW_US + toStepUs(perMinute);
  // Meanwhile the token may be there already.
  return { isAllowed: false, waitMs: Math.max(1, waitUs / 1000) };
}
