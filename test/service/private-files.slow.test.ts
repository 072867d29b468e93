/** Who may read what Swath writes: its owner, and a group that the data directory was given to on purpose. */
import assert from 'node:assert/strict';
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-private-'));
after(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

/** Everything below a folder whose rights go beyond its owner's. */
const listShared = (folder: string): readonly string[] =>
  globSync('**/*', { cwd: folder })
    .map((name) => `${name} ${modeOf(join(folder, name))}`)
    .filter((line) => !/ (600|700)$/.test(line));

test('a new data directory and all files that a service, the demo and the tile cache write are private', async (t) => {
  const fresh = join(root, 'deep/fresh');
  const { status } = await runSwath(['keys', 'create'], { SWATH_DATA: fresh });
  assert.deepEqual([status, modeOf(fresh), modeOf(join(fresh, 'swath.db'))], [0, '700', '600']);

  const dataDir = await makeDemoData();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const swath = await startSwath({ dataDir, env: { ...ONE_THREAD, SWATH_TILE_CACHE: '8' } });
  t.after(() => swath.process.kill('SIGKILL'));
  const [tile] = listDemoTiles(await readDemoGrid(dataDir), 15).inside;
  const address = `${swath.url}/api/render/${DEMO_SCENE.viewId}/B04/${tile}`;
  assert.equal((await fetch(address, { headers: { 'x-api-key': SERVICE_KEY } })).status, 200);
  await waitFor(() => globSync('tile-cache/*/*', { cwd: dataDir }).length > 0);
  const names = globSync('**/*', { cwd: dataDir });
  for (const name of ['swath.db', 'swath.db-wal', 'server.lock', 'server.pid', 'demo']) {
    assert.ok(names.includes(name), name);
  }
  assert.deepEqual(listShared(dataDir), []);
  assert.equal(await swath.stop(), 0);
});

test('the database of an older version is closed to others, with a message; its directory is unchanged', async () => {
  const dataDir = join(root, 'older');
  assert.equal((await runSwath(['keys', 'create'], { SWATH_DATA: dataDir })).status, 0);
  chmodSync(dataDir, 0o755);
  chmodSync(join(dataDir, 'swath.db'), 0o644);
  const doctor = await runSwath(['doctor'], { SWATH_DATA: dataDir });
  assert.equal(doctor.status, 1);
  assert.match(doctor.stdout, /!! Rights .*all users of this machine can read swath\.db/);
  const { stderr } = await runSwath(['keys', 'list'], { SWATH_DATA: dataDir });
  assert.match(stderr, /^Other users of this machine could read swath\.db.* in /);
  assert.deepEqual([modeOf(dataDir), modeOf(join(dataDir, 'swath.db'))], ['755', '640']);
  assert.equal((await runSwath(['keys', 'list'], { SWATH_DATA: dataDir })).stderr, '');
  assert.equal((await runSwath(['doctor'], { SWATH_DATA: dataDir })).status, 0);
});

test('a directory shared with a group keeps its rights, and new files have them too', async () => {
  const dataDir = join(root, 'group');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o2750);
  assert.equal((await runSwath(['keys', 'create'], { SWATH_DATA: dataDir })).status, 0);
  assert.deepEqual([modeOf(dataDir), modeOf(join(dataDir, 'swath.db'))], ['2750', '640']);
});

test('files that a person names, like reports and exports, have the permissions of the shell', async () => {
  const env = { SWATH_DATA: join(root, 'named') };
  mkdirSync(join(root, 'named/empty'), { recursive: true });
  writeFileSync(join(root, 'named/empty/note.txt'), 'nothing to ingest');
  const [report, exported] = [join(root, 'report.json'), join(root, 'export.ndjson')];
  await runSwath(['ingest', 'folder', join(root, 'named/empty'), '--report', report], env);
  await runSwath(['export', '-o', exported], env);
  const defaultMode = (0o666 & ~process.umask()).toString(8);
  assert.deepEqual([modeOf(report), modeOf(exported)], [defaultMode, defaultMode]);
});

test('credentials on a command line, in a failing address, are not repeated', async () => {
  for (const address of [
    'https://me:hunter2@127.0.0.1:9/catalog.json?api_key=KEY42',
    'ftp://me:hunter2@127.0.0.1/x?sig=KEY42',
    'https://me:hun/ter2@127.0.0.1/x',
  ]) {
    const { status, stdout, stderr } = await runSwath(['ingest', 'stac', address], {
      SWATH_DATA: join(root, 'named'),
    });
    assert.notEqual(status, 0);
    assert.doesNotMatch(stdout + stderr, /hunter2|KEY42|ter2/);
  }
  const { stderr } = await runSwath(['doctor'], {
    SWATH_DATA: join(root, 'named'),
    SWATH_SOURCES: 'https://me:hunter2@x.example',
    SWATH_PUBLIC_URL: 'https://me:hunter2@x.example/',
  });
  assert.match(stderr, /SWATH_SOURCES.*SWATH_PUBLIC_URL/s);
  assert.doesNotMatch(stderr, /hunter2/);
});
