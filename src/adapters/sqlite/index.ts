import { join } from 'node:path';
import { noNews, unheard } from '../../async/index.ts';
import type { SwathError } from '../../errors.ts';
import { isUnavailable } from '../../errors.ts';
import { makeDatasetTextStore } from '../sql/dataset-text-store.ts';
import { makePersonStore, makeSessionStore } from '../sql/people-stores.ts';
import { makeSyncNoteStore } from '../sql/sync-note-store.ts';
import type { Store } from '../store/store.ts';
import { makeLookups } from './connection.ts';
import { checkDisk } from './data-directory.ts';
import { explainSqlite } from './explain-sqlite.ts';
import { makeShortSearch } from './scenes/short-search.ts';
import { inspectDatabase, openDatabase } from './schema/migrate.ts';
import { makeSqliteDemStore } from './stores/dem-store.ts';
import { makeSqliteFieldStore } from './stores/field-store.ts';
import {
  makeSqliteKeyStore,
  makeSqliteRateStore,
  makeSqliteRotationStore,
  makeSqliteSecretStore,
  makeSqliteStatements,
  makeSqliteUsageStore,
} from './stores/key-stores.ts';
import {
  makeSqliteAreaStore,
  makeSqliteColormapStore,
  makeSqliteRecipeStore,
} from './stores/library-stores.ts';
import {
  makeSqliteContrastStore,
  makeSqliteCoverageStore,
  makeSqliteIntensityStore,
  makeSqliteKnownSceneStore,
  makeSqliteSceneStatisticsStore,
  makeSqliteSceneStore,
} from './stores/scene-stores.ts';
import {
  makeSqliteCallbackStore,
  makeSqliteResultPlaceStore,
  makeSqliteTaskStore,
} from './stores/task-store.ts';
import { makeSqliteWatchStore } from './stores/watch-store.ts';
import { makeDatabaseThread, shareAmong } from './threads/database-threads.ts';

export { lockDirectory, prepareDirectory } from './data-directory.ts';

interface SqliteOptions {
  /** Called for each failure of the database. */
  readonly onFailure?: (error: SwathError) => void;
}

const CHECK_WRITES =
  'INSERT INTO write_checks VALUES (1, 1) ON CONFLICT (number) DO UPDATE SET count = count + 1';

/** Search threads: one runs short searches while the other is busy with a long one. */
const READERS = 2;

/**
 * Opens the store of a data directory. Several processes may open it; `lockDirectory` is for servers. Look-ups run on the
 * calling thread. One thread does all writes, in order, and others do the searches, each with its own connection; a
 * thread starts when it is first needed.
 */
export function openSqliteStore(directory: string, { onFailure = () => {} }: SqliteOptions = {}): Store {
  const path = join(directory, 'swath.db');
  const database = openDatabase(path);
  const report = <Thrown>(error: Thrown): Thrown => {
    if (isUnavailable(error)) onFailure(error);
    return error;
  };
  const explain = (error: unknown): unknown => report(explainSqlite(error, path));
  const lookups = makeLookups(database, explain);
  const findShort = makeShortSearch(database, explain);
  const writer = makeDatabaseThread(path, report);
  const readers = Array.from({ length: READERS }, () => makeDatabaseThread(path, report));
  const read = shareAmong(readers);
  const dueListeners = new Set<() => void>();
  const statements = makeSqliteStatements(lookups, writer.ask);
  const ping = lookups.prepare('SELECT count(*) FROM sqlite_schema');
  return {
    keys: makeSqliteKeyStore(lookups, writer.ask),
    secrets: makeSqliteSecretStore(lookups, writer.ask),
    rotations: makeSqliteRotationStore(lookups, writer.ask),
    rates: makeSqliteRateStore(writer.ask),
    datasetTexts: makeDatasetTextStore(statements),
    people: makePersonStore(statements),
    sessions: makeSessionStore(statements),
    syncNotes: makeSyncNoteStore(statements),
    usage: makeSqliteUsageStore(read, writer.ask),
    scenes: makeSqliteSceneStore({ database: lookups, read, write: writer.ask }, findShort),
    knownScenes: makeSqliteKnownSceneStore({ database: lookups, read, write: writer.ask }),
    contrasts: makeSqliteContrastStore(lookups, writer.ask),
    intensities: makeSqliteIntensityStore(lookups, writer.ask),
    statistics: makeSqliteSceneStatisticsStore(lookups, writer.ask),
    coverage: makeSqliteCoverageStore({ database: lookups, read, write: writer.ask }),
    areas: makeSqliteAreaStore(lookups, writer.ask),
    colormaps: makeSqliteColormapStore(lookups, writer.ask),
    recipes: makeSqliteRecipeStore(lookups, writer.ask),
    fields: makeSqliteFieldStore({ database: lookups, read, write: writer.ask }),
    dems: makeSqliteDemStore({ database: lookups, read, write: writer.ask }),
    tasks: makeSqliteTaskStore(lookups, writer.ask, dueListeners),
    callbacks: makeSqliteCallbackStore(lookups, writer.ask, dueListeners),
    resultPlaces: makeSqliteResultPlaceStore(lookups, writer.ask),
    watches: makeSqliteWatchStore(read, writer.ask),
    // One server has the data directory for itself (`lockDirectory`).
    tryLock: async () => ({ release: async () => {} }),
    changes: () => unheard,
    countNews: noNews,
    ping: async () => void ping.get(),
    async checkWrites({ thoroughly }) {
      if (thoroughly) await writer.ask('run', CHECK_WRITES, []);
      else await checkDisk(directory, path);
    },
    async close() {
      await Promise.all([writer, ...readers].map((thread) => thread.close()));
      database.close();
    },
  };
}

/** Inspects a store without changing anything, not even its schema version. */
export const inspectSqliteStore = (directory: string) => inspectDatabase(join(directory, 'swath.db'));
