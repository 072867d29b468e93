import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { StoreUnderTest } from './store-contract.ts';
import { storeContract } from './store-contract.ts';

async function openIn(directory: string): Promise<StoreUnderTest> {
  const { keys, scenes, contrasts, intensities, areas, colormaps, close } = openSqliteStore(directory);
  return {
    keys,
    scenes,
    contrasts,
    intensities,
    areas,
    colormaps,
    async reopen() {
      await close();
      return openIn(directory);
    },
    async close() {
      await close();
      await rm(directory, { recursive: true });
    },
  };
}

storeContract('SQLite', async () => openIn(await mkdtemp(join(tmpdir(), 'swath-store-'))));
