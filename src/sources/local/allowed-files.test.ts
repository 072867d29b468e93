import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isDataHref, makeDataFiles } from './allowed-files.ts';

let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'swath-storage-'));
  await writeFile(
    join(directory, 'a.tif'),
    Uint8Array.from({ length: 1000 }, (_, i) => i % 251),
  );
});
after(() => rm(directory, { recursive: true }));

test('ranges are read exactly, also the first and last byte and none', async () => {
  const source = await makeDataFiles(directory)('a.tif');
  assert.equal(source.size, 1000);
  assert.deepEqual([...(await source.read(250, 3))], [250, 0, 1]);
  assert.deepEqual([...(await source.read(999, 1))], [999 % 251]);
  assert.equal((await source.read(1000, 0)).length, 0);
  await source.close();
});

test('a range past the end is refused before anything is allocated', async () => {
  const source = await makeDataFiles(directory)('a.tif');
  for (const [offset, length] of [
    [999, 2],
    [0, 1e15],
    [-1, 1],
    [Number.NaN, 1],
    [0, -1],
  ] as const) {
    await assert.rejects(source.read(offset, length), { tag: 'source-broken', code: 'source-short' });
  }
  await source.close();
});

test('a file that shrinks while open is an error, never zeros', async () => {
  await writeFile(join(directory, 'shrinking.tif'), new Uint8Array(1000).fill(7));
  const source = await makeDataFiles(directory)('shrinking.tif');
  await truncate(join(directory, 'shrinking.tif'), 500);
  await assert.rejects(source.read(400, 200), { code: 'source-short' });
  await source.close();
});

test('an aborted read gives nothing', async () => {
  const source = await makeDataFiles(directory)('a.tif');
  await assert.rejects(source.read(0, 1, AbortSignal.abort()), { tag: 'cancelled' });
  await source.close();
});

test('absent files and forbidden addresses are broken sources', async () => {
  const open = makeDataFiles(directory);
  await assert.rejects(open('absent.tif'), { tag: 'source-broken' });
  for (const href of [
    '../a.tif',
    '/etc/passwd',
    'x/../../a',
    'a\u0000',
    'C:\\a',
    './a.tif',
    'a//b',
    '.hidden',
    'x/.ssh',
    '',
  ]) {
    assert.equal(isDataHref(href), false, href);
    await assert.rejects(open(href), { code: 'bad-href' }, href);
  }
  assert.equal(isDataHref('scenes/demo/S2_31TDH/B8A.tif'), true);
});

test('a symbolic link is followed inside the data directory and into named folders, and nowhere else', async () => {
  const other = await mkdtemp(join(tmpdir(), 'swath-elsewhere-'));
  try {
    await writeFile(join(other, 'far.tif'), 'elsewhere');
    await mkdir(join(directory, 'scenes'));
    await symlink(join(directory, 'a.tif'), join(directory, 'scenes/near.tif'));
    await symlink(join(other, 'far.tif'), join(directory, 'scenes/far.tif'));
    await symlink(other, join(directory, 'scenes/folder'));
    await symlink(join(directory, 'scenes/loop.tif'), join(directory, 'scenes/loop.tif'));
    await symlink(directory, join(other, 'data'));
    const open = makeDataFiles(directory);
    const read = async (from: typeof open, href: string): Promise<number> => {
      const source = await from(href);
      await source.close();
      return source.size;
    };
    assert.equal(await read(open, 'scenes/near.tif'), 1000);
    for (const href of ['scenes/far.tif', 'scenes/folder/far.tif']) {
      await assert.rejects(open(href), { code: 'bad-href' }, href);
      assert.equal(await read(makeDataFiles(directory, [other]), href), 9);
    }
    await assert.rejects(open('scenes/loop.tif'), { code: 'source-unreadable' });
    // The data directory may be reached by a link itself.
    assert.equal(await read(makeDataFiles(join(other, 'data')), 'a.tif'), 1000);
  } finally {
    await rm(other, { recursive: true });
  }
});
