import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSwath, waitUntilReady } from './start-swath.ts';

const CACHE = 'node_modules/.cache';

/** Any change of a source makes the data anew, so that no test ever sees yesterday's. */
function hashSources(): string {
  const hash = createHash('sha256');
  const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  for (const file of sources.sort()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/**
 * A data directory with the demo scene, for the caller to use and remove. The scene is made once for all tests by a
 * real first start, and copied from then on: making it takes ten seconds, copying none.
 */
export async function makeDemoData(): Promise<string> {
  const kept = join(CACHE, `swath-demo-${hashSources()}`);
  if (!existsSync(kept)) await fillCache(kept);
  const directory = mkdtempSync(join(tmpdir(), 'swath-demo-'));
  cpSync(kept, directory, { recursive: true });
  return directory;
}

async function fillCache(kept: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  for (const old of globSync(`${CACHE}/swath-demo-*`)) rmSync(old, { recursive: true, force: true });
  const fresh = mkdtempSync(join(CACHE, 'swath-fresh-'));
  const swath = await startSwath({ dataDir: fresh, env: { SWATH_DEMO: 'on', SWATH_LOG: 'warn' } });
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
