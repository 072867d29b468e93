import type { DatabaseSync } from 'node:sqlite';
import type { CountedRequest, RatedRequest } from '../../../keys/index.ts';
import type { RateRow } from '../../sql/rates.ts';
import { toCounted, toCountStatement, toRefused, toWaitStatement } from '../../sql/rates.ts';
import type { Clause } from '../../sql/sql-clause.ts';
import { sql } from '../../sql/sql-clause.ts';
import { prepare } from '../database/queries.ts';
import { sharedNowMs } from './shared-clock.ts';

/**
 * Counts requests. The disk is not waited for: what a power cut forgets are requests of the last minute, and waiting would
 * make every poll cost a write to the disk. The next commit of anything that must be durable takes them along.
 */
export function makeRateOperations(database: DatabaseSync) {
  const first = ({ sql: text, values }: Clause): RateRow | undefined =>
    prepare<RateRow>(database, text).get(...values);

  function countWithoutSync(request: RatedRequest): RateRow | undefined {
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      return first(toCountStatement(request, nowUs()));
    } finally {
      database.exec('PRAGMA synchronous = FULL');
    }
  }

  return {
    count(request: RatedRequest): CountedRequest {
      const counted = countWithoutSync(request);
      if (counted !== undefined) return toCounted(counted, request);
      return toRefused(first(toWaitStatement(request, nowUs())), request);
    },
  };
}

const nowUs = (): Clause => sql`${1000 * sharedNowMs()}`;
