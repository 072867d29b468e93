import { makeDatasetTextStore } from '../sql/dataset-text-store.ts';
import { makePersonStore, makeSessionStore } from '../sql/people-stores.ts';
import { raw } from '../sql/sql.ts';
import { makeSyncNoteStore } from '../sql/sync-note-store.ts';
import type { Store } from '../store/store.ts';
import type { PostgresOptions } from './connection/connection.ts';
import { parseConnection } from './connection/connection.ts';
import { explainPostgres } from './connection/explain-postgres.ts';
import { makeChangeReports, makeListener, toChangesChannel } from './connection/listener.ts';
import type { SqlClient } from './connection/sql-client.ts';
import { makeSqlClient, sendPrepared } from './connection/sql-client.ts';
import { makeWatchedPool } from './connection/watched-pool.ts';
import { migrate } from './schema/migrate.ts';
import { makeCountNews, toCountsChannel } from './stores/count-news.ts';
import { makePostgresDemStore } from './stores/dem-store.ts';
import { makePostgresFieldStore } from './stores/field-store.ts';
import {
  makePostgresKeyStore,
  makePostgresRateStore,
  makePostgresRotationStore,
  makePostgresSecretStore,
  makePostgresStatements,
  makePostgresUsageStore,
} from './stores/key-stores.ts';
import { makePostgresKnownSceneStore } from './stores/known-scene-store.ts';
import {
  makePostgresAreaStore,
  makePostgresColormapStore,
  makePostgresRecipeStore,
} from './stores/library-stores.ts';
import {
  makePostgresContrastStore,
  makePostgresCoverageStore,
  makePostgresIntensityStore,
  makePostgresSceneStatisticsStore,
} from './stores/measurement-stores.ts';
import { makePostgresSceneStore } from './stores/scene-store.ts';
import { makeTaskEvents, toTasksChannel } from './stores/task-queue.ts';
import {
  makePostgresCallbackStore,
  makePostgresResultPlaceStore,
  makePostgresTaskStore,
} from './stores/task-store.ts';
import { makeTryLock } from './stores/try-lock.ts';
import { makePostgresWatchStore } from './stores/watch-store.ts';

export { inspectPostgresStore } from './schema/migrate.ts';

/** Connects to PostgreSQL and migrates the database to the newest schema version; its errors say what to do. */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const connection = parseConnection(url, options);
  await migrate(connection);
  const pool = makeWatchedPool({ connection, onFailure: options.onFailure ?? (() => {}) });
  const client = makeSqlClient(pool.use, connection.address);
  const { schema } = connection;
  const channels = {
    tasks: toTasksChannel(schema),
    changes: toChangesChannel(schema),
    counts: toCountsChannel(schema),
  };
  const listener = makeListener(connection, Object.values(channels));
  const events = makeTaskEvents(listener, channels.tasks);
  const statements = makePostgresStatements(client);
  // Hundreds of task statements run per second: each is planned once.
  const prepared = makeSqlClient(pool.use, connection.address, sendPrepared);
  return {
    keys: makePostgresKeyStore(client),
    secrets: makePostgresSecretStore(client),
    rotations: makePostgresRotationStore(client),
    rates: makePostgresRateStore(client),
    datasetTexts: makeDatasetTextStore(statements),
    people: makePersonStore(statements),
    sessions: makeSessionStore(statements),
    syncNotes: makeSyncNoteStore(statements),
    usage: makePostgresUsageStore(client),
    scenes: makePostgresSceneStore(client),
    knownScenes: makePostgresKnownSceneStore(client),
    contrasts: makePostgresContrastStore(client),
    intensities: makePostgresIntensityStore(client),
    statistics: makePostgresSceneStatisticsStore(client),
    coverage: makePostgresCoverageStore(client),
    areas: makePostgresAreaStore(client),
    colormaps: makePostgresColormapStore(client),
    recipes: makePostgresRecipeStore(client),
    fields: makePostgresFieldStore(client),
    dems: makePostgresDemStore(client),
    callbacks: makePostgresCallbackStore({ client: prepared, events }),
    resultPlaces: makePostgresResultPlaceStore(client),
    tasks: makePostgresTaskStore({ client: prepared, events }),
    watches: makePostgresWatchStore(client),
    tryLock: makeTryLock(connection),
    changes: makeChangeReports(listener, channels.changes),
    countNews: makeCountNews({ client, listener, channel: channels.counts }),
    ping: async () => void (await client.query(raw('SELECT 1'))),
    async checkWrites({ thoroughly }) {
      if (thoroughly) await client.query(raw(CHECK_WRITES));
      else await refuseReadOnly(client, connection.address);
    },
    async close() {
      await listener.close();
      await pool.close();
    },
  };
}

/** Changes a row that exists only for this check. */
const CHECK_WRITES =
  'INSERT INTO write_checks VALUES (1, 1) ON CONFLICT (number) DO UPDATE SET count = write_checks.count + 1';

/** PostgreSQL's code for a statement that a read-only transaction refuses. */
const READ_ONLY = '25006';

/** Rejects when PostgreSQL is read-only, as a standby is; writes nothing. */
async function refuseReadOnly(client: SqlClient, address: string): Promise<void> {
  const [row] = await client.query<{ transaction_read_only: string }>(raw('SHOW transaction_read_only'));
  if (row?.transaction_read_only !== 'on') return;
  throw explainPostgres(
    Object.assign(new Error('transaction_read_only is on'), { code: READ_ONLY }),
    address,
  );
}
