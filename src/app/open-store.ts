import { openPostgresStore } from '../adapters/postgres/index.ts';
import { openSqliteStore, prepareDirectory } from '../adapters/sqlite/index.ts';
import type { AreaStore } from '../areas/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import type { ColormapStore } from '../colormaps/index.ts';
import type { SwathError } from '../errors.ts';
import type { KeyStore } from '../keys/index.ts';
import type { ContrastStore, IntensityStore } from '../render/index.ts';
import type { Config } from './config.ts';

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
  /** Rejects when nothing can be written; `thoroughly` tries it, otherwise it is only looked at. */
  checkWrites(options: { readonly thoroughly: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** Opens PostgreSQL where an address is given, else the file in the data directory; makes what is missing. */
export async function openStore(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  onTrouble: (error: SwathError) => void = () => {},
): Promise<Store> {
  prepareDirectory(dataDir);
  return databaseUrl === null
    ? openSqliteStore(dataDir, { onTrouble })
    : openPostgresStore(databaseUrl, { onTrouble });
}
