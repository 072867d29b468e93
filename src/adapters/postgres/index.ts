import type { AreaStore } from '../../areas/index.ts';
import type { SceneStore } from '../../catalog/index.ts';
import type { ColormapStore } from '../../colormaps/index.ts';
import type { KeyStore } from '../../keys/index.ts';
import type { ContrastStore, IntensityStore } from '../../render/index.ts';
import { raw } from '../sql-clause.ts';
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

/** The shared store: every port on one PostgreSQL database with PostGIS, for any number of nodes. */
export interface PostgresStore {
  readonly keys: KeyStore;
  readonly scenes: SceneStore;
  readonly contrasts: ContrastStore;
  readonly intensities: IntensityStore;
  readonly areas: AreaStore;
  readonly colormaps: ColormapStore;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Rejects when nothing can be written; `thoroughly` tries it, otherwise PostgreSQL is asked whether it would. */
  checkWrites(options: { readonly thoroughly: boolean }): Promise<void>;
  /** Resolves when every connection is closed. */
  close(): Promise<void>;
}

/** Connects to PostgreSQL and brings the database to the newest shape; rejects with a sentence that says what to do. */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<PostgresStore> {
  const connection = parseConnection(url, options);
  await migrate(connection);
  const pool = makeWatchedPool({ connection, onTrouble: options.onTrouble ?? (() => {}) });
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
