import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { notFound } from '../../errors.ts';
import { createCog } from '../../formats/index.ts';
import { makeGuardedFetch } from '../../storage/index.ts';
import type { TestFolder } from '../ingest/testing/make-folder.ts';
import { makeTestFolder } from '../ingest/testing/make-folder.ts';
import type { Scene } from '../scene.ts';
import { toStacItem } from './export/to-stac-item.ts';
import type { StacFilters } from './filters.ts';
import type { IngestStacOptions } from './ingest-stac.ts';
import { ingestStac } from './ingest-stac.ts';
import type { Reply, Seen } from './testing/fake-catalog.ts';
import { startFakeCatalog } from './testing/fake-catalog.ts';
import { earthSearchItem, naipItem, sentinel1Item } from './testing/make-items.ts';

const everything: StacFilters = {
  bbox: null,
  date: null,
  maxCloudPercent: null,
  limit: null,
  collections: [],
};
const folders: TestFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

async function makeFolder(): Promise<TestFolder> {
  const folder = await makeTestFolder();
  folders.push(folder);
  return folder;
}

function ingest({ root, options }: TestFolder, more: Partial<IngestStacOptions> = {}) {
  const { store, open, toHref } = options;
  const given = { from: root, filters: everything, fetch: null, isAllowedHref: () => false };
  return ingestStac({ ...given, store, open, toHref, sleep: async () => {}, ...more });
}

/** A NAIP item whose file lies beside it. */
async function addNaip(folder: TestFolder, number: number): Promise<void> {
  const item = naipItem(number);
  const name = String(item.assets.image!.href).split('/').at(-1)!;
  item.assets.image!.href = `./${name}`;
  await folder.write(`${item.id}.json`, JSON.stringify(item));
  const size = 700;
  const cog = await createCog(join(folder.root, name), {
    epsg: 26916,
    type: 'uint8',
    bandCount: 4,
    nodata: null,
    width: size,
    height: size,
    transform: [601_183.5 + number * 1_000, 10, 0, 3_430_444.8, 0, -10],
    compression: 'none',
    predictor: 1,
    blockSize: 256,
    overviews: 'auto',
  });
  const band = new Uint8Array(size * size).fill(7);
  await cog.writeRows([band, band, band, band], size);
  await cog.finish();
}

test('headers are read once a file; the file is right where the item says otherwise', async () => {
  const folder = await makeFolder();
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

test('an item that comes again is unchanged; with another file at its address it is not', async () => {
  const folder = await makeFolder();
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
  assert.deepEqual(plain(after), plain(before), 'nothing else is another');
  // Written out before the change and taken in again: the file is what it is now.
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

test('a record of Sentinel-2 says when the catalog took it', async () => {
  const folder = await makeFolder();
  await folder.write('item.json', JSON.stringify(earthSearchItem(1)));
  const now = () => new Date('2022-07-01T02:03:04.567Z');
  await ingest(folder, { probe: false, isAllowedHref: () => true, now });
  const [scene] = [...folder.scenes.values()];
  assert.equal(scene?.indexedAt, '2022-07-01T02:03:04.567Z');
});

test('a second run only looks whether files are the same, and changes nothing; without headers is another record', async () => {
  const folder = await makeFolder();
  await addNaip(folder, 1);
  await addNaip(folder, 2);
  await ingest(folder);
  const before = JSON.stringify([...folder.scenes.values()]);
  folder.takeOpened();
  const again = await ingest(folder);
  assert.deepEqual(again.totals, { ingested: 0, unchanged: 2, skipped: 0, broken: 0 });
  // Once a file, and not its neighbours: no header is read.
  assert.deepEqual(folder.takeOpened(), [
    'm_3008501_ne_16_060_20191014.tif',
    'm_3008502_ne_16_060_20191014.tif',
  ]);
  assert.equal(JSON.stringify([...folder.scenes.values()]), before);
  const unread = await ingest(folder, { probe: false });
  assert.equal(unread.totals.ingested, 2);
  assert.deepEqual(folder.takeOpened(), []);
});

test('an item with a missing, broken or forbidden file is reported and keeps no other out', async () => {
  const folder = await makeFolder();
  for (const number of [1, 2, 3]) await addNaip(folder, number);
  await folder.write('m_3008502_ne_16_060_20191014.tif', 'this is no image');
  const missing = naipItem(4);
  missing.assets.image!.href = './m_3008504_ne_16_060_20191014.tif';
  await folder.write('missing.json', JSON.stringify(missing));
  await folder.write('remote.json', JSON.stringify(naipItem(5)));
  await folder.write('no.json', '{"type": "Feature", "assets": {}, ');
  await folder.write('other.json', '{"hello": 1}');
  const { totals, products } = await ingest(folder);
  assert.deepEqual(totals, { ingested: 2, unchanged: 0, skipped: 1, broken: 3 });
  const codes = Object.fromEntries(products.flatMap(({ product, code }) => (code ? [[product, code]] : [])));
  assert.equal(codes['naip/al_m_3008504_ne_16_060_20191014'], 'source-gone');
  assert.equal(codes['naip/al_m_3008505_ne_16_060_20191014'], 'source-not-allowed');
  assert.equal(codes['no.json'], 'stac-bad-json');
  assert.equal(folder.scenes.size, 2);
});

test('Sentinel-1 is placed by the control points of its file', async () => {
  const folder = await makeFolder();
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

test('lines of items: each stands for itself, and collections among them are passed over', async () => {
  const folder = await makeFolder();
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

test('a catalog of files is followed from its root, and not out of its folder', async () => {
  const folder = await makeFolder();
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

interface Served {
  readonly folder: TestFolder;
  readonly answer: (seen: Seen, base: string) => Reply;
  readonly more?: Partial<IngestStacOptions>;
}

async function ingestFrom({ folder, answer, more = {} }: Served) {
  const catalog = await startFakeCatalog(answer);
  try {
    const given = { from: `${catalog.base}/search`, fetch: catalog.fetch, isAllowedHref: () => true };
    return await ingest(folder, { ...given, probe: false, ...more });
  } finally {
    await catalog.stop();
  }
}

const days = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => earthSearchItem(from + i, { cloud: (from + i) * 3 }));
const list = (features: object[], links: object[] = []) => ({ type: 'FeatureCollection', features, links });

test('filters hold whatever the server makes of them', async () => {
  const ingestWith = async (filters: Partial<StacFilters>) => {
    const folder = await makeFolder();
    const answer = () => list([...days(1, 30), naipItem(1)]);
    await ingestFrom({ folder, answer, more: { filters: { ...everything, limit: 1_000, ...filters } } });
    return [...folder.scenes.keys()].map((viewId) => viewId.split('/').at(-2));
  };
  assert.equal((await ingestWith({})).length, 30);
  assert.deepEqual(await ingestWith({ date: { from: '2022-06-28', to: null } }), ['28', '29']);
  assert.deepEqual(
    await ingestWith({ date: { from: null, to: '2022-06-02' }, collections: ['sentinel-2-l2a'] }),
    ['1', '2'],
  );
  assert.deepEqual(await ingestWith({ maxCloudPercent: 6 }), ['1', '2']);
  assert.deepEqual(await ingestWith({ bbox: [-86, 30, -85, 31] }), ['30085']);
  assert.deepEqual(await ingestWith({ bbox: [3, 42, 2, 43] }), [...(await ingestWith({}))].slice(0, 29));
  assert.deepEqual(await ingestWith({ limit: 3 }), ['1', '2', '3']);
});

test('a run that was cut off is reported as stopped, and another goes on', async () => {
  const folder = await makeFolder();
  let isDown = true;
  const answer = ({ query }: Seen, base: string) => {
    if (!query.has('page')) return list(days(1, 11), [{ rel: 'next', href: `${base}/search?page=2` }]);
    return isDown ? { status: 503 } : list(days(11, 16));
  };
  const more = { filters: { ...everything, collections: ['sentinel-2-l2a'] } };
  const first = await ingestFrom({ folder, answer, more });
  assert.equal(first.stopped, true);
  assert.deepEqual(first.totals, { ingested: 10, unchanged: 0, skipped: 0, broken: 1 });
  isDown = false;
  const second = await ingestFrom({ folder, answer, more });
  assert.equal(second.stopped, false);
  assert.deepEqual(second.totals, { ingested: 5, unchanged: 10, skipped: 0, broken: 0 });
});

test('a stop keeps what was put and says so', async () => {
  const folder = await makeFolder();
  const controller = new AbortController();
  const report = await ingestFrom({
    folder,
    answer: ({ body }, base) => {
      const at = Number(body.page ?? 0);
      const next = {
        rel: 'next',
        href: `${base}/search`,
        method: 'POST',
        merge: true,
        body: { page: at + 1 },
      };
      return list(
        Array.from({ length: 50 }, (_, i) => naipItem(1 + ((at * 50 + i) % 60))),
        [next],
      );
    },
    more: {
      filters: { ...everything, collections: ['naip'] },
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done >= 40) controller.abort();
      },
    },
  });
  assert.equal(report.stopped, true);
  assert.equal(folder.scenes.size, report.totals.ingested);
  assert.ok(report.totals.ingested >= 40 && report.totals.ingested <= 60);
});

test('of two ways to process a scene the newer stays, in whatever order they come', async () => {
  const older = earthSearchItem(5, { baseline: '03.01' });
  const newer = earthSearchItem(5, { baseline: '05.00', cloud: 33 });
  for (const features of [
    [older, newer],
    [newer, older],
  ]) {
    const folder = await makeFolder();
    const more = { filters: { ...everything, limit: 10 } };
    const report = await ingestFrom({ folder, answer: () => list(features), more });
    assert.equal([...folder.scenes.values()][0]?.cloudPercent, 33);
    assert.equal(report.totals.ingested + report.totals.skipped, 2);
  }
});

test('progress counts to the total that the source names', async () => {
  const folder = await makeFolder();
  const seen: [number, number | null][] = [];
  await ingestFrom({
    folder,
    answer: () => ({ ...list(days(1, 6)), numberMatched: 5 }),
    more: {
      filters: { ...everything, collections: ['sentinel-2-l2a'] },
      onProgress: ({ done, total }) => seen.push([done, total]),
    },
  });
  assert.deepEqual(seen.at(-1), [5, 5]);
});

test('what is not there, or has no way to it, is an error at once', async () => {
  const folder = await makeFolder();
  await assert.rejects(ingest(folder, { from: `${folder.root}/nothing` }), { code: 'stac-no-file' });
  await assert.rejects(ingest(folder, { from: 'https://stac.example/' }), { code: 'no-network' });
});

test('a stop while a file of lines is read, or before a folder is walked, ends the run with a report', async () => {
  const folder = await makeFolder();
  const lines = Array.from({ length: 600 }, (_, i) => JSON.stringify(naipItem(1 + (i % 60))));
  await folder.write('items.ndjson', `${lines.join('\n')}\n`);
  const stopping = new AbortController();
  const report = await ingest(folder, {
    probe: false,
    isAllowedHref: () => true,
    signal: stopping.signal,
    onProgress: () => stopping.abort(),
  });
  assert.equal(report.stopped, true);
  assert.equal(folder.scenes.size, report.totals.ingested);
  const before = await ingest(folder, { signal: AbortSignal.abort() });
  assert.deepEqual([before.stopped, before.products], [true, []]);
  const whole = await ingest(folder, { from: `${folder.root}/items.ndjson`, signal: AbortSignal.abort() });
  assert.deepEqual([whole.stopped, whole.products], [true, []]);
});

test('a bug that one item brings out is told, and keeps no other item out', async () => {
  const folder = await makeFolder();
  await addNaip(folder, 1);
  await addNaip(folder, 2);
  const bugs: [unknown, string][] = [];
  const bug = new TypeError('nothing is not a function');
  const report = await ingest(folder, {
    open: async (href) => {
      if (href.includes('3008501')) throw bug;
      return folder.options.open(href);
    },
    onBug: (error, product) => bugs.push([error, product]),
  });
  assert.deepEqual(report.totals, { ingested: 1, unchanged: 0, skipped: 0, broken: 1 });
  assert.equal(report.products.find(({ outcome }) => outcome === 'broken')?.code, 'internal');
  assert.deepEqual(bugs, [[bug, 'naip/al_m_3008501_ne_16_060_20191014']]);
});

test('a file that cannot be opened is named by its address', async () => {
  const folder = await makeFolder();
  await folder.write('item.json', JSON.stringify({ ...naipItem(3, 'https://x.example') }));
  const { products } = await ingest(folder, {
    isAllowedHref: () => true,
    open: async () => {
      throw notFound('source-missing', 'There is no such file.');
    },
  });
  assert.equal(products[0]?.outcome, 'broken');
  assert.match(products[0]?.reason ?? '', /https:\/\/x\.example\/naip\/.*3008503.*: There is no such file/);
});

test('an address that is refused is named without its secrets, with the reason and the remedy', async () => {
  const folder = await makeFolder();
  const from = 'http://localhost:8123/catalog.json?token=secret';
  const policy = { hosts: ['localhost'], allowHttp: true, ports: [8_123] };
  const refusal = (given: string) =>
    ingest(folder, { from: given, fetch: makeGuardedFetch({ policy }) }).then(
      () => assert.fail('it was read'),
      (error: Error) => error.message,
    );
  const local = await refusal(from);
  assert.match(
    local,
    /^http:\/\/localhost:8123\/catalog\.json\?… is not allowed\. .*private.*"privateNetworks"/,
  );
  assert.doesNotMatch(local, /secret/);
  const withName = await refusal('http://me:secret@localhost:8123/');
  assert.match(withName, /^http:\/\/…@localhost:8123\/ is not allowed\. The reason: credentials/);
  assert.doesNotMatch(withName, /secret/);
  assert.match(await refusal('ftp://x.example/a'), /^ftp:\/\/x\.example\/a cannot be read: .* not by ftp\.$/);
});

test('no secret of an address reaches a report: of items, of their files, and of documents on the way', async () => {
  const folder = await makeFolder();
  const secrets = ['hunter2', 'SIGNED', 'KEY42'];
  for (const [number, href] of [
    [1, 'https://me:hunter2@x.example/naip/NAME'],
    [2, 'https://x.example/naip/NAME?X-Amz-Credential=KEY42&X-Amz-Signature=SIGNED'],
    [3, 'https://x.example/naip/NAME?api_key=KEY42'],
    [4, 'https://y.example/c/NAME?sv=2024-01-01&sig=SIGNED'],
  ] as const) {
    const item = naipItem(number);
    item.assets.image!.href = href.replace('NAME', String(item.assets.image!.href).split('/').at(-1)!);
    await folder.write(`${number}.json`, JSON.stringify(item));
  }
  const reports = [
    await ingest(folder),
    await ingest(folder, {
      isAllowedHref: () => true,
      open: async (href) => {
        throw notFound('source-missing', `There is no ${href}.`);
      },
    }),
  ];
  const catalog = await startFakeCatalog(({ path }) =>
    path.startsWith('/root')
      ? {
          type: 'Catalog',
          id: 'c',
          stac_version: '1.0.0',
          links: [
            { rel: 'child', href: './gone.json?api_key=KEY42' },
            { rel: 'item', href: 'https://me:hunter2@other.example/i.json?sig=SIGNED' },
          ],
        }
      : { status: 404 },
  );
  reports.push(
    await ingest(folder, { from: `${catalog.base}/root.json`, fetch: catalog.fetch }).finally(catalog.stop),
  );
  assert.ok(reports.every(({ products }) => products.length > 1));
  const text = JSON.stringify(reports);
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret}: ${text}`);
  assert.match(text, /x\.example/);
});
