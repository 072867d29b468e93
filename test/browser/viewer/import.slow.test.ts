/** Files that a user brings, in a real browser: read by a worker, refused in the language of the page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describeViewer, KEY } from '../describe-viewer.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';

const POLYGON = 5;

/** A `.shp` of one square of a tenth of a degree, which says that it has `count` points. */
const makeSquare = (count = 5): Uint8Array => {
  const points = [
    [2.3, 42.8],
    [2.3, 42.9],
    [2.4, 42.9],
    [2.4, 42.8],
    [2.3, 42.8],
  ] as const;
  const contentBytes = 48 + count * 16;
  const bytes = new Uint8Array(108 + contentBytes);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 9994);
  view.setInt32(24, bytes.length / 2);
  view.setInt32(104, contentBytes / 2);
  view.setInt32(108, POLYGON, true);
  view.setInt32(144, 1, true);
  view.setInt32(148, count, true);
  for (const [i, [x, y]] of points.entries()) {
    view.setFloat64(156 + i * 16, x, true);
    view.setFloat64(164 + i * 16, y, true);
  }
  return bytes;
};

/** Sets the mark of a password at the only file of an archive. */
const lock = (zip: Uint8Array): Uint8Array => {
  const directory = new DataView(zip.buffer, zip.byteOffset, zip.byteLength).getUint32(zip.length - 6, true);
  for (const at of [6, directory + 8]) zip[at] = (zip[at] ?? 0) | 1;
  return zip;
};

const bring = (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });

const HOSTILE = [
  ['locked.zip', lock(zipSync({ 'a.shp': makeSquare() })), /has a password/, /hat ein Passwort/],
  ['empty.zip', zipSync({ 'a.dbf': strToU8('x') }), /contains no \.shp/, /enthält keine \.shp/],
  ['cut.zip', zipSync({ 'a.shp': makeSquare() }).slice(0, 90), /archive is damaged/, /Archiv ist beschädigt/],
  [
    'half.zip',
    zipSync({ 'a.shp': makeSquare().slice(0, 150) }),
    /Shapefile is damaged/,
    /Shapefile ist beschädigt/,
  ],
  [
    'bomb.zip',
    zipSync({ 'a.shp': new Uint8Array(100_000_001) }, { level: 1 }),
    /100 MB unpacked/,
    /entpackt 100 MB/,
  ],
  [
    'long.zip',
    zipSync({ 'a.shp': makeSquare(1_000_001) }, { level: 1 }),
    /1,000,000 points/,
    /1\.000\.000 Punkte/,
  ],
] as const;

describeViewer('viewer, import', (bench) => {
  test('a worker reads a zipped Shapefile, and its area is chosen', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=area`);
    await whenMapIdle(page);
    const started = page.waitForEvent('worker');
    await bring(page, 'area.zip', zipSync({ 'data/a.shp': makeSquare() }));
    assert.match((await started).url(), /\/assets\/import-worker-\w+\.js$/);
    await page.getByRole('heading', { name: 'Chosen area' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('hostile archives are refused with an explanation, in both languages', async () => {
    for (const [i, locale] of ['en', 'de'].entries()) {
      await using opened = await openPage(bench.browser, { locale });
      const { page } = opened;
      await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=area`);
      await whenMapIdle(page);
      for (const [name, bytes, ...words] of HOSTILE) {
        await bring(page, name, bytes);
        await page
          .locator('.notice', { hasText: words[i] ?? /$^/ })
          .filter({ hasText: name })
          .waitFor();
      }
    }
  });
});
