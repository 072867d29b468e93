/** The map, the list and the controls in a real browser, in front of a server that answers like Swath. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensors } from '../../../src/sensors/index.ts';
import { waitFor } from '../../../src/testing/wait-for.ts';
import {
  assertColor,
  describeViewer,
  FALSE_COLOR,
  GREY,
  INSIDE,
  KEY,
  MIDDLE,
  NATURAL,
  NEWEST,
  OLDEST,
  OTHER_DATE,
  openPanel,
  RADAR,
  sceneButtons,
  tileUrls,
  whenColor,
} from '../describe-viewer.ts';
import { whenDrawn, whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenContents, whenCount, whenIs, whenText } from '../when-shown.ts';

describeViewer('viewer', (bench) => {
  test('an address with a key shows the newest scene on the map, and the key stays out of every address', async () => {
    bench.fake.state.isWorldEmpty = false;
    await using opened = await openPage(bench.browser);
    const { page, problems, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await sceneButtons(page).first().waitFor();
    await whenContents(page.locator('.scene .date'), ['21 Jun 2026', '16 Jun 2026', '11 Jun 2026']);
    await whenContents(
      page.locator('.scene .id'),
      bench.fake.state.scenes.map((s) => s.sceneID),
    );
    await whenContents(page.locator('.scene .cloud .unseen').first(), ['3% cloud']);
    await page.locator('.thumbnail.is-loaded').first().waitFor();
    await whenAttribute(page.locator('.scene[aria-current]'), 'data-view', NEWEST.view_id);

    const pixels = await whenColor(page, INSIDE, NATURAL);
    const { xPx: westPx } = pixels.toPixel(1.78, 42.82);
    const { xPx: eastPx } = pixels.toPixel(3.0, 42.82);
    const { yPx: northPx } = pixels.toPixel(2.39, 43.3);
    assert.ok(westPx > 0 && eastPx < pixels.widthPx && northPx > 0, 'the whole footprint is in view');
    const [wide, high] = [(eastPx - westPx) / pixels.widthPx, 1 - (2 * northPx) / pixels.heightPx];
    assert.ok(Math.max(wide, high) > 0.7, 'the footprint fills most of the view');

    assert.equal(new URL(page.url()).search, '');
    // The page itself was opened with the key by hand; nothing it asked for afterwards may carry it.
    const [opening, ...rest] = urls;
    assert.equal(opening, `${bench.fake.origin}/?api_key=${KEY}`);
    assert.ok(tileUrls(rest).length > 0);
    for (const url of [...rest, page.url()]) {
      assert.ok(!url.includes(KEY), `no key in ${url}`);
      assert.ok(url.startsWith(`${bench.fake.origin}/`), `only its own server: ${url}`);
    }
    const api = bench.fake.seen.filter(({ url }) => /^\/api\/(?:lms|render)\//.test(url));
    assert.ok(api.every(({ key }) => key === KEY));
    assert.deepEqual(JSON.parse(api.find(({ method }) => method === 'POST')?.body ?? ''), {
      search: { satellites: sensors.map(({ dataset }) => dataset) },
      sort: { date: 'desc' },
      page: 1,
      limit: 50,
    });
    assert.deepEqual(problems, []);

    await page.reload();
    await sceneButtons(page).first().waitFor();
    assert.deepEqual(problems, []);
  });

  test('compositions, single bands and opacity change the requests and the map', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await whenColor(page, INSIDE, NATURAL);
    assert.ok(tileUrls(urls).every((url) => url.includes(`/api/render/${NEWEST.view_id}/B04,B03,B02/`)));
    await openPanel(page, 'Look');

    urls.length = 0;
    await page.getByRole('radio', { name: 'False colour' }).check();
    await whenColor(page, INSIDE, FALSE_COLOR);
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes('/B08,B04,B03/')));
    await page.waitForURL(/&bands=B08,B04,B03&panel=look$/);

    urls.length = 0;
    await page.keyboard.press('ArrowRight');
    await waitFor(() => tileUrls(urls).length > 0);
    await whenMapIdle(page);
    await whenIs(page.getByRole('radio', { name: 'SWIR' }), ':checked');
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes('/B12,B8A,B04/')));

    urls.length = 0;
    await page.getByLabel('Single band').selectOption('B8A');
    await whenColor(page, INSIDE, GREY);
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes('/B8A/')));
    await whenCount(
      page.locator('.look input[type=radio]:not([name=colormap], [name=terrain], [name=stretch]):checked'),
      0,
    );
    await whenCount(page.getByLabel('Single band').locator('option'), 14);

    await page.getByLabel('Opacity').fill('0');
    await whenDrawn(page, ({ atLonLat }) => {
      const bare = atLonLat(...INSIDE);
      assert.ok(Math.max(...bare) < 60, `the dark base shows through, not ${bare}`);
    });
    await whenText(page.locator('output[for=opacity]'), '0 %');
    await page.waitForURL(/&opacity=0&panel=look$/);
    assert.deepEqual(problems, []);
  });

  test('a scene is chosen in the list, or by clicking its outline, repeatedly for other dates', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    // The map may rest before the first scene has come.
    await page.waitForURL(/scene=/);
    await whenMapIdle(page);
    urls.length = 0;
    await sceneButtons(page).nth(2).click();
    await whenColor(page, INSIDE, OTHER_DATE);
    assert.ok(tileUrls(urls).every((url) => url.includes(OLDEST.view_id)));
    await page.waitForURL(new RegExp(`scene=${OLDEST.sceneID}`));

    const shown = page.locator('.scene[aria-current]');
    for (const next of [NEWEST, MIDDLE]) {
      await page.locator('#map canvas').click();
      await page.locator(`.scene[aria-current][data-view="${next.view_id}"]`).waitFor();
      await whenMapIdle(page);
    }
    await whenCount(shown, 1);
  });

  test('an address can be shared: it restores view, scene and bands, also for a scene beyond the list', async () => {
    bench.fake.state.pageLimit = 2;
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    const hash = `#map=10.50/42.82000/2.39000&scene=${OLDEST.sceneID}&dataset=sentinel2&bands=B08,B04,B03`;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}${hash}`);
    await page.locator(`.scene[aria-current][data-view="${OLDEST.view_id}"]`).waitFor();
    const pixels = await whenColor(page, INSIDE, OTHER_DATE);
    assert.equal(new URL(page.url()).hash, hash);
    assert.deepEqual(pixels.view, { zoom: 10.5, lat: 42.82, lon: 2.39 });
    assert.ok(tileUrls(urls).every((url) => url.includes(`${OLDEST.view_id}/B08,B04,B03/`)));
    await whenAttribute(page.locator('.scene[aria-current]'), 'data-view', OLDEST.view_id);
    await openPanel(page, 'Look');
    await whenIs(page.getByRole('radio', { name: 'False colour' }), ':checked');
    await openPanel(page, 'Find');

    // A user pastes another URL into the same tab: nothing is reloaded, the page follows.
    await page.evaluate(
      `location.hash = '#map=9.00/42.80000/2.40000&scene=${NEWEST.sceneID}&bands=B04,B03,B02'`,
    );
    await page.locator(`.scene[aria-current][data-view="${NEWEST.view_id}"]`).waitFor();
    await whenDrawn(page, ({ view, atLonLat }) => {
      assert.deepEqual(view, { zoom: 9, lat: 42.8, lon: 2.4 });
      assertColor(atLonLat(...INSIDE), NATURAL);
    });

    await page.evaluate(`location.hash = '#scene=S2A_gone&dataset=of-yesterday&bands=VV'`);
    await page.getByText('The scene S2A_gone from this link is not in the catalog.').waitFor();
    await page.waitForURL(new RegExp(`scene=${NEWEST.sceneID}&dataset=sentinel2&bands=B04,B03,B02$`));
  });

  test('the tile address is copied with its bands and without a key', async () => {
    await using opened = await openPage(bench.browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await openPanel(page, 'Look');
    await page.getByRole('button', { name: 'Copy tile URL' }).click();
    await page.getByText('Tile URL copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(
      copied,
      `https://imagery.example/api/render/${NEWEST.view_id}/B04,B03,B02/{z}/{x}/{y}?STRETCH=natural`,
    );
    await openPanel(page, 'Settings');
    await whenAttribute(page.getByRole('link', { name: 'API docs' }), 'href', 'docs');
  });

  test('on a phone the map, the list and the controls all fit', async () => {
    await using opened = await openPage(bench.browser, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const { page, problems } = opened;
    bench.fake.state.scenes = [NEWEST, RADAR];
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await sceneButtons(page).first().waitFor();
    await whenColor(page, INSIDE, NATURAL);
    const map = await page.locator('#map').boundingBox();
    assert.ok(
      map !== null && map.width === 360 && map.height >= 640 * 0.4,
      `map of ${map?.width} x ${map?.height}`,
    );
    const rail = await page.getByRole('navigation').boundingBox();
    assert.ok(rail !== null && rail.y + rail.height <= 640, 'the rail is in view');
    await page.getByRole('navigation').getByRole('button', { name: 'Look' }).tap();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    await page.getByRole('radio', { name: 'False colour' }).tap();
    await whenColor(page, INSIDE, FALSE_COLOR);
    assert.deepEqual(problems, []);
  });

  test('everything can be reached with the keyboard', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await sceneButtons(page).first().waitFor();
    await whenMapIdle(page);
    const reached: string[] = [];
    // More stops than any panel has.
    for (let i = 0; i < 60 && reached.at(-1) !== 'Zoom in'; i++) {
      await page.keyboard.press('Tab');
      const name =
        '(document.activeElement.ariaLabel || document.activeElement.id || document.activeElement.value || document.activeElement.textContent)';
      reached.push(String(await page.evaluate(name)));
    }
    const expected = [
      'Find',
      'Look',
      'Compare',
      'Share',
      'Settings',
      'date-from',
      'clouds',
      'everywhere',
      NEWEST.sceneID,
      'Map',
      'Zoom in',
    ];
    for (const name of expected)
      assert.ok(
        reached.some((text) => text.includes(name)),
        `${name} among ${reached}`,
      );
  });
});
