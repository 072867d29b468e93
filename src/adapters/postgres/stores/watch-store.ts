import { randomUUID } from 'node:crypto';
import type { WatchStore } from '../../../watch/index.ts';
import type { SqlProgram } from '../../sql/sql.ts';
import { runProgramLater } from '../../sql/sql.ts';
import { makeWatchStore, watchPrograms } from '../../sql/watch-programs.ts';
import type { SqlClient } from '../connection/sql-client.ts';
import { lockSubscriptionsOf } from './write-locks.ts';

/** Subscriptions in PostgreSQL. */
export function makePostgresWatchStore(client: SqlClient): WatchStore {
  const start = (name: keyof typeof watchPrograms, args: readonly unknown[]): SqlProgram<unknown> =>
    (watchPrograms[name] as unknown as (...args: readonly unknown[]) => SqlProgram<unknown>)(...args);
  const store = makeWatchStore(
    {
      read: async (name, ...args) => (await runProgramLater(start(name, args), client.query)) as never,
      write: async (name, ...args) =>
        (await client.inTransaction(({ query }) => runProgramLater(start(name, args), query))) as never,
    },
    randomUUID,
  );
  return {
    ...store,
    put: (subscription, maxPerOwner) =>
      client.inTransaction(async (held) => {
        // Writers of one owner take turns, so that none counts while another adds.
        await lockSubscriptionsOf(held, subscription.owner);
        return runProgramLater(watchPrograms.put(subscription, maxPerOwner), held.query);
      }),
  };
}
