import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { makeScene } from '../../../test/support/make-scene.ts';
import { inspectSqliteStore, lockDirectory, openSqliteStore, prepareDirectory } from './index.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});
function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'swath-sqlite-'));
  made.push(directory);
  return directory;
}

test('a second server is kept out of a data directory until the first lets go', () => {
  const directory = makeDirectory();
  const lock = lockDirectory(directory);
  assert.throws(() => lockDirectory(directory), {
    code: 'store-locked',
    message: new RegExp(`process ${process.pid}.*${directory}`),
  });
  lock.release();
  lockDirectory(directory).release();
});

test('a file that is not a database is refused in words and left as it was', () => {
  const directory = makeDirectory();
  const path = join(directory, 'swath.db');
  writeFileSync(path, 'not a database, but somebody may need it'.repeat(200));
  const before = readFileSync(path);
  assert.throws(() => openSqliteStore(directory), {
    code: 'store-corrupt',
    message: /damaged.*Nothing was changed/,
  });
  assert.throws(() => inspectSqliteStore(directory), { code: 'store-corrupt' });
  assert.deepEqual(readFileSync(path), before);
});

test('damage inside a database is found by the inspection', () => {
  const directory = makeDirectory();
  openSqliteStore(directory).close();
  const path = join(directory, 'swath.db');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096 * 3, 4096 * 6);
  writeFileSync(path, bytes);
  const damage = (): readonly string[] => {
    try {
      return inspectSqliteStore(directory).damage;
    } catch (error) {
      return [(error as Error).message];
    }
  };
  assert.ok(damage().length > 0);
});

test('a database of a newer program is refused and not changed', () => {
  const directory = makeDirectory();
  openSqliteStore(directory).close();
  const database = new DatabaseSync(join(directory, 'swath.db'));
  database.exec('PRAGMA user_version = 999');
  database.close();
  assert.throws(() => openSqliteStore(directory), { code: 'store-newer', message: /newer Swath/ });
});

test('a directory that cannot be made is refused in words', () => {
  const file = join(makeDirectory(), 'file');
  writeFileSync(file, '');
  assert.throws(() => prepareDirectory(join(file, 'data')), {
    code: 'data-not-writable',
    message: /SWATH_DATA/,
  });
});

test('kill -9 in the middle of writing keys loses none that was acknowledged', {
  timeout: 60_000,
}, async () => {
  const directory = makeDirectory();
  const script = new URL('./testing/write-keys.ts', import.meta.url);
  let acknowledged: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const child = spawn(process.execPath, [script.pathname, directory, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      // Each round dies at another moment of its writing.
      if (text.split('\n').length > 20 + round * 13) child.kill('SIGKILL');
    });
    const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
    assert.equal(signal, 'SIGKILL');
    acknowledged = acknowledged.concat(text.split('\n').slice(0, -1));
    const store = openSqliteStore(directory);
    const kept = new Set((await store.keys.list()).map(({ id }) => id));
    store.close();
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
    );
    assert.deepEqual(inspectSqliteStore(directory).damage, []);
  }
  assert.ok(acknowledged.length > 100);
});

test('a scene changed by another process is seen at once, although scenes are remembered', async () => {
  const directory = makeDirectory();
  const [ours, theirs] = [openSqliteStore(directory), openSqliteStore(directory)];
  const before = await ours.scenes.put(makeScene(5));
  assert.deepEqual(await ours.scenes.findByViewId(before.viewId), before);
  const changed = await theirs.scenes.put(makeScene(5, { sunElevationDeg: 1 }));
  assert.deepEqual(await ours.scenes.findByViewId(before.viewId), changed);
  const again = await ours.scenes.put(makeScene(5, { sunElevationDeg: 2 }));
  assert.deepEqual(await ours.scenes.findByViewId(before.viewId), again);
  ours.close();
  theirs.close();
});
