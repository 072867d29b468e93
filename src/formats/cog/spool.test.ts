import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputFile } from '../../files/index.ts';
import { nodeFiles } from '../../files/index.ts';
import { planCog } from './plan-cog.ts';
import { makeSpool, makeSpoolFile } from './spool.ts';
import { withFolder } from './testing/write-cog.ts';

const plan = planCog({
  width: 64,
  height: 16,
  bandCount: 1,
  type: 'uint8',
  epsg: null,
  transform: null,
  nodata: null,
  compression: 'none',
  predictor: 1,
  blockSize: 16,
  overviews: 'none',
});

test('a payload whose memory is detached after the call is stored with its size', () =>
  withFolder(async (folder) => {
    const { file } = await nodeFiles.createTemporary(folder);
    try {
      const spool = makeSpool(file, plan);
      for (let block = 0; block < 4; block++) {
        const buffer = new ArrayBuffer(10 + block);
        const payload = new Uint8Array(buffer).fill(block);
        const appended = spool.append(0, block, payload);
        // as the kernels' memory is when it grows
        buffer.transfer();
        assert.equal(payload.length, 0);
        await appended;
      }
      assert.deepEqual([...spool.levels[0]!.sizes], [10, 11, 12, 13]);
      const replayed: number[] = [];
      await spool.replay(0, async (bytes) => void replayed.push(...bytes));
      assert.equal(replayed.length, 46 + 4 * 8);
      assert.deepEqual(replayed.slice(0, 6), [10, 0, 0, 0, 0, 0]);
    } finally {
      await file.close();
    }
  }));

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

test('written bytes are copied', async () => {
  const spool = makeSpoolFile(() => assert.fail('a file was made'), 10);
  const bytes = Uint8Array.of(1, 2);
  const writing = spool.write(bytes, 0);
  bytes.fill(0);
  await writing;
  assert.deepEqual(await readAll(spool, 2), [1, 2]);
});

test('more bytes are moved to a file, with earlier ones and those written meanwhile', async () => {
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

test('a file that cannot be created or written fails the write and is closed', async () => {
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
