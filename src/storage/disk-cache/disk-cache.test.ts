import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDiskCache } from './disk-cache.ts';
import { packEntry, unpackEntry } from './entry-file.ts';

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});
function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'swath-disk-cache-'));
  made.push(directory);
  return join(directory, 'tile-cache');
}

const keyOf = (n: number): string => n.toString(16).padStart(2, '0').repeat(16);
const entryOf = (n: number, length = 5000) => ({ bytes: new Uint8Array(length).fill(n), meta: 'png' });
const pathOf = (directory: string, key: string): string => join(directory, key.slice(0, 2), key);
const listFiles = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

type Options = Partial<Parameters<typeof makeDiskCache>[0]>;

async function openCache(directory: string, options: Options = {}) {
  const failures: string[] = [];
  const onFailure = (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message);
  const cache = makeDiskCache({ directory, maxBytes: 2 ** 20, onFailure, ...options });
  await cache.ready();
  const store = async (n: number, length?: number) => {
    cache.put(keyOf(n), entryOf(n, length));
    await cache.settled();
  };
  return { cache, failures, store };
}

test('what is put is got, by this run and the next, and nothing else is', async () => {
  const directory = makeDirectory();
  const { cache, store, failures } = await openCache(directory);
  assert.equal(await cache.get(keyOf(1)), null);
  await store(1);
  assert.deepEqual(await cache.get(keyOf(1)), { ...entryOf(1), bytes: Buffer.from(entryOf(1).bytes) });
  assert.equal(await cache.get('../../../../etc/passwd'), null);
  await cache.close();
  assert.equal(await cache.get(keyOf(1)), null, 'a closed cache has nothing');

  const { cache: next } = await openCache(directory);
  assert.equal((await next.get(keyOf(1)))?.meta, 'png');
  const { hits, misses, usedBytes } = next.stats();
  assert.deepEqual([hits, misses, usedBytes], [1, 0, 8192]);
  await next.close();
  assert.deepEqual(failures, []);
});

test('an entry can be got while the folder is still looked through', async () => {
  const directory = makeDirectory();
  const { cache, store } = await openCache(directory);
  await store(1);
  await cache.close();
  const next = makeDiskCache({ directory, maxBytes: 2 ** 20, onFailure: assert.fail });
  assert.notEqual(await next.get(keyOf(1)), null);
  await next.close();
});

test('a torn, altered, longer, empty or misplaced file is never served, and is removed', async () => {
  const damages: readonly ((path: string) => void)[] = [
    (path) => truncateSync(path, 3000),
    (path) => truncateSync(path, 10),
    (path) => truncateSync(path, 0),
    (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(1)])),
    (path) => writeFileSync(path, readFileSync(path).fill(9, 4000, 4001)),
    (path) => writeFileSync(path, readFileSync(path).fill(9, 7, 8)),
    (path) => writeFileSync(path, packEntry(keyOf(2), entryOf(2)) ?? ''),
    (path) => truncateSync(path, 100 * 2 ** 20),
  ];
  const directory = makeDirectory();
  for (const [i, damage] of damages.entries()) {
    const { cache, store } = await openCache(directory);
    await store(1);
    damage(pathOf(directory, keyOf(1)));
    assert.equal(await cache.get(keyOf(1)), null, `damage ${i}`);
    assert.ok(!existsSync(pathOf(directory, keyOf(1))), `damage ${i}`);
    assert.equal(cache.stats().usedBytes, 0);
    await store(1);
    assert.notEqual(await cache.get(keyOf(1)), null, 'it is stored again');
    rmSync(pathOf(directory, keyOf(1)));
    await cache.close();
  }
});

test('no single changed byte of a file goes unnoticed', () => {
  const file = packEntry(keyOf(1), entryOf(1, 40));
  assert.ok(file !== null);
  for (let i = 0; i < file.length; i++) {
    const altered: Buffer<ArrayBuffer> = Buffer.from(file);
    altered[i] = (altered[i] as number) ^ 1;
    assert.equal(unpackEntry(keyOf(1), altered), null, `byte ${i}`);
  }
  assert.equal(unpackEntry(keyOf(2), file), null);
});

test('the bound holds, on the disk too: those used longest ago go first', async () => {
  const directory = makeDirectory();
  // Room for four files of two blocks.
  const { cache, store } = await openCache(directory, { maxBytes: 4 * 8192 });
  for (const n of [1, 2, 3, 4]) await store(n);
  await cache.get(keyOf(1));
  await store(5);
  await store(6);
  assert.deepEqual([...listFiles(directory)].sort(), [1, 4, 5, 6].map(keyOf));
  const { usedBytes, evicted, written } = cache.stats();
  assert.deepEqual([usedBytes, evicted, written], [4 * 8192, 2, 6]);
  await store(7, 100_000);
  assert.equal(await cache.get(keyOf(7)), null, 'larger than the whole cache');
  assert.equal(cache.stats().dropped, 1);
  await cache.close();

  utimesSync(pathOf(directory, keyOf(6)), 1, 1);
  const { cache: smaller } = await openCache(directory, { maxBytes: 3 * 8192 });
  assert.deepEqual([...listFiles(directory)].sort(), [1, 4, 5].map(keyOf), 'a smaller bound holds at once');
  await smaller.close();
});

for (const [disk, code] of [
  ['full', 'ENOSPC'],
  ['read-only', 'EROFS'],
] as const) {
  test(`a ${disk} disk stops the writing for a minute, is told once, and nothing half-written is left`, async () => {
    const directory = makeDirectory();
    let [timeMs, isBad, tries] = [0, true, 0];
    const { cache, store, failures } = await openCache(directory, {
      nowMs: () => timeMs,
      write: async (path, bytes) => {
        tries += 1;
        writeFileSync(path, isBad ? bytes.subarray(0, 100) : bytes);
        if (isBad) throw Object.assign(new Error(`the disk is ${disk}`), { code });
      },
    });
    await store(1);
    await store(2);
    assert.deepEqual([failures, tries, listFiles(directory)], [[code], 1, []]);
    assert.equal(cache.stats().dropped, 2);
    timeMs = 60_001;
    await store(1);
    assert.deepEqual([failures, tries], [[code], 2], 'still so: it is not reported again');
    timeMs = 130_000;
    isBad = false;
    await store(1);
    assert.notEqual(await cache.get(keyOf(1)), null);
    isBad = true;
    await store(2);
    assert.deepEqual(failures, [code, code], 'again after it worked');
    await cache.close();
  });
}

test('a file that cannot be removed is still counted, and does not stop others from being removed', async () => {
  const directory = makeDirectory();
  let timeMs = 0;
  const stuck = new Set([pathOf(directory, keyOf(1))]);
  const { cache, store, failures } = await openCache(directory, {
    maxBytes: 2 * 8192,
    nowMs: () => timeMs,
    erase: async (path) => {
      if (stuck.has(path)) throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
      rmSync(path, { force: true });
    },
  });
  await store(1);
  await store(2);
  await store(3);
  const isBounded = () => assert.equal(cache.stats().usedBytes, 8192 * listFiles(directory).length);
  assert.deepEqual([failures, cache.stats().evicted, cache.stats().dropped], [['EPERM'], 0, 1]);
  assert.deepEqual([...listFiles(directory)].sort(), [1, 2].map(keyOf));
  isBounded();
  timeMs = 60_001;
  await store(3);
  assert.deepEqual([...listFiles(directory)].sort(), [1, 3].map(keyOf), 'the next one goes instead');
  isBounded();
  truncateSync(pathOf(directory, keyOf(1)), 5000);
  assert.equal(await cache.get(keyOf(1)), null, 'torn, but not to be removed');
  isBounded();
  stuck.clear();
  assert.equal(await cache.get(keyOf(1)), null);
  assert.deepEqual(listFiles(directory), [keyOf(3)]);
  isBounded();
  await cache.close();
});

test('a folder that cannot be written is no error to anybody', async () => {
  const directory = makeDirectory();
  // A file instead of the folder fails for root too, who may write into a read-only folder.
  writeFileSync(directory, '');
  const { cache, store, failures } = await openCache(directory);
  await store(1);
  assert.equal(await cache.get(keyOf(1)), null);
  assert.deepEqual(failures, ['ENOTDIR']);
  await cache.close();
});

test('a folder that vanishes is made again, and what was in it is a miss', async () => {
  const directory = makeDirectory();
  const { cache, store, failures } = await openCache(directory);
  await store(1);
  rmSync(directory, { recursive: true });
  assert.equal(await cache.get(keyOf(1)), null);
  assert.equal(cache.stats().usedBytes, 0);
  await store(1);
  assert.notEqual(await cache.get(keyOf(1)), null);
  await cache.close();
  assert.deepEqual(failures, []);
});

test('one key that is put many times at once is written once; too many keys at once are dropped', async () => {
  const directory = makeDirectory();
  const { cache } = await openCache(directory);
  for (let i = 0; i < 10; i++) cache.put(keyOf(1), entryOf(1));
  for (let n = 2; n < 100; n++) cache.put(keyOf(n), entryOf(n));
  await cache.settled();
  const { written, dropped } = cache.stats();
  assert.equal(written + dropped, 99);
  assert.ok(dropped > 50, `${dropped} dropped`);
  assert.deepEqual(listFiles(directory).length, written);
  await cache.close();
});

test('two caches of one folder do each other no harm', async () => {
  const directory = makeDirectory();
  const bounds = { maxBytes: 6 * 8192 };
  const [one, two] = [await openCache(directory, bounds), await openCache(directory, bounds)];
  for (let n = 1; n < 20; n++) await Promise.all([one.store(n), two.store(n), one.store(n + 50)]);
  for (const { cache, failures } of [one, two]) {
    for (let n = 1; n < 70; n++) {
      const entry = await cache.get(keyOf(n));
      if (entry !== null) assert.ok(entry.bytes.every((byte) => byte === n));
    }
    await cache.close();
    assert.deepEqual(failures, []);
  }
});

test('what a killed run left unfinished is swept away, what is young or not ours is left, links are not followed', async () => {
  const directory = makeDirectory();
  const { cache, store } = await openCache(directory);
  await store(1);
  await cache.close();
  const folder = join(directory, '01');
  const elsewhere = join(directory, '../elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, keyOf(2)), 'precious');
  symlinkSync(elsewhere, join(directory, '02'));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  for (const [name, seconds] of [
    [`${keyOf(1)}.0123456789abcdef.new`, 1],
    [`${keyOf(1)}.fedcba9876543210.new`, Date.now() / 1000],
    // Written before the clock was set back.
    [`${keyOf(1)}.00000000ffffffff.new`, Date.now() / 1000 + 3_600],
  ] as const) {
    writeFileSync(join(folder, name), 'half');
    utimesSync(join(folder, name), seconds, seconds);
  }
  const { cache: next } = await openCache(directory, { maxBytes: 4096 });
  assert.deepEqual(readdirSync(folder).sort(), [`${keyOf(1)}.fedcba9876543210.new`, 'notes.txt']);
  assert.deepEqual(readdirSync(elsewhere), [keyOf(2)]);
  await next.close();
});

test('a file that is swapped under a reader is one entry or the other, never a mixture', async () => {
  const directory = makeDirectory();
  const { cache, store } = await openCache(directory);
  await store(1);
  const path = pathOf(directory, keyOf(1));
  const other = packEntry(keyOf(1), entryOf(7));
  assert.ok(other !== null);
  const readings = Array.from({ length: 20 }, () => cache.get(keyOf(1)));
  writeFileSync(`${path}.x`, other);
  renameSync(`${path}.x`, path);
  for (const entry of await Promise.all(readings)) {
    const [first] = entry?.bytes ?? [];
    assert.ok(first === 1 || first === 7);
    assert.ok(entry?.bytes.every((byte) => byte === first));
  }
  await cache.close();
});
