import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { makeResultCache } from './result-cache.ts';
import { joinFolder, makeFolderHandle } from './shared-folder.ts';

const nameOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(16);
const resultOf = (n: number) => ({ bytes: new Uint8Array(5_000).fill(n), meta: 'image/png' });

function makeDirectory(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-results-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'tile-cache');
}

const open = (directory: string) => makeResultCache(joinFolder(makeFolderHandle(directory, 2 ** 20)));

test('this process and the next find a result with its meta', async (t) => {
  const directory = makeDirectory(t);
  const cache = open(directory);
  assert.equal(await cache.find(nameOf(1)), null);
  assert.equal(cache.store(nameOf(1), resultOf(1)), true);
  assert.deepEqual(await cache.find(nameOf(1)), resultOf(1), 'before it is on disk');
  await cache.settled();
  const { hits, misses, written, usedBytes, budgetBytes } = cache.stats();
  assert.deepEqual([hits, misses, written, usedBytes, budgetBytes], [1, 1, 1, 8_192, 2 ** 20]);

  const next = open(directory);
  assert.deepEqual(await next.find(nameOf(1)), resultOf(1));
  assert.deepEqual([next.stats().hits, next.stats().misses], [1, 0]);
});

test('a name that is not a digest is neither found nor stored', async (t) => {
  const cache = open(makeDirectory(t));
  for (const name of ['../../../../etc/passwd', '', 'ab', nameOf(0xab).toUpperCase()]) {
    assert.equal(await cache.find(name), null);
    assert.equal(cache.store(name, resultOf(1)), false);
  }
});

test('without a folder nothing is cached', async () => {
  const cache = makeResultCache(null);
  assert.equal(cache.store(nameOf(1), resultOf(1)), false);
  assert.equal(await cache.find(nameOf(1)), null);
  await cache.settled();
  assert.equal(cache.stats().budgetBytes, 0);
});

test('a result of another node is found after memory and disk, and then cached in memory', async () => {
  const shared = new Map<string, Uint8Array<ArrayBuffer>>();
  let asked = 0;
  const place = {
    async find(name: string) {
      asked += 1;
      return shared.get(name) ?? null;
    },
    store: (name: string, packed: Uint8Array) => void shared.set(name, new Uint8Array(packed)),
  };
  const [one, two] = [makeResultCache(null, place), makeResultCache(null, place)];
  const name = 'a'.repeat(32);
  const result = { bytes: Uint8Array.of(1, 2), meta: 'png' };
  assert.equal(await two.find(name), null);
  assert.equal(one.store(name, result), true);
  assert.deepEqual(await one.find(name), result);
  assert.equal(asked, 1, 'what was drawn here is in memory');
  assert.deepEqual(await two.find(name), result);
  assert.deepEqual(await two.find(name), result);
  assert.equal(asked, 2);
  assert.equal(await two.find('../a'), null, 'nothing but a digest is a name');
  assert.equal(asked, 2);
});
