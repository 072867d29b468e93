import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { BlobInfo, BlobStore, ListedBlob } from '../blob-store.ts';
import type { BlobRange } from '../object-store.ts';

/** A fresh, empty store, and the same one as another process sees it. */
interface BlobsUnderTest {
  readonly blobs: BlobStore;
  readonly elsewhere: BlobStore;
}

const meta = { contentType: 'image/tiff' };

/** Stages and publishes some bytes. */
export async function publishBytes(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<BlobInfo> {
  const staged = await blobs.stage(key);
  await writeFile(staged.path, bytes);
  return staged.publish(meta);
}

/** Reads a blob to its end. */
export async function readBytes(
  blobs: BlobStore,
  key: string,
  range: BlobRange | null = null,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await blobs.read(key, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** All blobs, in the order of their keys. */
export async function listAll(blobs: BlobStore): Promise<readonly ListedBlob[]> {
  const found: ListedBlob[] = [];
  for await (const blob of blobs.list()) found.push(blob);
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Larger than one chunk of any store, and than a part of an upload in tests. */
const LARGE = randomBytes(2_500_001);

/** What every BlobStore promises. */
export function blobStoreContract(name: string, open: () => Promise<BlobsUnderTest>): void {
  test(`${name}: all that see the same blobs know the store by the same id, which is not listed`, async () => {
    const { blobs, elsewhere } = await open();
    const ids = await Promise.all([blobs, elsewhere, blobs, elsewhere].map((store) => store.identify()));
    assert.equal(new Set(ids).size, 1);
    assert.notEqual(ids[0], '');
    assert.deepEqual(await listAll(blobs), []);
    await blobs.sweep({ olderThanMs: 0 });
    assert.equal(await elsewhere.identify(), ids[0]);
  });

  test(`${name}: what is published is found whole, here and elsewhere, and nothing before`, async () => {
    const { blobs, elsewhere } = await open();
    for (const [key, bytes] of [
      ['0b6f0f6e-6f8e-4a2e-9d6a-0c6f1f6f0001.1', LARGE],
      ['small.1', Buffer.from('abc')],
      ['empty.1', Buffer.alloc(0)],
    ] as const) {
      const staged = await blobs.stage(key);
      assert.ok(!existsSync(staged.path), 'the path is free');
      await writeFile(staged.path, bytes);
      assert.equal(await blobs.stat(key), null);
      await assert.rejects(blobs.read(key, null), { tag: 'not-found', code: 'result-gone' });
      const info = await staged.publish(meta);
      assert.equal(info.bytes, bytes.length);
      assert.match(info.etag, /^[\w-]{20,}$/);
      assert.ok(Math.abs(info.modifiedAtMs - Date.now()) < 60_000, `${info.modifiedAtMs}`);
      assert.deepEqual((await elsewhere.stat(key))?.etag, info.etag);
      assert.deepEqual((await blobs.stat(key))?.bytes, bytes.length);
      assert.ok((await readBytes(elsewhere, key)).equals(bytes), key);
      assert.ok(!existsSync(dirname(staged.path)), 'nothing is left of what was staged');
      await staged.discard();
      assert.ok((await readBytes(blobs, key)).equals(bytes), 'discarding afterwards does nothing');
    }
  });

  test(`${name}: ranges are exact, and one beyond the end is an error`, async () => {
    const { blobs } = await open();
    await publishBytes(blobs, 'k.1', LARGE);
    for (const [start, end] of [
      [0, 1],
      [0, LARGE.length],
      [1, 2],
      [262_143, 262_145],
      [1_048_575, 1_048_577],
      [1_000_000, 2_400_000],
      [LARGE.length - 1, LARGE.length],
    ] as const) {
      assert.ok(
        (await readBytes(blobs, 'k.1', { start, end })).equals(LARGE.subarray(start, end)),
        `${start}-${end}`,
      );
    }
    await assert.rejects(readBytes(blobs, 'k.1', { start: 2_000_000, end: LARGE.length + 1 }), {
      code: 'result-cut',
    });
    await assert.rejects(blobs.read('k.2', { start: 0, end: 1 }), { tag: 'not-found', code: 'result-gone' });
  });

  test(`${name}: nothing is read before it is asked for, and a cancelled stream ends`, async () => {
    const { blobs } = await open();
    await publishBytes(blobs, 'k.1', LARGE);
    const stream = await blobs.read('k.1', null);
    const reader = stream.getReader();
    const { value } = await reader.read();
    assert.ok(value !== undefined && value.length < LARGE.length);
    await reader.cancel('the client has gone');
    assert.deepEqual(await reader.read(), { done: true, value: undefined });
  });

  test(`${name}: another blob under the same key replaces the first, with another ETag`, async () => {
    const { blobs, elsewhere } = await open();
    const first = await publishBytes(blobs, 'k.1', Buffer.from('first'));
    const second = await publishBytes(elsewhere, 'k.1', Buffer.from('secnd'));
    assert.notEqual(first.etag, second.etag);
    assert.equal((await blobs.stat('k.1'))?.etag, second.etag);
    assert.equal((await readBytes(blobs, 'k.1')).toString(), 'secnd');
    assert.equal((await listAll(blobs)).length, 1);
  });

  test(`${name}: what is discarded leaves nothing, also files next to it`, async () => {
    const { blobs } = await open();
    const staged = await blobs.stage('k.1');
    await writeFile(staged.path, 'half');
    await writeFile(join(dirname(staged.path), '.swath-0011.part'), 'more');
    await staged.discard();
    await staged.discard();
    assert.ok(!existsSync(dirname(staged.path)));
    assert.equal(await blobs.stat('k.1'), null);
    await assert.rejects(staged.publish(meta), { tag: 'unavailable', code: 'staged-file-gone' });
    assert.equal(await blobs.stat('k.1'), null);
  });

  test(`${name}: a removed blob is gone, also the second time, and the others stay`, async () => {
    const { blobs, elsewhere } = await open();
    for (const key of ['a.1', 'b.1']) await publishBytes(blobs, key, Buffer.from(key));
    await elsewhere.remove('a.1');
    await blobs.remove('a.1');
    await blobs.remove('never.1');
    assert.equal(await blobs.stat('a.1'), null);
    assert.equal((await readBytes(blobs, 'b.1')).toString(), 'b.1');
  });

  test(`${name}: all blobs are listed with what is known of them, and nothing that is staged`, async () => {
    const { blobs } = await open();
    const keys = Array.from({ length: 7 }, (_, i) => `task-${i}.${i + 1}`);
    for (const key of keys) await publishBytes(blobs, key, Buffer.from(key));
    const staged = await blobs.stage('other.1');
    await writeFile(staged.path, 'half');
    const listed = await listAll(blobs);
    assert.deepEqual(
      listed.map(({ key }) => key),
      keys,
    );
    for (const { key, ...info } of listed) {
      const known = await blobs.stat(key);
      assert.deepEqual([info.bytes, info.etag], [known?.bytes, known?.etag]);
      assert.ok(Math.abs(info.modifiedAtMs - (known?.modifiedAtMs ?? 0)) < 1_000);
    }
    await staged.discard();
  });

  test(`${name}: names that could lead elsewhere are refused by everything`, async () => {
    const { blobs } = await open();
    for (const key of [
      '',
      '.',
      '..',
      '.x',
      'a/b',
      '../x',
      'a\\b',
      'a b',
      'é',
      'a\0',
      'a'.repeat(101),
      '-a',
      'a?b',
    ]) {
      const refused = { tag: 'internal', code: 'bad-blob-key' };
      await assert.rejects(blobs.stage(key), refused, key);
      await assert.rejects(blobs.stat(key), refused, key);
      await assert.rejects(blobs.read(key, null), refused, key);
      await assert.rejects(blobs.remove(key), refused, key);
    }
    assert.deepEqual(await listAll(blobs), []);
  });

  test(`${name}: a sweep removes what a dead process has staged, and nothing of a live one`, async () => {
    const { blobs, elsewhere } = await open();
    const [own, other] = [await blobs.stage('own.1'), await elsewhere.stage('other.1')];
    for (const { path } of [own, other]) await writeFile(path, 'half');
    await publishBytes(blobs, 'done.1', Buffer.from('done'));
    assert.equal((await blobs.sweep({ olderThanMs: 60_000 })).staged, 0);
    assert.ok(existsSync(other.path), 'it may be alive');
    assert.equal((await blobs.sweep({ olderThanMs: 0 })).staged, 1);
    assert.ok(existsSync(own.path), 'this process is alive');
    assert.ok(!existsSync(dirname(other.path)));
    assert.equal((await readBytes(blobs, 'done.1')).toString(), 'done');
    await assert.rejects(other.publish(meta), { tag: 'unavailable' });
    assert.equal((await own.publish(meta)).bytes, 4);
    await other.discard();
  });

  test(`${name}: a call whose signal is aborted does nothing, and says why`, async () => {
    const { blobs } = await open();
    const staged = await blobs.stage('k.1');
    await writeFile(staged.path, LARGE);
    const gone = AbortSignal.abort('the client has gone');
    const isCancelled = (error: unknown): boolean => isSwathError(error) && error.tag === 'cancelled';
    await assert.rejects(staged.publish(meta, gone), isCancelled);
    assert.equal(await blobs.stat('k.1'), null);
    assert.equal((await staged.publish(meta)).bytes, LARGE.length, 'it is still staged');
    await assert.rejects(blobs.read('k.1', null, gone), isCancelled);
  });
}
