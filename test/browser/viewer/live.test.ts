/** Scenes of live catalogs: where the search begins, pictures of their providers, and what is said of the catalogs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { describeViewer, KEY, MIDDLE, NEWEST, OLDEST, sceneButtons } from '../describe-viewer.ts';
import { makeColorTile } from '../fake-pictures.ts';
import { openPage } from '../watched-page.ts';

const CATALOG = {
  name: 'earth-search',
  title: 'Earth Search',
  datasets: ['sentinel2'],
  attribution: 'Contains <modified> Copernicus Sentinel data',
  pictureOrigins: [] as readonly string[],
};

/** A provider of thumbnails, on an origin of its own. */
async function startProvider() {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    if (request.url === '/gone.png') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/png' }).end(makeColorTile([200, 60, 60]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describeViewer('viewer, live catalogs', (bench) => {
  const searches = (): { shape?: { coordinates: number[][][] } }[] =>
    bench.fake.seen
      .filter(({ url }) => url.includes('/search/'))
      .map(({ body }) => (JSON.parse(body) as { search: object }).search);

  test('the search starts in the view of a place, and the page says where pictures come from', async () => {
    bench.fake.state.catalogs = [
      CATALOG,
      { ...CATALOG, name: 'pc', title: 'Planetary Computer', datasets: [] },
    ];
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText('Pictures live from Earth Search and Planetary Computer').waitFor();
    await page.waitForURL(/#map=9\.00\/30\.30000\/31\.40000&.*where=view/);
    const [ring = []] = searches()[0]?.shape?.coordinates ?? [];
    const [lons, lats] = [ring.map(([lon = 0]) => lon), ring.map(([, lat = 0]) => lat)];
    assert.ok(
      Math.min(...lons) < 31.4 && Math.max(...lons) > 31.4 && Math.max(...lons) - Math.min(...lons) < 3,
    );
    assert.ok(
      Math.min(...lats) < 30.3 && Math.max(...lats) > 30.3 && Math.max(...lats) - Math.min(...lats) < 3,
    );
    // As text: the operator may have written anything.
    await page
      .locator('.maplibregl-ctrl-attrib')
      .getByText('Contains <modified> Copernicus Sentinel data')
      .waitFor({ state: 'attached' });
    assert.deepEqual(problems, []);
  });

  test('thumbnails come from the provider if the page may show them, and otherwise from the server', async () => {
    await using provider = await startProvider();
    bench.fake.state.catalogs = [{ ...CATALOG, pictureOrigins: [provider.origin] }];
    bench.fake.state.scenes = [
      { ...NEWEST, thumbnail: `${provider.origin}/there.png` },
      { ...MIDDLE, thumbnail: 'https://elsewhere.example/other.png' },
      { ...OLDEST, thumbnail: `${provider.origin}/gone.png` },
    ];
    // Tall enough for all three cards.
    await using opened = await openPage(bench.browser, { viewport: { width: 800, height: 900 } });
    const { page, problems, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.locator('.thumbnail.is-loaded').nth(2).waitFor();
    const drawn = bench.fake.seen.map(({ url }) => url).filter((url) => url.includes('/thumb/'));
    for (const [scene, isDrawn] of [
      [NEWEST, false],
      [MIDDLE, true],
      [OLDEST, true],
    ] as const) {
      const day = scene.view_id.slice('S2/'.length);
      assert.equal(
        drawn.some((url) => url.includes(day)),
        isDrawn,
        day,
      );
    }
    assert.deepEqual(provider.seen.map(({ url }) => url).sort(), ['/gone.png', '/there.png']);
    for (const { headers } of provider.seen) {
      assert.equal(headers['x-api-key'], undefined);
      assert.equal(headers.referer, undefined);
    }
    assert.ok(!urls.some((url) => url.includes('elsewhere.example')));
    assert.ok(problems.every((problem) => problem.includes('404')));
  });

  test('a catalog that did not answer completely is named, and a lower bound is shown as such, in both languages', async () => {
    bench.fake.state.catalogs = [CATALOG];
    const counted = { name: 'earth-search', dataset: 'sentinel2', found: 3, found_by: 'at-least' };
    const problem = { code: 'catalog-slow', message: 'The catalog did not answer within 6 seconds.' };
    const late = { name: 'earth-search', dataset: 'landsat8', found: 0, found_by: 'at-least', problem };
    for (const [locale, more, sentence, again, all] of [
      ['en-US', 'more than 2 scenes', 'Earth Search did not answer in time.', 'Try again', '3 scenes'],
      [
        'de-DE',
        'mehr als 2 Szenen',
        'Earth Search hat nicht rechtzeitig geantwortet.',
        'Noch einmal versuchen',
        '3 Szenen',
      ],
    ] as const) {
      bench.fake.state.catalogNotes = [counted, late];
      await using opened = await openPage(bench.browser, { locale });
      const { page, problems } = opened;
      await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
      await page.getByText(more, { exact: true }).waitFor();
      await page.locator('.catalog-note').getByText(sentence).waitFor();

      bench.fake.state.catalogNotes = [{ ...counted, found_by: 'stated' }];
      await page.locator('.catalog-note').getByRole('button', { name: again }).click();
      await page.getByText(all, { exact: true }).waitFor();
      await page.locator('.catalog-note').waitFor({ state: 'hidden' });
      assert.deepEqual(problems, []);
    }
  });

  test('if a catalog is down and nothing else was found, the list does not claim that nothing matches', async () => {
    bench.fake.state.catalogs = [CATALOG];
    bench.fake.state.scenes = [];
    const problem = { code: 'catalog-unavailable', message: 'down' };
    bench.fake.state.catalogNotes = [
      { name: 'earth-search', dataset: 'sentinel2', found: 0, found_by: 'at-least', problem },
    ];
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText('Earth Search did not answer as expected.').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'No scene matches' }).count(), 0);

    bench.fake.state.scenes = [NEWEST];
    bench.fake.state.catalogNotes = [];
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitFor(async () => (await sceneButtons(page).count()) === 1);
  });
});
