import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isDataHref, makeDataFiles, makeFolderFiles, mayHoldScenes, toFileHref } from './local-files.ts';

let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'swath-storage-'));
  await writeFile(
    join(directory, 'a.tif'),
    new Uint8Array(1000).map((_, i) => i % 251),
  );
});
after(() => rm(directory, { recursive: true }));

test('ranges are read exactly, also the first byte, the last byte and an empty range', async () => {
  const source = await makeDataFiles(directory)('a.tif');
  assert.equal(source.size, 1000);
  assert.deepEqual([...(await source.read(250, 3))], [250, 0, 1]);
  assert.deepEqual([...(await source.read(999, 1))], [999 % 251]);
  assert.equal((await source.read(1000, 0)).length, 0);
  await source.close();
});

test('a range past the end is refused before memory is allocated', async () => {
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

test('an aborted read rejects', async () => {
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
    // The data directory itself may be a link.
    assert.equal(await read(makeDataFiles(join(other, 'data')), 'a.tif'), 1000);
  } finally {
    await rm(other, { recursive: true });
  }
});

const root = realpathSync(mkdtempSync(join(tmpdir(), 'swath-folders-')));
after(() => rmSync(root, { recursive: true }));
const scenes = join(root, 'scenes');
mkdirSync(join(scenes, 'LC08 with spaces'), { recursive: true });
mkdirSync(join(root, 'scenes-private'));
const inside = join(scenes, 'LC08 with spaces', 'B4.TIF');
const outside = join(root, 'scenes-private', 'secret.tif');
writeFileSync(inside, 'pixels');
writeFileSync(outside, 'secret');
symlinkSync(outside, join(scenes, 'link.tif'));
symlinkSync(inside, join(scenes, 'inner-link.tif'));

test('a file below a named folder opens, with any name, also through a link that stays inside', async () => {
  const open = makeFolderFiles([scenes]);
  for (const href of [inside, join(scenes, 'inner-link.tif')]) {
    const source = await open(href);
    assert.equal(Buffer.from(await source.read(0, 6)).toString(), 'pixels');
    await source.close();
  }
});

test('nothing outside the folders opens: not by dots, a similar name, a link or a relative path', async () => {
  const open = makeFolderFiles([scenes]);
  const hrefs = [
    outside,
    join(scenes, 'link.tif'),
    `${scenes}/../scenes-private/secret.tif`,
    `${scenes}//LC08 with spaces/B4.TIF`,
    `${scenes}/./x.tif`,
    `${inside}\0.tif`,
    'scenes/x.tif',
    scenes,
    '/etc/passwd',
    `${scenes}/${'a'.repeat(5_000)}`,
  ];
  for (const href of hrefs) await assert.rejects(open(href), { code: 'bad-href' }, href.slice(0, 80));
  await assert.rejects(makeFolderFiles([])(inside), { code: 'bad-href' });
});

test('a missing file is a broken source', async () => {
  await assert.rejects(makeFolderFiles([scenes])(join(scenes, 'gone.tif')), { code: 'source-gone' });
});

test('a catalogued path is relative inside the data directory, absolute inside a folder, and refused elsewhere', () => {
  const locations = { dataDir: join(root, 'data'), folders: [scenes] };
  assert.equal(toFileHref(join(root, 'data', 'cogs', 'a.tif'), locations), 'cogs/a.tif');
  assert.equal(toFileHref(inside, locations), inside);
  assert.throws(() => toFileHref(outside, locations), {
    code: 'folder-not-allowed',
    message: /SWATH_SOURCES/,
  });
  // A name that the data directory does not allow.
  assert.throws(() => toFileHref(join(root, 'data', 'a b.tif'), locations), { code: 'folder-not-allowed' });
});

test('a folder may hold scenes if it is inside an allowed folder, is one, or contains one', () => {
  const locations = { dataDir: '/srv/swath', folders: ['/mnt/scenes'] };
  for (const path of ['/mnt/scenes', '/mnt/scenes/2026', '/mnt', '/', '/srv/swath/scenes']) {
    assert.equal(mayHoldScenes(path, locations), true, path);
  }
  for (const path of ['/mnt/scenes-private', '/home', '/srv/swath2']) {
    assert.equal(mayHoldScenes(path, locations), false, path);
  }
});
