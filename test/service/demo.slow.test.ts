/** The demo world from the command line: made, made again, gone on with and removed. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sensors } from '../../src/sensors/index.ts';
import { HANG_MS, waitFor } from '../../src/testing/wait-for.ts';
import {
  DEMO_IS_READY,
  DEMO_SCENE,
  listDemoFiles,
  listDems,
  listScenes,
  makeDemoData,
} from '../support/demo-data.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});
function keep(directory: string): string {
  made.push(directory);
  return directory;
}

/** A search over all sensors is work for the service, which is busy making a scene. */
const SEARCH_EVERY_MS = 250;

/** Scenes of all sensors. */
async function countFound(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/lms/search/v2`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({ search: { satellites: sensors.map(({ dataset }) => dataset) } }),
  });
  return ((await answer.json()) as { meta: { found: number } }).meta.found;
}

/** Every file of the demo with what changes when it is written again. */
const listFiles = (dataDir: string): readonly string[] =>
  listDemoFiles(dataDir).flatMap((name) => {
    // One of an unfinished part may have moved meanwhile.
    const file = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return file === undefined ? [] : [`${name} ${file.ino} ${file.size} ${file.mtimeMs}`];
  });

test('an empty directory gets its scene and its terrain, and a second run creates nothing again', async () => {
  // Made by `demo --small` in an empty directory, which said so in these words.
  const dataDir = keep(await makeDemoData());
  const env = { SWATH_DATA: dataDir };
  assert.deepEqual(await listScenes(dataDir), [DEMO_SCENE.viewId]);
  const listed = await runSwath(['scenes', 'list'], env);
  assert.match(listed.stdout, new RegExp(`^2026-06-21 +${DEMO_SCENE.viewId} `));
  const files = listFiles(dataDir);
  // Twelve bands, the classes, the metadata and a preview; four degrees of terrain.
  assert.equal(files.length, 19, files.join('\n'));
  assert.deepEqual(await listDems(dataDir), [['demo', 4]]);

  const second = await runSwath(['demo', '--small'], env);
  assert.deepEqual([second.status, second.stdout, second.stderr], [0, DEMO_IS_READY, '']);
  assert.deepEqual(listFiles(dataDir), files);
  assert.deepEqual(await listScenes(dataDir), [DEMO_SCENE.viewId]);
  assert.deepEqual(await listDems(dataDir), [['demo', 4]]);
});

test('an interrupted first startup is continued, and complete parts are not made again', async () => {
  // What a killed first start has left: a whole scene, one half-made, and the word that there is more to come. That
  // a kill leaves nothing else, and that its own directory is gone on with, kill.slow.test.ts tells.
  const dataDir = keep(await makeDemoData());
  const halfMade = join(dataDir, 'demo/.making-half');
  mkdirSync(halfMade);
  writeFileSync(join(halfMade, 'B04.tif'), 'II*');
  writeFileSync(join(dataDir, 'demo/.unfinished'), 'standard\n');
  const whole = listFiles(dataDir).filter((file) => !file.startsWith('demo/.'));
  assert.equal(whole.length, 19);

  // Also one that would make the small demo in an empty catalog: there is something to be finished.
  // One thread makes one more scene: another would only begin a second one that no one waits for.
  const env = { SWATH_DEMO: 'small', SWATH_LOG: 'error', ...ONE_THREAD };
  await using swath = await startSwath({ dataDir, env });
  assert.equal(await countFound(swath.url), 1);
  await waitFor(async () => (await countFound(swath.url)) > 1, HANG_MS, SEARCH_EVERY_MS);
  const files = new Set(listFiles(dataDir));
  assert.ok(whole.every((file) => files.has(file)));
  assert.ok(!existsSync(halfMade));

  assert.equal(await swath.stop('SIGINT'), 0);
  assert.match(swath.output(), /The demo world is not whole yet; the next start goes on with it\.\n/);
});

test('--remove removes every scene and file of the demo, and nothing else; then a startup without it is empty and ready at once', async () => {
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
  assert.deepEqual(await listDems(dataDir), []);
  assert.equal((await runSwath(['scenes', 'show', DEMO_SCENE.viewId], env)).status, 1);

  await using swath = await startSwath({
    dataDir,
    env: { SWATH_DEMO: 'off', SWATH_LOG: 'error', ...ONE_THREAD },
  });
  assert.equal((await fetch(`${swath.url}/readyz`)).status, 200);
  assert.equal(await countFound(swath.url), 0);
  const tile = await fetch(`${swath.url}/api/render/${DEMO_SCENE.viewId}/B04/14/2623/5682`, {
    headers: { 'x-api-key': SERVICE_KEY },
  });
  assert.equal(tile.status, 404);
  assert.ok(!existsSync(join(dataDir, 'demo')));
  assert.equal(await swath.stop(), 0);

  const again = await runSwath(['demo', '--remove'], env);
  assert.deepEqual([again.status, again.stdout], [0, 'Removed the demo: 0 scenes and all its files.\n']);
});
