import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../testing/wait-for.ts';
import { copyEntry, HEAD_BYTES, isHeadOf, sealEntry } from './folder-entries.ts';
import type { FolderHandle } from './shared-folder.ts';
import { joinFolder, makeFolderHandle, readFolderStats, watchFolder } from './shared-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-shared-folder-'));
after(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
function makeHandle(maxBytes = 2 ** 22): FolderHandle {
  made += 1;
  return makeFolderHandle(join(root, String(made), 'range-cache'), maxBytes);
}
/** The handle of another process for the same folder: without shared memory. */
const again = ({ directory, maxBytes }: FolderHandle): FolderHandle => makeFolderHandle(directory, maxBytes);

const nameOf = (n: number): string => `ab/${n.toString(16).padStart(32, '0')}+0`;
/** With its head an entry takes two disk blocks. */
const bytesOf = (n: number, length = 5000): Uint8Array => new Uint8Array(length).fill(n);
const listFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `ab/${name}`)
    .sort();

test('all threads and the next process read a written entry, and no other user of the machine can', async () => {
  const handle = makeHandle();
  const [one, two] = [joinFolder(handle), joinFolder(handle)];
  assert.equal(await one.read(nameOf(1)), null);
  const bytes = bytesOf(1);
  const written = one.write(nameOf(1), bytes);
  bytes.fill(9);
  assert.equal(await written, true);
  for (const folder of [one, two, joinFolder(again(handle))]) {
    assert.deepEqual(await folder.read(nameOf(1)), bytesOf(1), 'the bytes at the time of the call');
    assert.deepEqual(await folder.list('ab'), [nameOf(1).slice(3)]);
  }
  const { mode } = statSync(join(handle.directory, nameOf(1)));
  assert.equal(mode & 0o777, 0o600);
  assert.equal(statSync(join(handle.directory, 'ab')).mode & 0o077, 0);
  const { usedBytes, writtenBytes, readBytes, dropped } = readFolderStats(handle);
  assert.deepEqual([usedBytes, writtenBytes, readBytes, dropped], [8192, 5_000 + HEAD_BYTES, 10_000, 0]);
  await one.remove(nameOf(1));
  assert.equal(await two.read(nameOf(1)), null);
});

test('a torn, altered, longer, empty or misnamed file is never read, and is removed', async () => {
  const handle = makeHandle();
  const folder = joinFolder(handle);
  const path = join(handle.directory, nameOf(1));
  const damages: readonly (() => void)[] = [
    () => truncateSync(path, 3000),
    () => truncateSync(path, 10),
    () => truncateSync(path, 0),
    () => truncateSync(path, 100 * 2 ** 20),
    () => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(1)])),
    () => writeFileSync(path, readFileSync(path).fill(9, 4000, 4001)),
    () => writeFileSync(path, sealEntry(nameOf(2), copyEntry(bytesOf(1)))),
  ];
  for (const [i, damage] of damages.entries()) {
    assert.equal(await folder.write(nameOf(1), bytesOf(1)), true);
    damage();
    assert.equal(await folder.read(nameOf(1)), null, `damage ${i}`);
    assert.ok(!existsSync(path), `damage ${i}`);
  }
});

test('a change of any single byte is noticed', () => {
  const file = sealEntry(nameOf(1), copyEntry(bytesOf(1, 40)));
  const isWhole = (bytes: Buffer): boolean =>
    isHeadOf(bytes.subarray(0, HEAD_BYTES), nameOf(1), bytes.subarray(HEAD_BYTES));
  assert.ok(isWhole(file));
  for (let i = 0; i < file.length; i += 1) {
    const altered = Buffer.from(file);
    altered[i] = (altered[i] as number) ^ 1;
    assert.equal(isWhole(altered), false, `byte ${i}`);
  }
});

test('the bound holds on disk, and the least recently used entries are evicted first, also those of an earlier run', async () => {
  // Space for 32 files of two blocks; a sweep frees two files.
  const handle = makeHandle(32 * 8192);
  const folder = joinFolder(handle);
  for (let n = 1; n <= 32; n += 1) {
    await folder.write(nameOf(n), bytesOf(n));
    utimesSync(join(handle.directory, nameOf(n)), n, n);
  }
  await folder.read(nameOf(1));
  // Recording the last use is not awaited.
  await waitFor(() => statSync(join(handle.directory, nameOf(1))).mtimeMs > 1_000_000);
  for (let n = 33; n <= 40; n += 1) {
    assert.equal(await folder.write(nameOf(n), bytesOf(n)), true);
    assert.ok(listFiles(handle.directory).length <= 32);
  }
  assert.ok(existsSync(join(handle.directory, nameOf(1))), 'used last');
  assert.ok(!existsSync(join(handle.directory, nameOf(2))));
  assert.ok(readFolderStats(handle).evicted >= 8);
  assert.equal(
    await folder.write(nameOf(50), bytesOf(50, 20_000)),
    false,
    'more than a sixteenth of the bound',
  );

  const smaller = makeFolderHandle(handle.directory, 16 * 8192);
  await joinFolder(smaller).write(nameOf(60), bytesOf(60));
  assert.ok(listFiles(handle.directory).length <= 16, 'a smaller bound holds with the first write');
});

for (const code of ['ENOSPC', 'EROFS']) {
  test(`a disk that fails with ${code} is reported once, writes pause for a minute, and no partial file is left`, async () => {
    const handle = makeHandle();
    const failures: string[] = [];
    const end = watchFolder(handle, (failure) => failures.push(failure));
    let [timeMs, isBad, tries] = [1, true, 0];
    const write = async (path: string, bytes: Uint8Array): Promise<void> => {
      // Throws where there is no folder yet.
      writeFileSync(path, isBad ? bytes.subarray(0, 100) : bytes);
      tries += 1;
      if (isBad) throw Object.assign(new Error('the disk refuses the write'), { code });
    };
    const [one, two] = [0, 1].map(() => joinFolder(handle, { write, nowMs: () => timeMs }));
    assert.ok(one !== undefined && two !== undefined);
    assert.equal(await one.write(nameOf(1), bytesOf(1)), false);
    assert.equal(await two.write(nameOf(2), bytesOf(2)), false);
    assert.deepEqual([tries, listFiles(handle.directory)], [1, []]);
    timeMs = 60_002;
    assert.equal(await two.write(nameOf(2), bytesOf(2)), false);
    timeMs = 130_000;
    isBad = false;
    assert.equal(await one.write(nameOf(1), bytesOf(1)), true);
    await waitFor(() => failures.length > 0);
    assert.deepEqual([failures, tries], [[code], 3]);
    isBad = true;
    assert.equal(await one.write(nameOf(3), bytesOf(3)), false);
    await waitFor(() => failures.length > 1);
    assert.deepEqual(failures, [code, code], 'reported again after a success');
    assert.equal(readFolderStats(handle).usedBytes, 8192);
    end();
  });
}

test('a folder that cannot be created is not an error, and one that vanishes is created again', async () => {
  const handle = makeHandle();
  mkdirSync(join(handle.directory, '..'), { recursive: true });
  // A file in place of the folder fails for root too, who may write to a read-only folder.
  writeFileSync(handle.directory, '');
  const folder = joinFolder(handle);
  assert.equal(await folder.write(nameOf(1), bytesOf(1)), false);
  assert.equal(await folder.read(nameOf(1)), null);
  assert.deepEqual(await folder.list('ab'), []);

  const other = makeHandle();
  const vanishing = joinFolder(other);
  await vanishing.write(nameOf(1), bytesOf(1));
  rmSync(other.directory, { recursive: true });
  assert.equal(await vanishing.read(nameOf(1)), null);
  assert.equal(await vanishing.write(nameOf(1), bytesOf(1)), true);
  assert.deepEqual(await vanishing.read(nameOf(1)), bytesOf(1));
});

test('two processes and their threads do not disturb each other', async () => {
  const handle = makeHandle(32 * 8192);
  const folders = [handle, again(handle)].flatMap((one) => [joinFolder(one), joinFolder(one)]);
  for (let n = 1; n < 60; n += 1) {
    await Promise.all(folders.map((folder, i) => folder.write(nameOf(n + (i % 2) * 100), bytesOf(n))));
  }
  // Each further process may exceed the bound by a sixteenth.
  assert.ok(listFiles(handle.directory).length <= 34, `${listFiles(handle.directory).length} files`);
  for (const folder of folders) {
    for (let n = 1; n < 60; n += 1) {
      const bytes = await folder.read(nameOf(n));
      if (bytes !== null) assert.ok(bytes.every((byte) => byte === n));
    }
  }
});

test('entries beyond the queue limit are dropped', async () => {
  const handle = makeHandle(2 ** 30);
  const folder = joinFolder(handle);
  const writes = Array.from({ length: 40 }, (_, n) => folder.write(nameOf(n), bytesOf(n, 2 ** 20)));
  const stored = (await Promise.all(writes)).filter(Boolean).length;
  assert.equal(stored, 32);
  assert.equal(readFolderStats(handle).dropped, 8);
  await folder.settled();
});

test('entries of a busy server wait until it is quiet, or until the queue is half full', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const handle = makeHandle(2 ** 30);
  const folder = joinFolder(handle);
  const small = folder.write(nameOf(0), bytesOf(0, 1_000));
  for (let n = 1; n <= 10; n += 1) {
    context.mock.timers.tick(40);
    void folder.write(nameOf(n), bytesOf(n, 1_000));
  }
  await new Promise(setImmediate);
  assert.equal(readFolderStats(handle).written, 0);
  context.mock.timers.tick(50);
  assert.ok(await small);
  await folder.settled();

  const large = Array.from({ length: 20 }, (_, n) => folder.write(nameOf(100 + n), bytesOf(n, 2 ** 20)));
  for (let n = 0; n < 2; n += 1) {
    await new Promise(setImmediate);
    context.mock.timers.tick(30);
    void folder.write(nameOf(n), bytesOf(n, 1_000));
  }
  assert.ok(await large[0]);
  await folder.settled();
});

test('a sweep removes leftovers of killed processes and of version 0.1, keeps young and foreign files, and follows no links', async () => {
  const handle = makeHandle();
  const { directory } = handle;
  const elsewhere = join(directory, '../elsewhere');
  mkdirSync(join(directory, 'ab'), { recursive: true });
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, nameOf(2).slice(3)), 'precious');
  symlinkSync(elsewhere, join(directory, 'cd'));
  writeFileSync(join(directory, 'ab', 'notes.txt'), 'mine');
  const [old, young] = ['0123456789abcdef', 'fedcba9876543210'].map((end) => `${nameOf(1)}.${end}.new`);
  assert.ok(old !== undefined && young !== undefined);
  for (const name of [old, young]) writeFileSync(join(directory, name), 'half');
  utimesSync(join(directory, old), 1, 1);
  writeFileSync(join(directory, 'ab', 'ab'.repeat(16)), 'an entry of version 0.1');
  await joinFolder(handle).write(nameOf(3), bytesOf(3));
  const left = readdirSync(join(directory, 'ab')).sort();
  assert.deepEqual(left, [young.slice(3), nameOf(3).slice(3), 'notes.txt']);
  assert.deepEqual(readdirSync(elsewhere), [nameOf(2).slice(3)]);
});

test('an unfinished sweep is taken over; readers of a replaced file get the old or the new bytes', async () => {
  const handle = makeHandle();
  let timeMs = 1_000_000;
  const folder = joinFolder(handle, { nowMs: () => timeMs });
  folder.counters.set('sweepSince', timeMs);
  timeMs += 61_000;
  assert.equal(await folder.write(nameOf(1), bytesOf(1)), true);
  const path = join(handle.directory, nameOf(1));
  const readings = Array.from({ length: 20 }, () => folder.read(nameOf(1)));
  writeFileSync(`${path}.x`, sealEntry(nameOf(1), copyEntry(bytesOf(7))));
  renameSync(`${path}.x`, path);
  for (const bytes of await Promise.all(readings)) {
    const [first] = bytes ?? [];
    assert.ok(first === 1 || first === 7);
    assert.ok(bytes?.every((byte) => byte === first));
  }
});
