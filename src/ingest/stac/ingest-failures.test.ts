import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '../../errors.ts';
import { makeGuardedFetch } from '../../net/index.ts';
import { makeTestFolder } from '../folder/testing/make-folder.ts';
import { addNaip, ingest, startFakeCatalog } from './testing/ingest-items.ts';
import { naipItem } from './testing/make-items.ts';

test('an item with a missing, broken or forbidden file is reported, and the others are ingested', async () => {
  const folder = await makeTestFolder();
  for (const number of [1, 2, 3]) await addNaip(folder, number);
  await folder.write('m_3008502_ne_16_060_20191014.tif', 'this is not an image');
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

test('a missing file or a process without network fails at once', async () => {
  const folder = await makeTestFolder();
  await assert.rejects(ingest(folder, { from: `${folder.root}/nothing` }), { code: 'stac-no-file' });
  await assert.rejects(ingest(folder, { from: 'https://stac.example/' }), { code: 'no-network' });
});

test('a stop while a file of lines is read, or before a folder is walked, ends the run with a report', async () => {
  const folder = await makeTestFolder();
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

test('an unexpected error in one item is reported, and the others are ingested', async () => {
  const folder = await makeTestFolder();
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

test('a file that cannot be opened is reported with its address', async () => {
  const folder = await makeTestFolder();
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

test('a refused address is named without its secrets, with the reason and the remedy', async () => {
  const folder = await makeTestFolder();
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

test('no secret of an address reaches a report: of items, of their files, and of linked documents', async () => {
  const folder = await makeTestFolder();
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
