import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startSwath, waitUntilReady } from './start-swath.ts';

const CACHE = 'node_modules/.cache';

/** Any change of a source makes the data anew, so that no test ever sees yesterday's. */
function hashSources(): string {
  const hash = createHash('sha256');
  const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  for (const file of sources.sort()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** The one scene of the small demo, and the folder of its files inside the data directory. */
export const DEMO_SCENE = {
  viewId: 'S2L2A/10/U/EU/2026/6/21/1',
  sceneId: 'S2B_tile_20260621_10UEU_1',
  dataset: 'sentinel2l2a',
  folder: 'demo/sentinel2-l2a-2026-06-21-1/S2B_10UEU_20260621_1_L2A',
} as const;

/**
 * A data directory with the scene of the small demo, for the caller to use and remove. The scene is made once for all
 * tests by a real first start, and copied from then on: making it takes some seconds, copying none.
 */
export async function makeDemoData(): Promise<string> {
  const kept = join(CACHE, `swath-demo-${hashSources()}`);
  if (!existsSync(kept)) await fillCache(kept);
  const directory = mkdtempSync(join(tmpdir(), 'swath-demo-'));
  cpSync(kept, directory, { recursive: true });
  return directory;
}

/** Every file of the demo by its path inside the data directory, unfinished ones too; the lock is not a part of it. */
export function listDemoFiles(dataDir: string): readonly string[] {
  const folder = join(dataDir, 'demo');
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^server\.(lock|pid)/.test(entry.name))
      .map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)))
      .sort();
  } catch (error) {
    // A part got its final name while its folder was read: look again.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return listDemoFiles(dataDir);
    throw error;
  }
}

async function fillCache(kept: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  for (const old of globSync(`${CACHE}/swath-demo-*`)) rmSync(old, { recursive: true, force: true });
  const fresh = mkdtempSync(join(CACHE, 'swath-fresh-'));
  const swath = await startSwath({ dataDir: fresh, env: { SWATH_DEMO: 'small', SWATH_LOG: 'warn' } });
  await waitUntilReady(swath.url);
  await swath.stop();
  try {
    renameSync(fresh, kept);
  } catch (error) {
    // Another test file was faster; its data are as good as ours.
    if (!existsSync(kept)) throw error;
    rmSync(fresh, { recursive: true });
  }
}
