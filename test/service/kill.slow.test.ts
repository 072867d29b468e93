import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTiff } from '../../src/formats/tiff/index.ts';
import { makeOpenSource } from '../../src/sources/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, listDemoFiles, listScenes } from '../support/demo-data.ts';
import { ONE_THREAD, runSwath, startSwath, waitUntilReady } from '../support/start-swath.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-kill-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const DEMO_ENV = { SWATH_DEMO: 'small', SWATH_LOG: 'warn', ...ONE_THREAD };

const isUnfinished = (name: string): boolean => name.startsWith('demo/.making-');

/** Opens every image that has its final name, and counts them. */
async function checkWhole(): Promise<number> {
  const names = listDemoFiles(dataDir).filter((file) => file.endsWith('.tif') && !isUnfinished(file));
  for (const name of names) {
    const source = await makeOpenSource({ dataDir })(name);
    assert.ok((await openTiff(source)).images[0].width > 50, name);
    await source.close();
  }
  return names.length;
}

test('after kill -9 while the demo scene and keys are written, the next startup is clean and keeps every key', async (t) => {
  const keys: string[] = [];
  const makeKey = async (): Promise<void> => {
    const { status, stdout } = await runSwath(['keys', 'create'], { SWATH_DATA: dataDir });
    assert.equal(status, 0);
    keys.push(stdout.trim());
  };

  const first = await startSwath({ dataDir, env: DEMO_ENV });
  t.after(() => first.process.kill('SIGKILL'));
  await waitFor(() => existsSync(join(dataDir, 'demo/.unfinished')));
  const [remove] = await Promise.all([runSwath(['demo', '--remove'], { SWATH_DATA: dataDir }), makeKey()]);
  assert.equal(remove.status, 1, 'no other process makes or removes the demo meanwhile');
  assert.match(remove.stderr, /^swath: Another Swath makes or removes the demo of this data directory/);
  const waiting = await (await fetch(`${first.url}/readyz`)).json();
  assert.equal((waiting as { waiting: string }).waiting, 'the first demo scene');
  // Nothing comes between this look and the end of the process: the scene must not become whole meanwhile.
  await waitFor(() => listDemoFiles(dataDir).filter(isUnfinished).length > 2, undefined, 1);
  const creating = makeKey();
  assert.equal(await first.stop('SIGKILL'), 'SIGKILL');
  await creating;

  // What has its final name is whole: every such file opens, and none is there that the catalog could not use.
  await checkWhole();
  assert.ok(!existsSync(join(dataDir, DEMO_SCENE.folder)), 'it was cut off before the scene was whole');
  assert.deepEqual(await listScenes(dataDir), []);

  const second = await startSwath({ dataDir, env: DEMO_ENV });
  t.after(() => second.process.kill('SIGKILL'));
  await waitUntilReady(second.url);
  for (const key of keys) {
    const answer = await fetch(`${second.url}/api/lms/search/v2/${DEMO_SCENE.dataset}`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: '{"search":{}}',
    });
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { meta: { found: number } }).meta.found, 1);
  }
  await waitFor(() => !existsSync(join(dataDir, 'demo/.unfinished')));
  assert.equal(await second.stop(), 0);
  // Thirteen images of the scene, and four of the terrain.
  assert.equal(await checkWhole(), 17);
  assert.deepEqual(
    listDemoFiles(dataDir).filter(
      (name) => !name.startsWith(DEMO_SCENE.folder) && !/^demo\/terrain\//.test(name),
    ),
    [],
    'nothing half-made is left behind',
  );
  const { status, stdout } = await runSwath(['doctor'], { SWATH_DATA: dataDir });
  assert.equal(status, 0, stdout);
});

test('a service whose output is closed continues, and stops when it is told to', async (t) => {
  const swath = await startSwath({ env: ONE_THREAD });
  t.after(() => swath.process.kill('SIGKILL'));
  swath.process.stderr?.destroy();
  for (let i = 0; i < 5; i++) assert.equal((await fetch(`${swath.url}/healthz`)).status, 200);
  assert.equal(await swath.stop('SIGTERM'), 0);
});
