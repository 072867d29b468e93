import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BlobRange, ObjectStore } from '../object-store.ts';

/** A fresh, empty store, the same one as another process sees it, and a folder on its disk for files. */
export interface ObjectsUnderTest {
  readonly objects: ObjectStore;
  readonly elsewhere: ObjectStore;
  readonly scratch: string;
}

const LIMIT = { maxBytes: 1_000 };
const put = { contentType: 'application/json', when: 'always' } as const;
/** Larger than a chunk of a stream, and than a part of an upload in tests. */
const LARGE = randomBytes(2_500_001);

async function readText(objects: ObjectStore, key: string): Promise<string | null> {
  const found = await objects.read(key, LIMIT);
  assert.notEqual(found, 'same');
  return found === null || found === 'same' ? null : Buffer.from(found.bytes).toString();
}

async function readStream(objects: ObjectStore, key: string, range: BlobRange | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await objects.stream(key, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function listKeys(objects: ObjectStore, folder: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const page of objects.list(folder)) keys.push(...page.map(({ key }) => key));
  return keys.sort();
}

/** What every ObjectStore promises. */
export function objectStoreContract(name: string, open: () => Promise<ObjectsUnderTest>): void {
  test(`${name}: all that see the same objects know the store by the same id`, async () => {
    const { objects, elsewhere } = await open();
    assert.equal(await objects.identify(), await elsewhere.identify());
    assert.notEqual(await objects.identify(), '');
  });

  test(`${name}: an object is read as it was put, and not again while its ETag is known`, async () => {
    const { objects, elsewhere } = await open();
    assert.equal(await objects.read('a/b.json', LIMIT), null);
    const etag = await objects.put('a/b.json', Buffer.from('one'), put);
    assert.ok(etag !== null);
    assert.equal(await readText(elsewhere, 'a/b.json'), 'one');
    assert.equal(await elsewhere.read('a/b.json', { ...LIMIT, knownEtag: etag }), 'same');
    const second = await elsewhere.put('a/b.json', Buffer.from('two'), put);
    assert.notEqual(second, etag);
    const found = await objects.read('a/b.json', { ...LIMIT, knownEtag: etag });
    assert.ok(found !== null && found !== 'same');
    assert.deepEqual([Buffer.from(found.bytes).toString(), found.etag], ['two', second]);
    assert.ok(found.ageMs < 60_000);
    assert.deepEqual([(await objects.stat('a/b.json'))?.etag, await objects.stat('a')], [second, null]);
  });

  test(`${name}: a condition that is not met writes nothing`, async () => {
    const { objects } = await open();
    const write = (text: string, when: 'absent' | { readonly etag: string }) =>
      objects.put('k', Buffer.from(text), { ...put, when });
    assert.equal(await write('early', { etag: 'none' }), null);
    const first = await write('first', 'absent');
    assert.ok(first !== null);
    assert.equal(await write('late', 'absent'), null);
    assert.equal(await readText(objects, 'k'), 'first');
    const second = await write('second', { etag: first });
    assert.ok(second !== null);
    assert.equal(await write('third', { etag: first }), null);
    assert.equal(await readText(objects, 'k'), 'second');
  });

  test(`${name}: ranges are exact, and null beyond the end or without an object`, async () => {
    const { objects } = await open();
    await objects.put('k', Buffer.from('0123456789'), put);
    const read = async (offset: number, length: number): Promise<string | null> => {
      const bytes = await objects.readRange('k', { offset, length });
      return bytes === null ? null : Buffer.from(bytes).toString();
    };
    assert.deepEqual([await read(0, 10), await read(3, 2), await read(9, 1)], ['0123456789', '34', '9']);
    assert.equal(await read(8, 3), null);
    assert.equal(await objects.readRange('absent', { offset: 0, length: 1 }), null);
  });

  test(`${name}: a file that is published is an object, and streams whole or in part`, async () => {
    const { objects, elsewhere, scratch } = await open();
    const path = join(scratch, 'file');
    await writeFile(path, LARGE);
    const info = await objects.publish('x/y/large', path, { contentType: 'image/tiff' });
    assert.equal(info.bytes, LARGE.length);
    assert.deepEqual((await elsewhere.stat('x/y/large'))?.etag, info.etag);
    assert.ok((await readStream(elsewhere, 'x/y/large', null)).equals(LARGE));
    const range = { start: 1_048_575, end: 2_000_001 };
    assert.ok((await readStream(objects, 'x/y/large', range)).equals(LARGE.subarray(range.start, range.end)));
    await assert.rejects(objects.stream('x/y/none', null), { tag: 'not-found' });
    const absent = objects.publish('x/y/none', join(scratch, 'none'), { contentType: 'image/tiff' });
    await assert.rejects(absent, { tag: 'unavailable', code: 'staged-file-gone' });
  });

  test(`${name}: objects are listed and removed by folder, and others stay`, async () => {
    const { objects, elsewhere } = await open();
    const keys = ['a/1', 'a/b/2', 'a/b/3', 'c/4'];
    for (const key of keys) await objects.put(key, Buffer.from(key), put);
    assert.deepEqual(await listKeys(elsewhere, ''), keys);
    assert.deepEqual(await listKeys(elsewhere, 'a/b/'), ['a/b/2', 'a/b/3']);
    assert.deepEqual(await listKeys(elsewhere, 'none/'), []);
    for await (const page of objects.list('c/'))
      for (const { size, etag } of page)
        assert.deepEqual([size, etag], [3, (await objects.stat('c/4'))?.etag]);
    assert.deepEqual([...(await objects.listFolders(''))].sort(), ['a', 'c']);
    assert.deepEqual(await objects.listFolders('a/'), ['b']);
    await objects.remove('a/b/2');
    await objects.remove('a/b/2');
    assert.deepEqual(await listKeys(elsewhere, 'a/'), ['a/1', 'a/b/3']);
    await objects.removeBelow('a/');
    await objects.removeBelow('a/');
    assert.deepEqual(await listKeys(elsewhere, ''), ['c/4']);
    await objects.put('a/1', Buffer.from('again'), put);
    assert.equal(await readText(elsewhere, 'a/1'), 'again');
  });
}
