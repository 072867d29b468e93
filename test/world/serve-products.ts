import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { makeJp2Encoder } from '../../src/formats/index.ts';
import { makeClimate } from '../../src/world/climate.ts';
import type { DemoPart } from '../../src/world/demo/demo-part.ts';
import { writePart } from '../../src/world/demo/write-part.ts';
import { makeGround } from '../../src/world/ground/index.ts';
import { WORLD_SEED } from '../../src/world/world.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { runSwath, startSwath, waitUntilReady } from '../support/start-swath.ts';

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
  const climate = makeClimate(WORLD_SEED);
  const world = { climate, ground: makeGround({ seed: WORLD_SEED, climate }) };
  const jp2Encoder = makeJp2Encoder();
  for (const part of parts) {
    const directory = join(dataDir, 'products', part.key);
    mkdirSync(directory, { recursive: true });
    await writePart(part, { world, directory, jp2Encoder });
  }
  const taken = await runSwath(['ingest', 'folder', join(dataDir, 'products')], { SWATH_DATA: dataDir });
  assert.equal(taken.status, 0, taken.stderr);
  const scenes = await readScenes(dataDir);
  const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'warn', ...env } });
  await waitUntilReady(swath.url);
  const remove = async (): Promise<void> => {
    await swath.stop();
    rmSync(dataDir, { recursive: true });
  };
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
