import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../src/adapters/sqlite/index.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { startSwath } from '../../support/start-swath.ts';
import type { FaultyStore } from './faulty-store.ts';
import { startFaultyStore } from './faulty-store.ts';
import { SIDE, toImageScene, writeSources, writeTiff } from './served-scenes.ts';

/** A service whose scenes are one image: on this machine, and in a store that can be told how to behave. */
export interface ImageService extends AsyncDisposable {
  readonly swath: RunningSwath;
  readonly store: FaultyStore;
  readonly dataDir: string;
}

interface ImageServiceOptions {
  /** The scene of this day lies on this machine; those of all other days, as many as there are, in the store. */
  readonly localDay: number;
  readonly days: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts both. */
export async function startImageService({ localDay, days, env }: ImageServiceOptions): Promise<ImageService> {
  const root = mkdtempSync(join(tmpdir(), 'swath-image-service-'));
  const dataDir = join(root, 'data');
  mkdirSync(join(dataDir, 'scenes'), { recursive: true });
  const path = join(dataDir, 'scenes/image.tif');
  await writeTiff(
    path,
    new Uint16Array(SIDE * SIDE).map((_, i) => 1 + (i % 3_000)),
  );
  const store = await startFaultyStore(readFileSync(path));
  const catalog = openSqliteStore(dataDir);
  for (let day = 1; day <= days; day += 1) {
    // A file for each band and day, so that no scene has the blocks of another.
    const toHref =
      day === localDay ? () => 'scenes/image.tif' : (band: string) => `${store.url}?${day}-${band}`;
    await catalog.scenes.put(toImageScene(day, toHref));
  }
  await catalog.close();
  const sources = join(root, 'sources.json');
  writeSources(sources, [store]);
  const swath = await startSwath({
    dataDir,
    env: { SWATH_SOURCES: sources, SWATH_PREFETCH: 'off', ...env },
  });
  return {
    swath,
    store,
    dataDir,
    async [Symbol.asyncDispose]() {
      await swath.stop('SIGKILL');
      await store[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
