import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { listDemoTiles, readDemoGrid } from '../support/demo-grid.ts';
import { coverReadOnly, mountTmpfs } from '../support/mounts.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, runSwath, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

/** Nothing is written, and no connection for writing is opened, before a caller wants it: a worker would. */
const IDLE_STORE = { ...ONE_THREAD, SWATH_ROLES: 'api' };

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});

/** A large area: it does not fit into what a full disk has left in files that are there already. */
const area = (west: number): string => {
  const ring = Array.from({ length: 5_000 }, (_, i) => [west + Math.cos(i / 800), Math.sin(i / 800)]);
  return JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] });
};

function makeClient({ url }: RunningSwath) {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': SERVICE_KEY } });
  const post = (path: string, body: string) => ask(path, { method: 'POST', body });
  return {
    ask,
    post,
    store: (west: number) => post('/api/render/cropper', area(west)),
    refOf: async (response: Response): Promise<string> => {
      assert.equal(response.status, 200);
      return ((await response.json()) as { cropper_ref: string }).cropper_ref;
    },
    async assertRefused(response: Response, code: string): Promise<void> {
      const body = (await response.json()) as { code: string; error: string };
      assert.deepEqual([response.status, body.code], [503, code]);
      assert.ok(Number(response.headers.get('retry-after')) >= 1);
      assert.doesNotMatch(body.error, /swath\.db|\/tmp/, 'paths are for the log');
    },
    async readReady() {
      const response = await ask('/readyz');
      return { status: response.status, ...((await response.json()) as object) };
    },
  };
}

const READY = {
  status: 200,
  ready: true,
  degraded: false,
  waiting: null,
  checks: { store: 'ok', writes: 'ok', pool: 'ok' },
  unreached_places: null,
};
const READING_ONLY = { ...READY, degraded: true, checks: { ...READY.checks, writes: 'failed' } };

const countFailures = (swath: RunningSwath, code: string): number =>
  swath
    .output()
    .split('\n')
    .filter((line) => line.includes('"the store fails"') && line.includes(`"code":"${code}"`)).length;

/** Writes a file until the disk is full; the service may write at the same moment, so its free space is not asked for before. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const bytes of [Buffer.alloc(2 ** 20), Buffer.alloc(4_096), Buffer.alloc(1)]) {
      try {
        for (;;) writeSync(file, bytes);
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}

test('on a full disk writes are 503, reads and pictures continue, and all is well when there is space again', async (t) => {
  const disk = mountTmpfs('size=256m');
  if (disk === null) return t.skip('no right to mount a tmpfs here');
  const demo = await makeDemoData();
  made.push(demo);
  cpSync(demo, disk.directory, { recursive: true });
  const swath = await startSwath({ dataDir: disk.directory, env: ONE_THREAD });
  t.after(() => swath.stop('SIGKILL'));
  const { ask, post, store, refOf, assertRefused, readReady } = makeClient(swath);
  const stored = await refOf(await store(1));
  assert.deepEqual(await readReady(), READY);

  const filler = join(disk.directory, 'filler');
  fillDisk(filler);
  for (let i = 0; i < 5; i++) await assertRefused(await store(2), 'store-full');
  await assertRefused(await ask(`/api/render/cropper/${stored}`, { method: 'DELETE' }), 'store-full');
  assert.deepEqual(await readReady(), READING_ONLY);
  assert.equal((await ask(`/api/render/cropper/${stored}`)).status, 200);
  assert.equal((await post(`/api/lms/search/v2/${DEMO_SCENE.dataset}`, '{"search":{}}')).status, 200);
  // Its contrast is measured, and cannot be stored.
  const [tile] = listDemoTiles(await readDemoGrid(disk.directory), 14).inside;
  assert.equal((await ask(`/api/render/${DEMO_SCENE.viewId}/B04/${tile}`)).status, 200);
  const list = await runSwath(['keys', 'create'], { SWATH_DATA: disk.directory });
  assert.equal(list.status, 1);
  assert.match(list.stderr, /^swath: .*full.*\n$/);
  await waitFor(() => countFailures(swath, 'store-full') > 0);
  assert.equal(countFailures(swath, 'store-full'), 1, 'one line for many failures');

  rmSync(filler);
  assert.deepEqual(await readReady(), READY, 'without a restart');
  const later = await refOf(await store(2));
  assert.equal((await ask(`/api/render/cropper/${later}`)).status, 200);
  await swath.printed(/the store works again/);
  assert.equal(await swath.stop(), 0);
});

test('if the data directory becomes read-only, writes are 503, reads continue, and all is well afterwards', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-read-only-'));
  made.push(dataDir);
  const swath = await startSwath({ dataDir, env: IDLE_STORE });
  t.after(() => swath.stop('SIGKILL'));
  const { post, store, refOf, assertRefused, readReady } = makeClient(swath);
  // Before anything was written: the thread that writes opens its connection now.
  const uncover = coverReadOnly(dataDir);
  if (uncover === null) return t.skip('no right to mount here');
  for (let i = 0; i < 3; i++) await assertRefused(await store(1), 'store-read-only');
  assert.deepEqual(await readReady(), READING_ONLY);
  assert.equal((await post('/api/lms/search/v2/sentinel2', '{"search":{}}')).status, 200);
  await waitFor(() => countFailures(swath, 'store-read-only') > 0);
  assert.equal(countFailures(swath, 'store-read-only'), 1);
  uncover();
  assert.deepEqual(await readReady(), READY, 'without a restart');
  await refOf(await store(1));
  assert.equal(await swath.stop(), 0);
});

test('without write permission on the data directory a running service only reads, and a new one does not start', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can become another user');
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-nobody-'));
  made.push(dataDir);
  const nobody = { uid: 65_534, gid: 65_534 };
  const setRights = (directory: number, file: number): void => {
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), file);
    chmodSync(dataDir, directory);
  };
  chownSync(dataDir, nobody.uid, nobody.gid);
  const first = await startSwath({ dataDir, env: IDLE_STORE, user: nobody });
  t.after(() => first.stop('SIGKILL'));
  const { store, refOf, assertRefused, readReady } = makeClient(first);
  setRights(0o555, 0o444);
  await assertRefused(await store(1), 'store-read-only');
  assert.deepEqual(await readReady(), READING_ONLY);
  setRights(0o755, 0o644);
  await waitFor(async () => (await readReady()).status === 200);
  assert.deepEqual(await readReady(), READY);
  await refOf(await store(1));
  assert.equal(await first.stop(), 0);

  setRights(0o555, 0o444);
  const refused = startSwath({ dataDir, env: IDLE_STORE, user: nobody });
  await assert.rejects(
    refused,
    /^Error: swath ended with 1: .*swath: The data directory .* cannot be written \(EACCES\)/s,
  );
});
