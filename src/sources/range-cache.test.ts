import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sourceBroken } from '../errors.ts';
import type { FolderHandle } from '../files/index.ts';
import { joinFolder, makeFolderHandle, readFolderStats } from '../files/index.ts';
import { waitFor } from '../testing/wait-for.ts';
import type { ByteSource } from './byte-source.ts';
import { withRangeCache } from './range-cache.ts';
import { withRangeMerging } from './range-merging.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-range-cache-'));
after(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
function makeHandle(): FolderHandle {
  made += 1;
  return makeFolderHandle(join(root, String(made)), 2 ** 27);
}

const FILE = new Uint8Array(4_000_000).map((_, i) => (i * 7 + (i >> 8)) % 251);
const bytesAt = (offset: number, length: number): Uint8Array => FILE.slice(offset, offset + length);
const changed = () => sourceBroken('source-changed', 'A file of this scene changed while it was read.');

interface Options {
  readonly key?: string;
  readonly isFresh?: boolean;
}

/** A remote file read through the cache of one thread, with a fake clock. */
function openFile(handle: FolderHandle, { key = 'ab'.repeat(16), isFresh = true }: Options = {}) {
  const reads: (readonly [number, number])[] = [];
  const state = { nowMs: 0, confirms: 0, error: null as Error | null, due: [] as (() => void)[] };
  const origin: ByteSource = {
    id: 'http://store/a.tif',
    version: 'one',
    size: FILE.length,
    async read(offset, length) {
      reads.push([offset, length]);
      if (state.error !== null) throw state.error;
      return bytesAt(offset, length);
    },
    close: async () => {},
  };
  const folder = joinFolder(handle);
  const source = withRangeCache(withRangeMerging(origin), {
    folder,
    key,
    isFresh,
    async confirm() {
      state.confirms += 1;
      if (state.error !== null) throw state.error;
    },
    isLost: (error) => (error as { code?: string }).code === 'source-changed',
    nowMs: () => state.nowMs,
    schedule(run) {
      state.due.push(run);
      return () => {
        state.due.splice(state.due.indexOf(run), 1);
      };
    },
  });
  return {
    state,
    settled: folder.settled,
    /** Ranges requested since the last call. */
    takeReads: () => reads.splice(0),
    async expect(offset: number, length: number) {
      assert.deepEqual(await source.read(offset, length), bytesAt(offset, length));
      await folder.settled();
    },
    source,
  };
}

test('bytes are requested once: for whole reads, partial ones, reads over two ranges, and other threads', async () => {
  const handle = makeHandle();
  const one = openFile(handle);
  await one.expect(1000, 500);
  await one.expect(1500, 500);
  assert.deepEqual(one.takeReads(), [
    [1000, 500],
    [1500, 500],
  ]);
  const two = openFile(handle);
  for (const file of [one, two]) {
    await file.expect(1000, 500);
    await file.expect(1100, 10);
    await file.expect(1200, 700);
    assert.deepEqual(file.takeReads(), []);
  }
  const { hits, misses, readBytes, writtenBytes } = readFolderStats(handle);
  assert.deepEqual([hits, misses, readBytes], [6, 2, 2 * (500 + 500 + 1000)]);
  assert.ok(writtenBytes >= 1000);
});

test('bytes that are read once are not stored, and stored ones answer them', async () => {
  const handle = makeHandle();
  const { source, settled, takeReads, expect } = openFile(handle);
  const copy = (bytes: Uint8Array): Uint8Array => bytes.slice();
  await expect(3000, 100);
  assert.deepEqual(await source.withBytesOnce!({ offset: 1000, length: 500 }, copy), bytesAt(1000, 500));
  await settled();
  assert.equal(readFolderStats(handle).written, 1);
  assert.deepEqual(await source.withBytesOnce!({ offset: 3000, length: 100 }, copy), bytesAt(3000, 100));
  await source.withBytes!({ offset: 1000, length: 500 }, copy);
  await settled();
  assert.deepEqual(takeReads(), [
    [3000, 100],
    [1000, 500],
    [1000, 500],
  ]);
  assert.equal(readFolderStats(handle).written, 2);
});

test('stored bytes are located without a request, a hit or a miss', async () => {
  const handle = makeHandle();
  const { source, expect, takeReads } = openFile(handle);
  await expect(1000, 500);
  takeReads();
  const before = readFolderStats(handle);
  const ranges = [
    { offset: 1000, length: 500 },
    { offset: 1400, length: 200 },
    { offset: 9000, length: 10 },
  ];
  assert.deepEqual(await source.locate?.(ranges), { memory: 0, disk: 600 });
  assert.deepEqual(takeReads(), []);
  assert.deepEqual(readFolderStats(handle), before);
});

test('only missing parts are requested, and ranges that another thread stores later are found', async () => {
  const handle = makeHandle();
  const [one, two] = [openFile(handle), openFile(handle)];
  await one.expect(1000, 500);
  await two.expect(50_000, 20_000);
  two.takeReads();
  await one.expect(2000, 500);
  two.state.nowMs += 1_000;
  await two.expect(2100, 300);
  assert.deepEqual(two.takeReads(), []);
  await two.expect(900, 1700);
  assert.deepEqual(two.takeReads(), [[900, 1700]], 'ranges with such a small gap are read as one');
  const far = openFile(handle);
  await far.expect(2000, 100_000);
  assert.deepEqual(far.takeReads(), [
    [2600, 47_400],
    [70_000, 32_000],
  ]);
});

test('reads issued together are still merged, and each is stored as its own range', async () => {
  const handle = makeHandle();
  const { source, takeReads, settled, expect } = openFile(handle);
  const offsets = [0, 1, 2, 3].map((i) => 100_000 + i * 10_000);
  const found = await Promise.all(offsets.map((offset) => source.read(offset, 9_000)));
  assert.deepEqual(
    found,
    offsets.map((offset) => bytesAt(offset, 9_000)),
  );
  assert.deepEqual(takeReads(), [[100_000, 39_000]]);
  await settled();
  for (const offset of offsets) await expect(offset, 9_000);
  assert.deepEqual(takeReads(), []);
});

test('callers do not share memory with the cache; long reads are stored in pieces', async () => {
  const handle = makeHandle();
  const { source, settled, expect, takeReads } = openFile(handle);
  (await source.read(10, 3_000_000)).fill(0);
  await settled();
  (await source.read(20, 50)).fill(0);
  await expect(10, 3_000_000);
  assert.deepEqual(takeReads(), [[10, 3_000_000]]);
  const files = readdirSync(handle.directory, { recursive: true }).filter((name) =>
    String(name).includes('+'),
  );
  assert.equal(files.length, 3);
});

test('a damaged or truncated range on disk is requested again', async () => {
  const handle = makeHandle();
  const first = openFile(handle);
  const path = join(handle.directory, 'ab', 'ab'.repeat(16), '3e8+1f4');
  const damages: readonly (() => void)[] = [
    () =>
      writeFileSync(
        path,
        readFileSync(path).map((byte, i) => (i === 300 ? byte ^ 1 : byte)),
      ),
    () => truncateSync(path, 300),
    () => rmSync(path),
  ];
  await first.expect(1000, 500);
  for (const damage of damages) {
    damage();
    const { expect, takeReads } = openFile(handle);
    await expect(1000, 500);
    assert.deepEqual(takeReads(), [[1000, 500]]);
    await expect(1000, 500);
    assert.deepEqual(takeReads(), [], 'it is stored again');
  }
});

test('another state of the file, or another account, finds no stored ranges', async () => {
  const handle = makeHandle();
  await openFile(handle).expect(1000, 500);
  const other = openFile(handle, { key: 'cd'.repeat(16) });
  await other.expect(1000, 500);
  assert.deepEqual(other.takeReads(), [[1000, 500]]);
});

test('a range outside the file, or an empty one, goes to the source', async () => {
  const { source } = openFile(makeHandle());
  assert.equal((await source.read(5, 0)).length, 0);
  for (const [offset, length] of [
    [FILE.length, 1],
    [-1, 1],
    [Number.NaN, 1],
  ] as const) {
    await assert.rejects(source.read(offset, length), { code: 'source-short' });
  }
});

test('a cancelled read is not answered from disk', async () => {
  const { source, expect } = openFile(makeHandle());
  await expect(1000, 500);
  await assert.rejects(source.read(1000, 500, AbortSignal.abort()), { tag: 'cancelled' });
});

test('a file read only from disk is confirmed after a read, once a minute, unless its store has just answered', async () => {
  const handle = makeHandle();
  const fresh = openFile(handle);
  await fresh.expect(1000, 500);
  await fresh.expect(1000, 500);
  assert.equal(fresh.state.due.length, 0);

  const { state, expect } = openFile(handle, { isFresh: false });
  await expect(1000, 500);
  await expect(1000, 500);
  assert.deepEqual([state.due.length, state.confirms], [1, 0]);
  // Another read has reached the store meanwhile.
  await expect(9000, 10);
  state.due.pop()?.();
  assert.equal(state.confirms, 0);
  state.nowMs = 60_001;
  await expect(1000, 500);
  state.due.pop()?.();
  assert.equal(state.confirms, 1);
  await waitFor(async () => {
    await expect(1000, 500);
    return state.due.length === 0;
  });
});

test('a file that one reader has closed is still confirmed for the others', async () => {
  const handle = makeHandle();
  await openFile(handle).expect(1000, 500);
  const { state, expect, source } = openFile(handle, { isFresh: false });
  await expect(1000, 500);
  await source.close();
  assert.equal(state.due.length, 0);
  await expect(1000, 500);
  assert.equal(state.due.length, 1);
});

test('after a change of the file none of its bytes are read any more, not even from disk', async () => {
  const handle = makeHandle();
  await openFile(handle).expect(1000, 500);
  const behind = openFile(handle, { isFresh: false });
  await behind.expect(1000, 500);
  behind.state.error = changed();
  behind.state.due.pop()?.();
  assert.equal(behind.source.isLost?.(), false);
  await waitFor(() => behind.source.isLost?.() === true);
  await assert.rejects(behind.source.read(1000, 500), { code: 'source-changed' });

  await openFile(handle).expect(1000, 500);
  const within = openFile(handle, { isFresh: false });
  await within.expect(1000, 500);
  within.state.error = changed();
  await assert.rejects(within.source.read(1000, 1000), { code: 'source-changed' });
  await assert.rejects(within.source.read(1000, 500), { code: 'source-changed' });
  const next = openFile(handle);
  await next.expect(1000, 500);
  assert.deepEqual(next.takeReads(), [[1000, 500]], 'its stored ranges were removed');
});

test('stored ranges are read while the store does not answer', async () => {
  const handle = makeHandle();
  await openFile(handle).expect(1000, 500);
  const { state, expect, source } = openFile(handle, { isFresh: false });
  state.error = sourceBroken('source-unreachable', 'A store of this scene cannot be reached.');
  for (let i = 0; i < 3; i += 1) {
    await expect(1000, 500);
    state.due.pop()?.();
    await waitFor(() => state.confirms === i + 1);
    await waitFor(async () => {
      await expect(1000, 500);
      return state.due.length > 0;
    });
  }
  await assert.rejects(source.read(9000, 10), { code: 'source-unreachable' });
});
