import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Scene } from '../../catalog/index.ts';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import { toStacItem } from './export.ts';
import { addNaip, ingest } from './testing/ingest-items.ts';
import { earthSearchItem, naipItem, sentinel1Item } from './testing/make-items.ts';

test('each header is read once, and takes precedence over the item', async () => {
  const folder = await makeTestFolder();
  await addNaip(folder, 1);
  const report = await ingest(folder);
  assert.deepEqual(report.totals, { ingested: 1, unchanged: 0, skipped: 0, broken: 0 });
  assert.equal(folder.takeOpened().filter((path) => path.endsWith('.tif')).length, 1);
  const scene = [...folder.scenes.values()][0]!;
  assert.deepEqual(Object.keys(scene.assets), ['R', 'G', 'B', 'N']);
  const { N } = scene.assets;
  assert.deepEqual([N!.width, N!.bandIndex, N!.transform[1], N!.epsg], [700, 3, 10, 26916]);
  assert.ok(N!.overviews.length > 0);
  assert.equal(scene.provenance, 'stac');
});

test('the report says which scale of a file is used, once for each of its bands', async () => {
  const folder = await makeTestFolder();
  await addNaip(folder, 1, [{ scale: 0.5, offset: -3 }, {}, { scale: 0.25, offset: 0 }, {}]);
  const { products } = await ingest(folder);
  assert.deepEqual(products[0]?.notes, [
    'R: CALIBRATE uses the scale 0.5 and offset -3 of its file.',
    'B: CALIBRATE uses the scale 0.25 and offset 0 of its file.',
  ]);
  const { R, G, B } = [...folder.scenes.values()][0]!.assets;
  assert.deepEqual(
    [R, G, B].map((asset) => [asset?.scale, asset?.offset]),
    [
      [0.5, -3],
      [1, 0],
      [0.25, 0],
    ],
  );
});

test('an item that is ingested again is unchanged, unless its file has changed', async () => {
  const folder = await makeTestFolder();
  await addNaip(folder, 1);
  await ingest(folder);
  const before = [...folder.scenes.values()][0]!;
  assert.deepEqual((await ingest(folder)).totals, { ingested: 0, unchanged: 1, skipped: 0, broken: 0 });
  await addNaip(folder, 1);
  const { products } = await ingest(folder);
  assert.deepEqual(
    products.map(({ outcome, change }) => [outcome, change]),
    [['ingested', 'replaced']],
  );
  const after = [...folder.scenes.values()][0]!;
  assert.notEqual(after.version, before.version);
  const plain = ({ assets, version: _, ...scene }: Scene) => ({
    ...scene,
    assets: Object.entries(assets).map(([name, { stamps: __, ...asset }]) => [name, asset]),
  });
  assert.deepEqual(plain(after), plain(before), 'nothing else has changed');
  // Exported before the change and ingested again: the record has the current state of the file.
  await folder.write('export/own.ndjson', JSON.stringify(toStacItem(before)));
  const again = await ingest(folder, {
    from: join(folder.root, 'export/own.ndjson'),
    isAllowedHref: () => true,
  });
  assert.deepEqual(again.totals, { ingested: 0, unchanged: 1, skipped: 0, broken: 0 });
  folder.scenes.clear();
  await ingest(folder, { from: join(folder.root, 'export/own.ndjson'), isAllowedHref: () => true });
  assert.deepEqual([...folder.scenes.values()][0], after);
});

test('a record of Sentinel-2 has a time of indexing', async () => {
  const folder = await makeTestFolder();
  await folder.write('item.json', JSON.stringify(earthSearchItem(1)));
  const now = () => new Date('2022-07-01T02:03:04.567Z');
  await ingest(folder, { probe: false, isAllowedHref: () => true, now });
  const [scene] = [...folder.scenes.values()];
  assert.equal(scene?.indexedAt, '2022-07-01T02:03:04.567Z');
});

test('a second run only compares the states of files and changes nothing; a run without headers gives other records', async () => {
  const folder = await makeTestFolder();
  await addNaip(folder, 1);
  await addNaip(folder, 2);
  await ingest(folder);
  const before = JSON.stringify([...folder.scenes.values()]);
  folder.takeOpened();
  const again = await ingest(folder);
  assert.deepEqual(again.totals, { ingested: 0, unchanged: 2, skipped: 0, broken: 0 });
  // Each file once, without its sidecars: no header is read.
  assert.deepEqual(folder.takeOpened(), [
    'm_3008501_ne_16_060_20191014.tif',
    'm_3008502_ne_16_060_20191014.tif',
  ]);
  assert.equal(JSON.stringify([...folder.scenes.values()]), before);
  const unread = await ingest(folder, { probe: false });
  assert.equal(unread.totals.ingested, 2);
  assert.deepEqual(folder.takeOpened(), []);
});

test('Sentinel-1 is placed by the control points of its file', async () => {
  const folder = await makeTestFolder();
  const item = sentinel1Item();
  await folder.write('grd/item.json', JSON.stringify({ ...item, geometry: null }));
  const golden = new URL('../../../test/golden/gcps/rotated.tif', import.meta.url);
  await folder.write('grd/measurement/iw-vv.tiff', await readFile(golden));
  const { totals } = await ingest(folder);
  assert.equal(totals.ingested, 1);
  const scene = [...folder.scenes.values()][0]!;
  assert.equal(scene.viewId, 'S1/S1A_IW_GRDH_1SDV_20210809T173953_20210809T174018_039156_049F13_6FF8');
  assert.equal(scene.assets.VV?.lattice?.cols.length, 11);
  assert.deepEqual([scene.fields.passDirection, scene.fields.polarization], ['ASCENDING', 'DV']);
});

test('lines of items are independent of each other, and collections among them are ignored', async () => {
  const folder = await makeTestFolder();
  const lines = [naipItem(1), naipItem(2), { type: 'Collection', id: 'naip', links: [] }].map((one) =>
    JSON.stringify(one),
  );
  await folder.write('items.ndjson', [...lines, 'not json', '', '5', '{"type":"Feature"}'].join('\n'));
  const { totals, products } = await ingest(folder, {
    from: `${folder.root}/items.ndjson`,
    isAllowedHref: () => true,
    probe: false,
  });
  assert.deepEqual(totals, { ingested: 2, unchanged: 0, skipped: 0, broken: 3 });
  assert.ok(products.some(({ product, code }) => product === 'line 4' && code === 'stac-bad-json'));
});

test('a catalog of files is followed from its root, but not out of its folder', async () => {
  const folder = await makeTestFolder();
  const links = ['./naip/collection.json', '../outside.json', 'https://elsewhere.example/catalog.json'];
  const toLinks = (hrefs: string[]) => hrefs.map((href) => ({ rel: 'child', href }));
  await folder.write('stac/catalog.json', JSON.stringify({ type: 'Catalog', links: toLinks(links) }));
  const items = toLinks(['./1.json', './2.json']);
  await folder.write('stac/naip/collection.json', JSON.stringify({ type: 'Collection', links: items }));
  for (const number of [1, 2])
    await folder.write(`stac/naip/${number}.json`, JSON.stringify(naipItem(number)));
  await folder.write('outside.json', JSON.stringify(naipItem(9)));
  const from = `${folder.root}/stac/catalog.json`;
  const { totals } = await ingest(folder, { from, isAllowedHref: () => true, probe: false });
  assert.deepEqual(totals, { ingested: 2, unchanged: 0, skipped: 0, broken: 2 });
});
