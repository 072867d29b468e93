/** What lies over each other on the map, in a real browser: land and water, the picture before and the next one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertColor,
  describeViewer,
  FALSE_COLOR,
  INSIDE,
  KEY,
  NATURAL,
  sceneButtons,
  tileUrls,
  WATER,
  whenColor,
} from '../describe-viewer.ts';
import type { Rgb } from '../map-pixels.ts';
import { readMapPixelsNow, whenDrawn } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';

/** The dark palette of `web/map/base-style.ts`. */
const LAND: Rgb = [0x1c, 0x2a, 0x32];

describeViewer('viewer, layers', (bench) => {
  test('the detail of the base map is requested after the tiles of the first picture, its outline before', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    const isDetail = (url: string): boolean => /\/assets\/world-[0-9a-f]+\.json$/.test(url);
    const asked = page.waitForRequest((request) => isDetail(request.url()));
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await asked;
    const tilesBefore = tileUrls(urls.slice(0, urls.findIndex(isDetail)));
    assert.ok(tilesBefore.length > 0);
    assert.equal(tilesBefore.length, tileUrls(urls).length);
    const outlineAt = urls.findIndex((url) => url.includes('/assets/world-outline-'));
    assert.ok(outlineAt >= 0 && outlineAt < urls.findIndex(isDetail));
  });

  test('the base map has land and water in the right places', async () => {
    bench.fake.state.isWorldEmpty = false;
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&map=5.00/42.00000/5.00000`);
    await sceneButtons(page).first().waitFor();
    await whenDrawn(page, ({ atLonLat }) => {
      assertColor(atLonLat(6.6, 43.8), LAND);
      assertColor(atLonLat(7.0, 40.5), WATER);
      assertColor(atLonLat(9.05, 40.1), LAND);
    });

    await page.emulateMedia({ colorScheme: 'light' });
    await whenDrawn(page, ({ atLonLat }) =>
      assert.ok(
        atLonLat(7.0, 40.5).every((value) => value > 0xb0),
        'water is light in the light scheme',
      ),
    );
  });

  test('the previous picture stays until the next one is drawn', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    const held = Promise.withResolvers<void>();
    await page.route(/\/B08,B04,B03\//, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    await whenColor(page, INSIDE, NATURAL);
    const asked = page.waitForRequest(/\/B08,B04,B03\//);
    await page.getByRole('radio', { name: 'False colour' }).check();
    await asked;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assertColor((await readMapPixelsNow(page)).atLonLat(...INSIDE), NATURAL);
    held.resolve();
    await whenColor(page, INSIDE, FALSE_COLOR);
    const tiles = tileUrls(urls).filter((url) => url.includes('/B08,B04,B03/'));
    assert.deepEqual(tiles, [...new Set(tiles)], 'each tile is asked for once');

    // At half opacity nothing of it is left below the new one.
    await page.getByLabel('Opacity').fill('50');
    await page.getByRole('radio', { name: 'Natural colour' }).check();
    const half = NATURAL.map((value, i) => (value + WATER[i]!) / 2) as unknown as Rgb;
    await whenDrawn(page, ({ atLonLat }) => {
      const seen = atLonLat(...INSIDE);
      assert.ok(
        seen.every((value, i) => Math.abs(value - half[i]!) <= 3),
        `${seen}, not ${half}`,
      );
    });
  });
});
