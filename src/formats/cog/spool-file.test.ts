import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputFile } from '../../files/index.ts';
import { makeSpoolFile } from './spool-file.ts';

/** A file that notes what happens to it. */
function makeFile() {
  const bytes = new Uint8Array(100);
  const calls: string[] = [];
  const file: OutputFile = {
    async write(given, position) {
      calls.push(`write ${position}+${given.length}`);
      bytes.set(given, position);
    },
    async read(into, position) {
      into.set(bytes.subarray(position, position + into.length));
    },
    sync: async () => {},
    async close() {
      calls.push('close');
    },
  };
  return { file, calls };
}

async function readAll(file: OutputFile, length: number): Promise<number[]> {
  const bytes = new Uint8Array(length);
  await file.read(bytes, 0);
  return [...bytes];
}

test('few bytes stay in memory', async () => {
  const spool = makeSpoolFile(() => assert.fail('a file was made'), 10);
  await spool.write(Uint8Array.of(1, 2, 3), 0);
  await spool.write(Uint8Array.of(4, 5, 6, 7, 8, 9, 10), 3);
  assert.deepEqual(await readAll(spool, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await assert.rejects(readAll(spool, 11), /nothing was written/);
  await spool.close();
});

test('what is written is copied', async () => {
  const spool = makeSpoolFile(() => assert.fail('a file was made'), 10);
  const bytes = Uint8Array.of(1, 2);
  const writing = spool.write(bytes, 0);
  bytes.fill(0);
  await writing;
  assert.deepEqual(await readAll(spool, 2), [1, 2]);
});

test('more bytes go into a file, with those before and those written meanwhile', async () => {
  const { file, calls } = makeFile();
  let count = 0;
  const spool = makeSpoolFile(async () => {
    count += 1;
    return file;
  }, 4);
  await spool.write(Uint8Array.of(1, 2, 3), 0);
  await Promise.all([spool.write(Uint8Array.of(4, 5), 3), spool.write(Uint8Array.of(6), 5)]);
  assert.deepEqual(await readAll(spool, 6), [1, 2, 3, 4, 5, 6]);
  await spool.close();
  assert.deepEqual([count, calls], [1, ['write 0+3', 'write 3+2', 'write 5+1', 'close']]);
});

test('a file that cannot be made, or written, fails the write and is closed', async () => {
  const missing = makeSpoolFile(() => Promise.reject(new Error('no file')), 1);
  await assert.rejects(missing.write(Uint8Array.of(1, 2), 0), /no file/);
  await missing.close();

  const { file, calls } = makeFile();
  const full = { ...file, write: () => Promise.reject(new Error('disk full')) };
  const spool = makeSpoolFile(async () => full, 1);
  await assert.rejects(spool.write(Uint8Array.of(1, 2), 0), /disk full/);
  await spool.close();
  assert.deepEqual(calls, ['close']);
});
