import { lockDirectory, openSqliteStore, prepareDirectory } from '../adapters/sqlite/index.ts';
import type { Store } from '../adapters/store/index.ts';
import type { LockFolder } from '../cubes/index.ts';
import type { SwathError } from '../errors.ts';
import type { Config } from '../settings/index.ts';

/** How long recent answers stay in use while the database does not respond (docs/operate/health.md). */
export const OUTAGE_MS = 60_000;

/** Opens PostgreSQL if an address is configured, otherwise the SQLite file in the data directory; creates what is missing. */
export async function openStore(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  onFailure: (error: SwathError) => void = () => {},
): Promise<Store> {
  prepareDirectory(dataDir);
  if (databaseUrl === null) return openSqliteStore(dataDir, { onFailure });
  // Loaded when needed: the driver takes a tenth of the start of a command.
  const { openPostgresStore } = await import('../adapters/postgres/index.ts');
  return openPostgresStore(databaseUrl, { onFailure });
}

/** Keeps other processes out of a folder of the data directory, which is created if needed. */
export const lockFolder: LockFolder = (directory) => {
  prepareDirectory(directory);
  return lockDirectory(directory);
};
