/** kill -9 in the middle of an ingest: the catalog is whole, and a second run completes it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import type { Scene } from '../../src/catalog/index.ts';
import { toScene } from '../../src/catalog/index.ts';
import { toLandsatOdl } from '../../src/ingest/families/testing/landsat-text.ts';
import type { TestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { makeTestFolder } from '../../src/ingest/folder/testing/make-folder.ts';
import { SCENE } from '../../src/ingest/folder/testing/products.ts';
import { runSwath } from '../support/start-swath.ts';

/** Records are put fifty at a time: three commits, between which a run can be cut off. */
const PRODUCTS = 130;
/** The next batch comes about so long after a quarter of the products. */
const LATEST_MS = 100;
const BIN = fileURLToPath(new URL('../../bin/swath.js', import.meta.url));
const FLAGS = ['--disallow-code-generation-from-strings', '--disable-proto=delete'];

const root = mkdtempSync(join(tmpdir(), 'swath-kill-ingest-'));
let folder: TestFolder;
before(async () => {
  folder = await makeTestFolder();
  for (let i = 0; i < PRODUCTS; i += 1) {
    const pathRow = `016${String(i + 1).padStart(3, '0')}`;
    const productId = `LC08_L1TP_${pathRow}_20170813_20170814_01_RT`;
    const odl = toLandsatOdl({ sceneId: `LC8${pathRow}2017225LGN00`, productId, collection: 1 });
    await folder.write(`${productId}/${productId}_MTL.txt`, odl);
    await folder.writeImage(`${productId}/${productId}_B4.TIF`, { ...SCENE, nodata: 0 });
  }
});
after(async () => {
  await folder.remove();
  rmSync(root, { recursive: true, force: true });
});

const toEnv = (dataDir: string) => ({ SWATH_DATA: dataDir, SWATH_SOURCES: folder.root });

/** Every record of a catalog: each must be whole, which its version proves. */
async function readCatalog(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const store = openSqliteStore(dataDir);
  try {
    const versions = new Map<string, string>();
    for await (const scene of store.scenes.list()) {
      const { version, ...record }: Scene = scene;
      assert.equal(toScene(record).version, version, scene.viewId);
      versions.set(scene.viewId, version);
    }
    assert.equal(await store.scenes.count(), versions.size);
    return versions;
  } finally {
    await store.close();
  }
}

/** Starts an ingest and kills it some moments after it has printed a word; true when it was killed in time. */
async function ingestUntil(dataDir: string, word: string): Promise<boolean> {
  const child = spawn(process.execPath, [...FLAGS, BIN, 'ingest', 'folder', folder.root], {
    env: { ...process.env, ...toEnv(dataDir) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  );
  let text = '';
  const seen = new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes(word)) resolve();
    }),
  );
  await Promise.race([seen, ended]);
  await sleep(LATEST_MS * Math.random());
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

test('kill -9 at random moments of an ingest leaves a whole catalog, which another run completes', {
  timeout: 600_000,
}, async (t) => {
  const whole = join(root, 'whole');
  assert.equal((await runSwath(['ingest', 'folder', folder.root], toEnv(whole))).status, 0);
  const expected = await readCatalog(whole);
  assert.equal(expected.size, PRODUCTS);

  const dataDir = join(root, 'killed');
  let kills = 0;
  const sizes: number[] = [];
  // One catalog for all of them: each run goes on where the last was cut off.
  for (const word of ['Ingesting 25 %', 'Ingesting 50 %', 'Ingesting 75 %']) {
    if (await ingestUntil(dataDir, word)) kills += 1;
    const doctor = await runSwath(['doctor'], toEnv(dataDir));
    assert.equal(doctor.status, 0, doctor.stdout);
    const found = await readCatalog(dataDir);
    for (const [viewId, version] of found) assert.equal(version, expected.get(viewId), viewId);
    assert.ok(found.size >= (sizes.at(-1) ?? 0), 'what was acknowledged stays');
    sizes.push(found.size);
  }
  t.diagnostic(`killed ${kills} times, with ${sizes.join(', ')} of ${PRODUCTS} scenes in the catalog`);
  assert.ok(kills > 0, 'at least one run was cut off');
  const last = await runSwath(['ingest', 'folder', folder.root, '--json'], toEnv(dataDir));
  assert.equal(last.status, 0, last.stderr);
  const { totals } = JSON.parse(last.stdout) as { totals: Record<string, number> };
  assert.equal((totals.ingested ?? 0) + (totals.unchanged ?? 0), PRODUCTS);
  assert.deepEqual(await readCatalog(dataDir), expected);
  const doctor = await runSwath(['doctor'], toEnv(dataDir));
  assert.equal(doctor.status, 0, doctor.stdout);
  assert.match(doctor.stdout, new RegExp(`${PRODUCTS} scenes`));
});
