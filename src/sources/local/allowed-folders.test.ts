import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolderFiles, mayHoldScenes, toFileHref } from './allowed-files.ts';

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

test('a file below a named folder opens, whatever its name, also through a link that stays inside', async () => {
  const open = makeFolderFiles([scenes]);
  for (const href of [inside, join(scenes, 'inner-link.tif')]) {
    const source = await open(href);
    assert.equal(Buffer.from(await source.read(0, 6)).toString(), 'pixels');
    await source.close();
  }
});

test('nothing outside the folders opens: by dots, by a like name, by a link, by a relative path', async () => {
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

test('a file that is gone is a broken source', async () => {
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
  // A name the data directory does not take.
  assert.throws(() => toFileHref(join(root, 'data', 'a b.tif'), locations), { code: 'folder-not-allowed' });
});

test('a folder may hold scenes when it lies in an allowed folder, is one, or has one in it', () => {
  const locations = { dataDir: '/srv/swath', folders: ['/mnt/scenes'] };
  for (const path of ['/mnt/scenes', '/mnt/scenes/2026', '/mnt', '/', '/srv/swath/scenes']) {
    assert.equal(mayHoldScenes(path, locations), true, path);
  }
  for (const path of ['/mnt/scenes-private', '/home', '/srv/swath2']) {
    assert.equal(mayHoldScenes(path, locations), false, path);
  }
});
