import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mountTmpfs } from '../support/mounts.ts';
import { ONE_THREAD, runSwath, startSwath } from '../support/start-swath.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});
function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'swath-refusal-'));
  made.push(directory);
  return directory;
}

/** One clear message: a single line on standard error (or a list of settings), no stack. */
function assertOneMessage(stderr: string, words: RegExp): void {
  assert.match(stderr, words);
  assert.ok(!stderr.includes('    at '), `a stack was shown: ${stderr}`);
  assert.equal(
    stderr
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('swath:')).length,
    1,
    stderr,
  );
}

test('all invalid settings are named, with exit status 2', async () => {
  const directory = makeDirectory();
  const { status, stderr } = await runSwath(['serve'], {
    SWATH_PORT: 'http',
    SWATH_TREADS: '2',
    SWATH_DATA: directory,
  });
  assert.equal(status, 2);
  assertOneMessage(stderr, /SWATH_PORT must be a whole number.*SWATH_TREADS is not a setting/s);
  assert.deepEqual(readdirSync(directory), []);
});

test('a busy port gives one message and exit status 1, and creates no key', async () => {
  await using other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const env = {
    SWATH_PORT: String(port),
    SWATH_DATA: makeDirectory(),
    SWATH_DEMO: 'off',
    SWATH_LOG: 'silent',
    ...ONE_THREAD,
  };
  const { status, stderr, stdout } = await runSwath(['serve'], env);
  assert.equal(status, 1);
  assertOneMessage(stderr, new RegExp(`Port ${port} on 127.0.0.1 is used by another program`));
  assert.ok(!stdout.includes('apk.'));
  const list = await runSwath(['keys', 'list'], { SWATH_DATA: env.SWATH_DATA });
  assert.match(list.stdout, /No keys yet/);
});

test('a second server on the same data directory is refused; the first continues', async () => {
  await using first = await startSwath({ env: ONE_THREAD });
  const env = { SWATH_PORT: '0', SWATH_DATA: first.dataDir, SWATH_LOG: 'silent' };
  const { status, stderr } = await runSwath(['serve'], env);
  assert.equal(status, 1);
  assertOneMessage(stderr, new RegExp(`process ${first.process.pid}`));
  assert.equal((await fetch(`${first.url}/healthz`)).status, 200);
  assert.equal(await first.stop(), 0);
});

test('a corrupt database gives one message and exit status 1, and not a byte is changed', async () => {
  const directory = makeDirectory();
  writeFileSync(join(directory, 'swath.db'), 'this was a database once '.repeat(400));
  const before = readFileSync(join(directory, 'swath.db'));
  for (const command of ['serve', 'doctor']) {
    const { status, stderr, stdout } = await runSwath([command], { SWATH_DATA: directory, SWATH_PORT: '0' });
    assert.equal(status, 1, command);
    assert.match(stderr + stdout, /damaged/, command);
    assert.ok(!stderr.includes('    at '));
  }
  assert.deepEqual(readFileSync(join(directory, 'swath.db')), before);
});

test('a data directory that cannot be created gives one message and exit status 1', async () => {
  const file = join(makeDirectory(), 'file');
  writeFileSync(file, 'x');
  const { status, stderr } = await runSwath(['serve'], { SWATH_DATA: join(file, 'data'), SWATH_PORT: '0' });
  assert.equal(status, 1);
  assertOneMessage(stderr, /cannot be written.*SWATH_DATA/s);
});

test('a read-only data directory gives one message and exit status 1', async (t) => {
  const disk = mountTmpfs('size=16m');
  if (disk === null) return t.skip('no right to mount a tmpfs here');
  disk.remount('ro');
  const { status, stderr } = await runSwath(['serve'], { SWATH_DATA: disk.directory, SWATH_PORT: '0' });
  assert.equal(status, 1);
  assertOneMessage(stderr, /cannot be written \(EROFS\)/);
});

test('a full data directory gives one message and exit status 1, and keeps its content', async (t) => {
  const disk = mountTmpfs('size=1m');
  if (disk === null) return t.skip('no right to mount a tmpfs here');
  // Each leaves another step of the start without room: the lock, the database, its log, the first tables.
  for (const usedKib of [1020, 1000, 980, 950]) {
    for (const name of readdirSync(disk.directory)) rmSync(join(disk.directory, name));
    const precious = join(disk.directory, 'precious');
    writeFileSync(precious, Buffer.alloc(1024 * usedKib, 7));
    const env = { SWATH_DATA: disk.directory, SWATH_PORT: '0', SWATH_LOG: 'silent' };
    const { status, stderr } = await runSwath(['serve'], env);
    assert.equal(status, 1, `${usedKib} KiB used: ${stderr}`);
    assertOneMessage(stderr, /full/);
    assert.equal(readFileSync(precious).length, 1024 * usedKib);
  }
});

test('an unsupported Node is refused in one sentence', (t) => {
  // The pinned runtime comes first on the path of npm scripts; the machine's own comes after it.
  const others = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'));
  const old = others.find((node) => existsSync(node) && readMajor(node) < 24);
  if (old === undefined) return t.skip('no older Node here');
  const { status, stderr } = spawnSync(old, ['bin/swath.js', 'serve'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^Swath needs Node\.js 24 or newer; this is v\d+.*\n$/);
});

function readMajor(node: string): number {
  return Number(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.slice(1).split('.')[0]);
}

test('an invalid tile matrix set is named with the reason', async () => {
  const directory = makeDirectory();
  mkdirSync(join(directory, 'tile-matrix-sets'));
  writeFileSync(join(directory, 'tile-matrix-sets', 'mine.json'), '{"id": "Mine"}');
  const { status, stderr } = await runSwath(['serve'], {
    SWATH_DATA: directory,
    SWATH_DEMO: 'off',
    SWATH_PORT: '0',
    ...ONE_THREAD,
  });
  assert.notEqual(status, 0);
  assertOneMessage(stderr, /The tile matrix set mine\.json needs tileMatrices: a list of 1 to 32\./);
});
