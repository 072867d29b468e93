import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { makeOnce } from './made-once.ts';
import { runSwath } from './start-swath.ts';

// It starts `cp`, and the program whose sources it names.
// Reads: nothing more

/** The one scene of the small demo, and the folder of its files inside the data directory. */
export const DEMO_SCENE = {
  viewId: 'S2L2A/10/U/EU/2026/6/21/1',
  sceneId: 'S2B_tile_20260621_10UEU_1',
  dataset: 'sentinel2l2a',
  folder: 'demo/sentinel2-l2a-2026-06-21-1/S2B_10UEU_20260621_1_L2A',
} as const;

/** What the command says when the small demo is whole. */
export const DEMO_IS_READY = 'The demo world is ready: 1 scene.\n';

/**
 * A data directory with the scene and the terrain of the small demo, for the caller to use and remove. The scene is made once for all
 * tests by `swath demo --small` in an empty directory, and copied from then on: making it takes some seconds of both
 * cores, copying none.
 */
export async function makeDemoData(): Promise<string> {
  const [made = ''] = await makeOnce([{ name: 'small-demo', madeBy: 'src/main.ts', make: makeSmallDemo }]);
  const directory = mkdtempSync(join(tmpdir(), 'swath-demo-'));
  // With its times, to the nanosecond: files of other times would be taken for replaced ones.
  execFileSync('cp', ['-a', `${made}/.`, directory]);
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

/** What the catalog of a data directory has; read without the program, because starting it takes a second. */
export async function listScenes(dataDir: string): Promise<readonly string[]> {
  const store = openSqliteStore(dataDir);
  try {
    const viewIds: string[] = [];
    for await (const { viewId } of store.scenes.list()) viewIds.push(viewId);
    return viewIds;
  } finally {
    await store.close();
  }
}

/** The elevation models of a data directory, with the number of their files. */
export async function listDems(
  dataDir: string,
): Promise<readonly (readonly [name: string, files: number])[]> {
  const store = openSqliteStore(dataDir);
  try {
    return (await store.dems.list()).map(({ name, fileCount }) => [name, fileCount]);
  } finally {
    await store.close();
  }
}

async function makeSmallDemo(dataDir: string): Promise<void> {
  const { status, stdout, stderr } = await runSwath(['demo', '--small'], { SWATH_DATA: dataDir });
  assert.deepEqual([status, stdout, stderr], [0, DEMO_IS_READY, '']);
}
