import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { runSwath, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { copyParts } from './shared-world.ts';

/** A real service over products of the demo world. */
export interface ServedProducts {
  readonly swath: RunningSwath;
  /** All that its catalog has. */
  readonly scenes: readonly Scene[];
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

interface ServeOptions {
  readonly parts: readonly DemoPart[];
  /** What is in it already is served too. Removed at the end. */
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Writes products into a data directory, takes them in as a user would, and serves them. */
export async function serveProducts({ parts, dataDir, env }: ServeOptions): Promise<ServedProducts> {
  await copyParts(parts, ({ key }) => join(dataDir, 'products', key));
  const taken = await runSwath(['ingest', 'folder', join(dataDir, 'products')], { SWATH_DATA: dataDir });
  assert.equal(taken.status, 0, taken.stderr);
  const scenes = await readScenes(dataDir);
  const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'warn', ...env } });
  const remove = async (): Promise<void> => {
    await swath.stop();
    rmSync(dataDir, { recursive: true });
  };
  try {
    await waitUntilReady(swath.url);
  } catch (error) {
    await remove();
    throw error;
  }
  return { swath, scenes, remove };
}

/** All scenes of a data directory. */
export async function readScenes(dataDir: string): Promise<readonly Scene[]> {
  const store = openSqliteStore(dataDir);
  try {
    const scenes: Scene[] = [];
    for await (const scene of store.scenes.list()) scenes.push(scene);
    return scenes;
  } finally {
    await store.close();
  }
}
