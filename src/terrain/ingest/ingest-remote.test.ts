import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DemReport } from './dem-run.ts';
import { ingestDem } from './ingest-dem.ts';
import { onlyFile, toDemBytes, withDemFolder } from './testing/make-dem-folder.ts';
import { serveFiles } from './testing/serve-files.ts';

const A = 'Copernicus_DSM_COG_10_N00_00_E006_00_DEM';
const B = 'Copernicus_DSM_COG_10_N00_00_E009_00_DEM';
const outcomes = ({ files }: DemReport) =>
  files.map(({ file, outcome, change, code }) => [file, change ?? code ?? outcome]);

test('a GeoTIFF is ingested by its address; a second run sends one request and changes nothing', async () => {
  await using server = await serveFiles({ 'v1/a.tif': await toDemBytes({ overviews: 'auto', width: 32 }) });
  const { network, base } = server;
  await withDemFolder(
    async ({ store, options }) => {
      const from = `${base}/v1/a.tif`;
      const report = await ingestDem(options({ from, name: null }));
      assert.deepEqual([report.dem, outcomes(report)], ['a', [['a.tif', 'added']]]);
      const { href, levels, stamps } = onlyFile(store);
      assert.deepEqual([href, levels.length, stamps.length], [from, 1, 1]);
      server.takeSeen();
      store.takeWrites();
      assert.deepEqual(outcomes(await ingestDem(options({ from, name: null }))), [['a.tif', 'unchanged']]);
      assert.deepEqual([server.takeSeen(), store.takeWrites()], [['v1/a.tif'], []]);
      server.files.set('v1/a.tif', new Uint8Array(await toDemBytes({ west: 7 })));
      assert.deepEqual(outcomes(await ingestDem(options({ from, name: null }))), [['a.tif', 'replaced']]);
      assert.equal(onlyFile(store).bounds.west, 7);
    },
    { network },
  );
});

test('a list is ingested by its address: names next to it, and addresses; each failure is one line', async () => {
  const tile = await toDemBytes({ type: 'float32' });
  await using server = await serveFiles({
    [`glo/${A}/${A}.tif`]: tile,
    [`glo/${B}/${B}.tif`]: tile.subarray(0, 40),
    'glo/tileList.txt': [A, B, 'sub/c.tif', 'file:///etc/passwd', 'https://elsewhere.example/d.tif'].join(
      '\n',
    ),
  });
  const { network, base } = server;
  await withDemFolder(
    async ({ store, options }) => {
      const report = await ingestDem(options({ from: `${base}/glo/tileList.txt` }));
      assert.deepEqual(outcomes(report), [
        [A, 'added'],
        [B, 'tiff-truncated'],
        ['file:///etc/passwd', 'bad-address'],
        ['https://elsewhere.example/d.tif', 'address-not-allowed'],
        ['sub/c.tif', 'source-gone'],
      ]);
      const refused = report.files.find(({ code }) => code === 'address-not-allowed');
      assert.match(refused?.reason ?? '', /SWATH_SOURCES does not name https:\/\/elsewhere\.example/);
      assert.doesNotMatch(JSON.stringify(report), /scene/);
      assert.equal(onlyFile(store).href, `${base}/glo/${A}/${A}.tif`);
      assert.equal(store.dems.get('alps')?.gaps, 'unknown', 'a listed tile is missing');
    },
    { network },
  );
});

test('a local list may name addresses, and removed lines count as removed files', async () => {
  const tile = await toDemBytes();
  await using server = await serveFiles({ 'x/a.tif': tile, 'x/b.tif': tile });
  const { network, base } = server;
  await withDemFolder(
    async ({ root, store, options, write }) => {
      const from = join(root, 'list.txt');
      await write('list.txt', `${base}/x/a.tif\n${base}/x/b.tif\n`);
      await ingestDem(options({ from }));
      assert.equal(store.files.size, 2);
      await write('list.txt', `${base}/x/a.tif\n`);
      const report = await ingestDem(options({ from, prune: true }));
      assert.deepEqual([report.totals.pruned, onlyFile(store).href], [1, `${base}/x/a.tif`]);
      await write('list.txt', '# nothing\n');
      await assert.rejects(ingestDem(options({ from })), { code: 'no-dem' });
    },
    { network },
  );
});

test('an address that SWATH_SOURCES does not list is refused before any request, with the remedy', async () => {
  await using server = await serveFiles({ 'a.tif': await toDemBytes(), 'list.txt': 'a.tif' });
  const port = new URL(server.base).port;
  await withDemFolder(async ({ options }) => {
    for (const from of [
      `${server.base}/a.tif`,
      `${server.base}/list.txt`,
      `${server.base}/{z}/{x}/{y}.png`,
      's3://heights/a.tif',
      's3://heights/list.txt',
      's3://heights/x',
      's3://heights/{z}/{x}/{y}.png',
    ]) {
      await assert.rejects(
        ingestDem(options({ from })),
        { tag: 'not-allowed', code: 'address-not-allowed', message: /SWATH_SOURCES/ },
        from,
      );
    }
    await assert.rejects(ingestDem(options({ from: `ftp://127.0.0.1:${port}/a.tif` })), {
      code: 'bad-address',
    });
    await assert.rejects(ingestDem(options({ from: '/x/{z}/{x}/{y}.png' })), { code: 'bad-address' });
  });
  assert.deepEqual(server.takeSeen(), []);
});

test('objects of a bucket below a prefix are ingested; a second run needs the listing only', async () => {
  const tile = await toDemBytes({ type: 'float32' });
  await using server = await serveFiles({
    [`glo/${A}/${A}.tif`]: tile,
    [`glo/${A}/AUXFILES/${A.replace('DEM', 'HEM')}.tif`]: tile,
    [`glo/${B}/${B}.tif`]: tile,
    'glo/readme.html': 'x',
    'glo/tileList.txt': `${A}\n${B}\n`,
    'global/c.tif': tile,
  });
  await withDemFolder(
    async ({ store, options }) => {
      const from = 's3://heights/glo/';
      const report = await ingestDem(options({ from, name: null }));
      assert.deepEqual(
        [report.dem, report.totals.ingested, report.totals.skipped],
        ['copernicus-glo-30', 2, 1],
      );
      assert.deepEqual([...store.files.values()].map(({ href }) => href).sort(), [
        `s3://heights/glo/${A}/${A}.tif`,
        `s3://heights/glo/${B}/${B}.tif`,
      ]);
      assert.equal(store.dems.get('copernicus-glo-30')?.gaps, 'sea', 'the list lies at the root');
      server.takeSeen();
      store.takeWrites();
      const second = await ingestDem(options({ from, name: null }));
      assert.deepEqual([second.totals.unchanged, store.takeWrites()], [2, []]);
      assert.deepEqual(server.takeSeen(), ['list', 'list', 'list', 'glo/tileList.txt']);
      server.files.set(`glo/${B}/${B}.tif`, new Uint8Array(await toDemBytes({ west: 5 })));
      server.files.delete(`glo/${A}/${A}.tif`);
      const third = await ingestDem(options({ from, name: null }));
      assert.deepEqual([third.totals.ingested, third.totals.gone], [1, 1]);
      const single = await ingestDem(options({ from: `s3://heights/glo/${B}/${B}.tif`, name: 'one' }));
      assert.deepEqual(single.totals.ingested, 1);
      assert.equal((await ingestDem(options({ from: 's3://heights', name: null }))).dem, 'heights');
    },
    { network: server.network },
  );
});
