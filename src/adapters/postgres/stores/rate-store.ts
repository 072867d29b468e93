import type { RateStore } from '../../../keys/index.ts';
import type { RateRow } from '../../sql/rates.ts';
import { toCounted, toCountStatement, toRefused, toWaitStatement } from '../../sql/rates.ts';
import { raw } from '../../sql/sql-clause.ts';
import type { SqlClient } from '../connection/sql-client.ts';

/** By the clock of the server, whichever node asks. `now()` would be the beginning of the transaction. */
const NOW_US = raw('(extract(epoch FROM clock_timestamp()) * 1000000)::bigint');

/** Rates in PostgreSQL. */
export const makePostgresRateStore = (client: SqlClient): RateStore => ({
  async count(request) {
    const [counted] = await client.query<RateRow>(toCountStatement(request, NOW_US));
    if (counted !== undefined) return toCounted(counted, request);
    const [row] = await client.query<RateRow>(toWaitStatement(request, NOW_US));
    return toRefused(row, request);
  },
});
