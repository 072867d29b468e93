import { openPostgresStore } from './adapters/postgres/index.ts';
import { openSqliteStore, prepareDirectory } from './adapters/sqlite/index.ts';
import type { AreaStore } from './areas/index.ts';
import type { SceneStore } from './catalog/index.ts';
import type { ColormapStore } from './colormaps/index.ts';
import type { Config } from './config.ts';
import type { KeyStore } from './keys/index.ts';
import type { ContrastStore, IntensityStore } from './render/index.ts';

/** Every port of the store, on whichever database is configured. */
export interface Store {
  readonly keys: KeyStore;
  readonly scenes: SceneStore;
  readonly contrasts: ContrastStore;
  readonly intensities: IntensityStore;
  readonly areas: AreaStore;
  readonly colormaps: ColormapStore;
  /** Throws or rejects when the database does not answer. */
  ping(): Promise<void> | void;
  close(): Promise<void>;
}

/** Opens PostgreSQL where an address is given, else the file in the data directory; makes what is missing. */
export async function openStore(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  onLost: (error: unknown) => void = () => {},
): Promise<Store> {
  prepareDirectory(dataDir);
  return databaseUrl === null ? openSqliteStore(dataDir) : openPostgresStore(databaseUrl, { onLost });
}
