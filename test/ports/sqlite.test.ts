import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { emptyStore, isStoreEmpty } from '../../src/adapters/sqlite/testing/test-store.ts';
import type { Store } from '../../src/adapters/store/index.ts';
import { knownSceneNodesContract } from './known-scene-store-contract.ts';
import type { StoreUnderTest } from './store-contract.ts';
import { storeContract } from './store-contract.ts';

interface OpenedStore {
  readonly directory: string;
  readonly store: Store;
}

/** Emptied for the next test: starting the threads of a new store would take most of the time of these tests. */
let idle: OpenedStore | null = null;
after(async () => {
  if (idle !== null) await remove(idle);
});

async function remove({ directory, store }: OpenedStore): Promise<void> {
  await store.close();
  await rm(directory, { recursive: true });
}

function toTested({ directory, store }: OpenedStore): StoreUnderTest {
  return {
    ...store,
    async reopen() {
      await store.close();
      return toTested({ directory, store: openSqliteStore(directory) });
    },
    async close() {
      if (idle !== null) return remove({ directory, store });
      emptyStore(directory);
      idle = { directory, store };
    },
  };
}

storeContract('SQLite', async () => {
  const emptied = idle;
  idle = null;
  if (emptied !== null) return toTested(emptied);
  const directory = await mkdtemp(join(tmpdir(), 'swath-store-'));
  const store = openSqliteStore(directory);
  assert.ok(isStoreEmpty(directory), 'a new store has rows: an emptied one is not as good as new');
  return toTested({ directory, store });
});

knownSceneNodesContract('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'swath-store-'));
  const nodes = [openSqliteStore(directory), openSqliteStore(directory)] as const;
  return {
    nodes,
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await rm(directory, { recursive: true });
    },
  };
});
