import assert from 'node:assert/strict';
import { rename, stat, symlink, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { notAllowed } from '../../errors.ts';
import { geometryBounds, relates } from '../../geo/index.ts';
import { toLandsatOdl } from '../families/testing/product-texts.ts';
import { ingestFolder } from './ingest-folder.ts';
import { L8, landsat, SCENE, withFolder, writeLandsat, writeSafe } from './testing/make-folder.ts';

test('a second run opens no image and changes nothing; a changed file is read again', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    const first = await ingestFolder(folder.options);
    assert.deepEqual(
      first.products.map(({ outcome, change }) => [outcome, change]),
      [['ingested', 'added']],
    );
    folder.takeOpened();
    const second = await ingestFolder(folder.options);
    assert.deepEqual(
      second.products.map(({ outcome }) => outcome),
      ['unchanged'],
    );
    assert.deepEqual(folder.takeOpened(), [`${L8}/${L8}_MTL.txt`]);
    await folder.writeImage(`${L8}/${L8}_B4.TIF`, { ...SCENE, size: 32 });
    await utimes(join(folder.root, L8, `${L8}_B4.TIF`), 1, 1);
    const third = await ingestFolder(folder.options);
    assert.deepEqual(
      third.products.map(({ outcome, change }) => [outcome, change]),
      [['ingested', 'replaced']],
    );
  }));

test('replacing an image by one of the same size and type gives another version', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await ingestFolder(folder.options);
    const before = folder.scenes.get('L8/LC80160372017225LGN00')!;
    const path = join(folder.root, L8, `${L8}_B4.TIF`);
    const { size, mtimeMs } = await stat(path);
    assert.deepEqual(before.assets.B4?.stamps, [`${size}-${mtimeMs}`]);
    await folder.writeImage('new.tif', { ...SCENE, nodata: 0, fill: () => 9 });
    // Within the same second, and not newer than the one before: mv preserves the time of the file.
    await utimes(join(folder.root, 'new.tif'), mtimeMs / 1000 - 0.2, mtimeMs / 1000 - 0.2);
    await rename(join(folder.root, 'new.tif'), path);
    assert.equal((await stat(path)).size, size);
    const { products } = await ingestFolder(folder.options);
    assert.deepEqual(
      products.map(({ outcome, change }) => [outcome, change]),
      [['ingested', 'replaced']],
    );
    const after = folder.scenes.get(before.viewId)!;
    assert.notEqual(after.version, before.version);
    assert.notDeepEqual(after.assets.B4?.stamps, before.assets.B4?.stamps);
    assert.deepEqual(after.assets.B10, before.assets.B10);
  }));

test('the record holds the states of sidecars too', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await folder.writeImage(`${L8}/${L8}_B4.TIF.ovr`, { ...SCENE, size: 8 });
    await ingestFolder(folder.options);
    const { B4 } = folder.scenes.get('L8/LC80160372017225LGN00')!.assets;
    const found = await Promise.all(
      ['', '.ovr'].map((suffix) => stat(join(folder.root, L8, `${L8}_B4.TIF${suffix}`))),
    );
    assert.deepEqual([B4?.sidecars, B4?.overviews.length], [['.ovr'], 1]);
    assert.deepEqual(
      B4?.stamps,
      found.map(({ size, mtimeMs }) => `${size}-${mtimeMs}`),
    );
  }));

test('a chain of 120 folders and a cycle of links are skipped and reported, and everything else is ingested', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await folder.write(`${'d/'.repeat(120)}B4.TIF`, 'x');
    await symlink(folder.root, join(folder.root, 'circle'));
    const { totals, products } = await ingestFolder(folder.options);
    assert.deepEqual(totals, { ingested: 1, unchanged: 0, skipped: 2, broken: 0 });
    assert.deepEqual(
      products.filter(({ outcome }) => outcome === 'skipped').map(({ product, code }) => [product, code]),
      [
        ['circle', 'link-not-followed'],
        ['d/'.repeat(25).slice(0, -1), 'folder-too-deep'],
      ],
    );
  }));

test('a broken product is reported and refused as a whole; the others are ingested', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder, 'good/');
    const other = L8.replace('016037', '017037');
    await folder.write(`bad/${other}_MTL.txt`, 'GROUP = L1_METADATA_FILE\n');
    await folder.writeImage(`bad/${other}_B4.TIF`, SCENE);
    const cut = L8.replace('016037', '018037');
    await folder.writeImage(`cut/${cut}_B4.TIF`, SCENE);
    await folder.writeImage(`cut/${cut}_B5.TIF`, SCENE);
    await truncate(join(folder.root, `cut/${cut}_B5.TIF`), 60);
    const swapped = L8.replace('016037', '019037');
    await folder.write(`swapped/${swapped}_MTL.txt`, toLandsatOdl(landsat));
    await folder.writeImage(`swapped/${swapped}_B4.TIF`, SCENE);
    const report = await ingestFolder(folder.options);
    assert.deepEqual(report.totals, { ingested: 1, unchanged: 0, skipped: 0, broken: 3 });
    assert.deepEqual([...folder.scenes.keys()], ['L8/LC80160372017225LGN00']);
    const broken = report.products.filter(({ outcome }) => outcome === 'broken');
    assert.deepEqual(broken.map(({ product, code }) => [product.split('/')[0], code]).slice(0, 1), [
      ['bad', 'metadata-bad-mtl'],
    ]);
    assert.match(broken.find(({ product }) => product.startsWith('cut'))?.reason ?? '', /_B5\.TIF/);
    assert.equal(broken.find(({ product }) => product.startsWith('swapped'))?.code, 'metadata-of-another');
  }));

test('a band far from the others is omitted together with its mask', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await folder.writeImage(`${L8}/${L8}_B5.TIF`, SCENE);
    await folder.writeImage(`${L8}/${L8}_BQA.TIF`, { ...SCENE, west: 471_600 - 400_000 });
    const report = await ingestFolder(folder.options);
    assert.deepEqual(report.products[0]?.notes, ['BQA is left out: it lies far from the other bands.']);
    const scene = folder.scenes.get('L8/LC80160372017225LGN00')!;
    assert.deepEqual(Object.keys(scene.assets), ['B4', 'B5', 'B10']);
    assert.equal(scene.cloudMask, undefined);
  }));

test('files that the catalog may not refer to are not read', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    const toHref = () => {
      throw notAllowed('folder-not-allowed', 'This folder is not one of SWATH_SOURCES.');
    };
    const report = await ingestFolder({ ...folder.options, toHref });
    assert.deepEqual(
      report.products.map(({ outcome, code }) => [outcome, code]),
      [['broken', 'folder-not-allowed']],
    );
    assert.deepEqual(folder.takeOpened(), []);
  }));

test('a stopped run retains its products, and the next one continues', () =>
  withFolder(async (folder) => {
    const ids = [1, 2, 3, 4].map((n) => L8.replace('016037', `01${n}037`));
    for (const id of ids) await folder.writeImage(`${id}/${id}_B4.TIF`, SCENE);
    const stop = new AbortController();
    const seen: number[] = [];
    const report = await ingestFolder({
      ...folder.options,
      signal: stop.signal,
      onProgress: ({ done, total }) => {
        assert.equal(total, 4);
        seen.push(done);
        if (done === 2) stop.abort();
      },
    });
    assert.deepEqual([report.stopped, report.totals.ingested, folder.scenes.size], [true, 2, 2]);
    assert.deepEqual(seen, [1, 2]);
    const rest = await ingestFolder(folder.options);
    assert.deepEqual([rest.stopped, rest.totals.ingested, rest.totals.unchanged], [false, 2, 2]);
  }));

test('footprints of all kinds lie within the images', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await writeSafe(folder, '20220401T105031', '20220401T120000');
    await ingestFolder(folder.options);
    // The outline in the SAFE folder is larger than its image: the image counts.
    const { footprint } = folder.scenes.get('S2/31/U/FR/2022/4/1/0')!;
    const { west, east } = geometryBounds(footprint);
    assert.ok(east - west < 0.15);
    assert.ok(relates(footprint, footprint, 'contains'));
  }));

test('every run chooses the same one of two copies of a product', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder, 'one/');
    await writeLandsat(folder, 'two/');
    for (const outcome of ['ingested', 'unchanged', 'unchanged']) {
      const { products } = await ingestFolder(folder.options);
      assert.deepEqual(
        products.map((line) => [line.product.split('/')[0], line.outcome, line.code]),
        [
          ['one', outcome, undefined],
          ['two', 'skipped', 'duplicate'],
        ],
      );
    }
  }));

test('an unexpected error in one product is reported, and the others are ingested', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    const other = L8.replace('016037', '017037');
    await folder.writeImage(`${other}/${other}_B4.TIF`, SCENE);
    const bugs: string[] = [];
    const report = await ingestFolder({
      ...folder.options,
      open: async (href) => {
        if (href.includes(other)) throw new TypeError('x is not a function');
        return folder.options.open(href);
      },
      onBug: (error, product) => bugs.push(`${product}: ${String(error)}`),
    });
    assert.deepEqual([report.totals.ingested, report.totals.broken], [1, 1]);
    assert.deepEqual(bugs, [`${other}: TypeError: x is not a function`]);
    assert.equal(report.products.find(({ outcome }) => outcome === 'broken')?.code, 'internal');
  }));

test('an overview sidecar that is added later is noticed', () =>
  withFolder(async (folder) => {
    await writeLandsat(folder);
    await ingestFolder(folder.options);
    const view = 'L8/LC80160372017225LGN00';
    assert.deepEqual(folder.scenes.get(view)?.assets.B4?.overviews, []);
    await folder.writeImage(`${L8}/${L8}_B4.TIF.ovr`, { ...SCENE, size: 8 });
    const report = await ingestFolder(folder.options);
    assert.equal(report.products[0]?.change, 'replaced');
    const asset = folder.scenes.get(view)?.assets.B4;
    assert.deepEqual(asset?.overviews, [{ width: 8, height: 8 }]);
    assert.deepEqual(asset?.sidecars, ['.ovr']);
  }));
