import { raw } from '../sql-clause.ts';
import type { Store } from '../store/store.ts';
import { makePostgresAreaStore } from './area-store.ts';
import { makePostgresColormapStore } from './colormap-store.ts';
import type { PostgresOptions } from './connection.ts';
import { parseConnection } from './connection.ts';
import { makePostgresContrastStore } from './contrast-store.ts';
import { makePostgresIntensityStore } from './intensity-store.ts';
import { makePostgresKeyStore } from './key-store.ts';
import { migrate } from './migrate.ts';
import { makePostgresSceneStore } from './scene-store.ts';
import { makeSqlClient } from './sql-client.ts';
import { makeWatchedPool } from './watched-pool.ts';
import { CHECK_WRITES, refuseReadOnly } from './write-check.ts';

export { inspectPostgresStore } from './inspect.ts';

/** Connects to PostgreSQL and brings the database to the newest shape; rejects with a sentence that says what to do. */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const connection = parseConnection(url, options);
  await migrate(connection);
  const pool = makeWatchedPool({ connection, onFailure: options.onFailure ?? (() => {}) });
  const client = makeSqlClient(pool.use, connection.place);
  return {
    keys: makePostgresKeyStore(client),
    scenes: makePostgresSceneStore(client),
    contrasts: makePostgresContrastStore(client),
    intensities: makePostgresIntensityStore(client),
    areas: makePostgresAreaStore(client),
    colormaps: makePostgresColormapStore(client),
    ping: async () => void (await client.query(raw('SELECT 1'))),
    async checkWrites({ thoroughly }) {
      if (thoroughly) await client.query(raw(CHECK_WRITES));
      else await refuseReadOnly(client, connection.place);
    },
    close: () => pool.close(),
  };
}
