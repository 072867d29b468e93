/** The demo world from the command line: made, made again, cut off and removed. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { DEMO_SCENE, listDemoFiles, makeDemoData } from '../support/demo-data.ts';
import { runSwath, SERVICE_KEY, spawnSwath, startSwath, waitUntilReady } from '../support/start-swath.ts';
import { waitFor } from '../support/wait-for.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});
function keep(directory: string): string {
  made.push(directory);
  return directory;
}
const makeDirectory = (): string => keep(mkdtempSync(join(tmpdir(), 'swath-world-')));

/** One scene takes about five seconds on two quiet cores, a start two. */
const TIMEOUT = { timeout: 90_000 };

/** What the catalog has; read beside the program, because starting it takes a second. */
async function listScenes(dataDir: string): Promise<readonly string[]> {
  const store = openSqliteStore(dataDir);
  try {
    const viewIds: string[] = [];
    for await (const { viewId } of store.scenes.list()) viewIds.push(viewId);
    return viewIds;
  } finally {
    await store.close();
  }
}

async function countFound(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/lms/search/v2/${DEMO_SCENE.dataset}`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: '{"search":{}}',
  });
  return ((await answer.json()) as { meta: { found: number } }).meta.found;
}

/** Every file of the demo with what changes when it is written anew. */
const listFiles = (dataDir: string): readonly string[] =>
  listDemoFiles(dataDir).flatMap((name) => {
    // One of an unfinished part may have moved meanwhile.
    const file = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return file === undefined ? [] : [`${name} ${file.ino} ${file.size} ${file.mtimeMs}`];
  });

/** Images of parts that are not whole. */
const listUnfinished = (dataDir: string): readonly string[] =>
  listDemoFiles(dataDir).filter((name) => name.startsWith('demo/.making-') && name.endsWith('.tif'));

test('an empty directory gets its scene, and a second run makes nothing anew', TIMEOUT, async () => {
  const dataDir = makeDirectory();
  const env = { SWATH_DATA: dataDir };
  const first = await runSwath(['demo', '--small'], env);
  assert.deepEqual(
    [first.status, first.stdout, first.stderr],
    [0, 'The demo world is ready: 1 scene.\n', ''],
  );
  assert.deepEqual(await listScenes(dataDir), [DEMO_SCENE.viewId]);
  const listed = await runSwath(['scenes', 'list'], env);
  assert.match(listed.stdout, new RegExp(`^2026-06-21 +${DEMO_SCENE.viewId} `));
  const files = listFiles(dataDir);
  // Twelve bands, the classes, the metadata and a preview.
  assert.equal(files.length, 15, files.join('\n'));

  const second = await runSwath(['demo', '--small'], env);
  assert.deepEqual([second.status, second.stdout], [0, first.stdout]);
  assert.deepEqual(listFiles(dataDir), files);
  assert.deepEqual(await listScenes(dataDir), [DEMO_SCENE.viewId]);
});

test(
  'a run that was killed leaves no scene; nobody else makes or removes the demo meanwhile',
  TIMEOUT,
  async () => {
    const dataDir = makeDirectory();
    const env = { SWATH_DATA: dataDir };
    const { child, ended } = spawnSwath(['demo', '--small'], env);
    await waitFor(() => existsSync(join(dataDir, 'demo/.unfinished')));
    const other = await runSwath(['demo', '--remove'], env);
    assert.equal(other.status, 1);
    assert.match(other.stderr, /^swath: Another Swath makes or removes the demo of this data directory/);

    await waitFor(() => listUnfinished(dataDir).length > 0);
    child.kill('SIGKILL');
    assert.equal((await ended).status, null);
    assert.ok(!existsSync(join(dataDir, DEMO_SCENE.folder)), 'it was cut off before the scene was whole');
    assert.deepEqual(await listScenes(dataDir), []);
  },
);

test(
  'a first start that was killed is gone on with, and what is whole is not made again',
  TIMEOUT,
  async () => {
    const dataDir = makeDirectory();
    const env = { SWATH_DEMO: 'on', SWATH_LOG: 'error' };
    const first = await startSwath({ dataDir, env });
    await waitUntilReady(first.url);
    await waitFor(() => listUnfinished(dataDir).length > 0);
    assert.equal(await first.stop('SIGKILL'), 'SIGKILL');
    const whole = listFiles(dataDir).filter((file) => !file.startsWith('demo/.'));
    assert.ok(whole.length >= 15);

    // Also one that would make the small demo in an empty catalog: there is something to be finished.
    const second = await startSwath({ dataDir, env: { ...env, SWATH_DEMO: 'small' } });
    const before = await countFound(second.url);
    assert.ok(before >= 1);
    await waitFor(async () => (await countFound(second.url)) > before);
    const files = new Set(listFiles(dataDir));
    assert.ok(whole.every((file) => files.has(file)));

    const startedAt = performance.now();
    assert.equal(await second.stop('SIGINT'), 0);
    const seconds = (performance.now() - startedAt) / 1000;
    assert.ok(seconds < 10, `a stop in the middle took ${seconds} s`);
    assert.match(second.output(), /The demo world is not whole yet; the next start goes on with it\.\n/);
  },
);

test('--remove leaves no scene and no file of the demo, and everything else', TIMEOUT, async () => {
  const dataDir = keep(await makeDemoData());
  const env = { SWATH_DATA: dataDir };
  assert.deepEqual(await listScenes(dataDir), [DEMO_SCENE.viewId]);
  const own = join(dataDir, 'scenes/mine.txt');
  mkdirSync(join(dataDir, 'scenes'));
  writeFileSync(own, 'precious');

  const { status, stdout } = await runSwath(['demo', '--remove'], env);
  assert.deepEqual([status, stdout], [0, 'Removed the demo: 1 scene and all its files.\n']);
  assert.ok(!existsSync(join(dataDir, 'demo')));
  assert.ok(existsSync(own));
  assert.deepEqual(await listScenes(dataDir), []);
  assert.equal((await runSwath(['scenes', 'show', DEMO_SCENE.viewId], env)).status, 1);

  const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'error' } });
  assert.equal(await countFound(swath.url), 0);
  const tile = await fetch(`${swath.url}/api/render/${DEMO_SCENE.viewId}/B04/14/2623/5682`, {
    headers: { 'x-api-key': SERVICE_KEY },
  });
  assert.equal(tile.status, 404);
  await swath.stop();

  const again = await runSwath(['demo', '--remove'], env);
  assert.deepEqual([again.status, again.stdout], [0, 'Removed the demo: 0 scenes and all its files.\n']);
});

test('SWATH_DEMO=off starts empty and is ready at once', TIMEOUT, async () => {
  const dataDir = makeDirectory();
  const swath = await startSwath({ dataDir, env: { SWATH_DEMO: 'off', SWATH_LOG: 'error' } });
  assert.equal((await fetch(`${swath.url}/readyz`)).status, 200);
  assert.equal(await countFound(swath.url), 0);
  assert.ok(!existsSync(join(dataDir, 'demo')));
  assert.equal(await swath.stop(), 0);
});
