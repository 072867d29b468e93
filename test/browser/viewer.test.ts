/** The viewer in a real browser, in front of a server that answers like Swath. Looks at pixels, requests and words. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sensors } from '../../src/sensors/index.ts';
import type { FakeScene, FakeState, FakeSwath } from './fake-swath.ts';
import { startFakeSwath } from './fake-swath.ts';
import type { Rgb } from './map-pixels.ts';
import { readMapPixels, whenMapIdle } from './map-pixels.ts';
import type { OpenBrowser } from './open-browser.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import { openPage } from './watched-page.ts';
import { requireFreshWebBuild } from './web-build.ts';

const KEY = 'key-that-must-not-leak';
const NATURAL: Rgb = [60, 130, 70];
const FALSE_COLOR: Rgb = [190, 50, 60];
const GREY: Rgb = [128, 128, 128];
const OTHER_DATE: Rgb = [70, 90, 200];
/** The dark palette of `web/base-style.ts`. */
const LAND: Rgb = [0x1c, 0x2a, 0x32];
const WATER: Rgb = [0x0e, 0x1a, 0x22];

/** About the outline of tile 31TDH, between the Pyrenees and the sea. */
const OUTLINE: FakeScene['dataGeometry'] = {
  type: 'Polygon',
  coordinates: [
    [
      [1.78, 42.35],
      [3.0, 42.35],
      [3.0, 43.3],
      [1.78, 43.3],
      [1.78, 42.35],
    ],
  ],
};

const makeScene = (day: number, cloudCoverage: number): FakeScene => ({
  sceneID: `S2A_tile_202606${day}_31TDH_0`,
  view_id: `S2/31/T/DH/2026/6/${day}/0`,
  date: `2026-06-${day}`,
  cloudCoverage,
  sunElevation: 67.2,
  satellite: 'sentinel2',
  dataGeometry: OUTLINE,
});
/** The same place and day as radar saw it: another sensor, no clouds, no sun. */
const RADAR: FakeScene = {
  sceneID: 'S1A_IW_GRDH_1SDH_20260620T060000_20260620T060025_060000_07A000_ABCD',
  view_id: 'S1/S1A_IW_GRDH_1SDH_20260620T060000_20260620T060025_060000_07A000_ABCD',
  date: '2026-06-20',
  satellite: 'sentinel1',
  dataGeometry: OUTLINE,
};
const [NEWEST, MIDDLE, OLDEST] = [makeScene(21, 3.4), makeScene(16, 44), makeScene(11, 81)] as const;
/** The middle of the outline above. */
const INSIDE = [2.39, 42.82] as const;

const freshState = (): FakeState => ({
  acceptedKey: KEY,
  scenes: [NEWEST, MIDDLE, OLDEST],
  pageLimit: 100,
  waiting: null,
  isWorldEmpty: true,
  tileFailure: null,
  missingBands: [],
  colorOf: ({ viewId, bands }) => {
    if (viewId !== NEWEST.view_id) return OTHER_DATE;
    if (bands === 'B04,B03,B02') return NATURAL;
    return bands === 'B08,B04,B03' ? FALSE_COLOR : GREY;
  },
});

/** Graphics drivers may round a channel by one or two. */
const assertColor = (actual: Rgb, expected: Rgb): void => {
  const isClose = actual.every((value, i) => Math.abs(value - expected[i]!) <= 2);
  assert.ok(isClose, `expected the colour ${expected.join(', ')}, the screen shows ${actual.join(', ')}`);
};

describe('viewer', { skip: whyNoBrowser() }, () => {
  let open: OpenBrowser;
  let fake: FakeSwath;

  before(async () => {
    requireFreshWebBuild();
    fake = await startFakeSwath(freshState());
    open = await openBrowser();
  });
  after(async () => {
    await open?.close();
    await fake?.close();
  });
  afterEach(() => {
    Object.assign(fake.state, freshState());
    fake.seen.length = 0;
  });

  const sceneButtons = (page: Page) => page.locator('button.scene');
  const tileUrls = (urls: readonly string[]): string[] => urls.filter((url) => url.includes('/api/render/'));

  test('an address with a key shows the newest scene on the map, and the key stays out of every address', async () => {
    fake.state.isWorldEmpty = false;
    await using opened = await openPage(open.browser);
    const { page, problems, urls } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await sceneButtons(page).first().waitFor();
    assert.deepEqual(await page.locator('.scene .date').allTextContents(), [
      '21 Jun 2026',
      '16 Jun 2026',
      '11 Jun 2026',
    ]);
    assert.deepEqual(
      await page.locator('.scene .id').allTextContents(),
      fake.state.scenes.map((s) => s.sceneID),
    );
    assert.equal(await page.locator('.scene .cloud').first().textContent(), 'Cloud 3 %');
    assert.equal(await page.locator('.scene[aria-current]').getAttribute('data-view'), NEWEST.view_id);

    const pixels = await readMapPixels(page);
    assertColor(pixels.atPlace(...INSIDE), NATURAL);
    const { xPx: westPx } = pixels.toPixel(1.78, 42.82);
    const { xPx: eastPx } = pixels.toPixel(3.0, 42.82);
    const { yPx: northPx } = pixels.toPixel(2.39, 43.3);
    assert.ok(westPx > 0 && eastPx < pixels.widthPx && northPx > 0, 'the whole footprint is in view');
    assert.ok(pixels.heightPx - 2 * northPx > pixels.heightPx * 0.7, 'the footprint fills most of the view');
    assert.match(await page.locator('#timing').innerText(), /^\d+ tiles? · median 13 ms$/);

    assert.equal(new URL(page.url()).search, '');
    // The page itself was opened with the key by hand; nothing it asked for afterwards may carry it.
    const [opening, ...rest] = urls;
    assert.equal(opening, `${fake.origin}/?api_key=${KEY}`);
    assert.ok(tileUrls(rest).length > 0);
    for (const url of [...rest, page.url()]) {
      assert.ok(!url.includes(KEY), `no key in ${url}`);
      assert.ok(url.startsWith(`${fake.origin}/`), `only its own server: ${url}`);
    }
    const api = fake.seen.filter(({ url }) => url.startsWith('/api/'));
    assert.ok(api.every(({ key }) => key === KEY));
    assert.deepEqual(JSON.parse(api.find(({ method }) => method === 'POST')?.body ?? ''), {
      search: { satellites: sensors.map(({ dataset }) => dataset) },
      sort: { date: 'desc' },
      limit: 100,
    });
    assert.deepEqual(problems, []);

    await page.reload();
    await sceneButtons(page).first().waitFor();
    assert.deepEqual(problems, []);
  });

  test('the base map has land and water where they are', async () => {
    fake.state.isWorldEmpty = false;
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}#map=5.00/42.00000/5.00000`);
    await sceneButtons(page).first().waitFor();
    const pixels = await readMapPixels(page);
    assertColor(pixels.atPlace(8.2, 45.2), LAND);
    assertColor(pixels.atPlace(7.0, 40.5), WATER);
    assertColor(pixels.atPlace(9.05, 40.1), LAND);

    await page.emulateMedia({ colorScheme: 'light' });
    // The page hears of it with its next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const light = await readMapPixels(page);
    assert.ok(
      light.atPlace(7.0, 40.5).every((value) => value > 0xb0),
      'water is light in the light scheme',
    );
  });

  test('compositions, single bands and opacity change what is asked for and what is seen', async () => {
    await using opened = await openPage(open.browser);
    const { page, urls, problems } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), NATURAL);
    assert.ok(tileUrls(urls).every((url) => url.includes(`/api/render/${NEWEST.view_id}/B04,B03,B02/`)));

    urls.length = 0;
    await page.getByRole('radio', { name: 'False colour' }).check();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), FALSE_COLOR);
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes('/B08,B04,B03/')));
    assert.match(page.url(), /&bands=B08,B04,B03$/);

    urls.length = 0;
    await page.keyboard.press('ArrowRight');
    await whenMapIdle(page);
    assert.ok(await page.getByRole('radio', { name: 'SWIR' }).isChecked());
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes('/B12,B8A,B04/')));

    urls.length = 0;
    await page.getByLabel('Single band').selectOption('B8A');
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), GREY);
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes('/B8A/')));
    assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
    assert.equal(await page.getByLabel('Single band').locator('option').count(), 14);

    await page.getByLabel('Opacity').fill('0');
    const bare = (await readMapPixels(page)).atPlace(...INSIDE);
    assert.ok(Math.max(...bare) < 60, `the dark base shows through, not ${bare}`);
    assert.equal(await page.locator('output').innerText(), '0 %');
    assert.deepEqual(problems, []);
  });

  test('a scene is chosen in the list, or by clicking its outline, again and again for other dates', async () => {
    await using opened = await openPage(open.browser);
    const { page, urls } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await whenMapIdle(page);
    urls.length = 0;
    await sceneButtons(page).nth(2).click();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), OTHER_DATE);
    assert.ok(tileUrls(urls).every((url) => url.includes(OLDEST.view_id)));
    assert.match(page.url(), new RegExp(`scene=${OLDEST.sceneID}`));

    const shown = page.locator('.scene[aria-current]');
    for (const next of [NEWEST, MIDDLE]) {
      await page.locator('#map canvas').click();
      await page.locator(`.scene[aria-current][data-view="${next.view_id}"]`).waitFor();
      await whenMapIdle(page);
    }
    assert.equal(await shown.count(), 1);
  });

  test('scenes of several sensors are listed together, filtered, and shown with bands of their own', async () => {
    fake.state.scenes = [NEWEST, RADAR, MIDDLE];
    await using opened = await openPage(open.browser);
    const { page, urls, problems } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await sceneButtons(page).first().waitFor();
    assert.deepEqual(await page.locator('.scene .detail').allTextContents(), [
      'Sentinel-2 L1C · sun 67°',
      'Sentinel-1 GRD',
      'Sentinel-2 L1C · sun 67°',
    ]);
    assert.deepEqual(await page.locator('.scene .facts').allTextContents(), ['Cloud 3 %', '', 'Cloud 44 %']);
    await page.getByRole('radio', { name: 'False colour' }).check();
    await whenMapIdle(page);

    urls.length = 0;
    await sceneButtons(page).nth(1).click();
    await page.getByRole('radio', { name: 'VV' }).waitFor();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), OTHER_DATE);
    assert.ok(
      tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes(`${RADAR.view_id}/VV/`)),
    );
    assert.match(page.url(), /&dataset=sentinel1&bands=VV$/);
    assert.equal(await page.getByRole('radio').count(), 4);
    assert.ok(await page.getByLabel('Single band').isHidden());

    const filter = page.getByLabel('Sensor');
    assert.deepEqual(await filter.locator('option').allTextContents(), [
      'All sensors',
      'Sentinel-2 L1C',
      'Sentinel-1 GRD',
    ]);
    await filter.focus();
    await filter.selectOption('Sentinel-2 L1C');
    await page.locator(`.scene[aria-current][data-view="${NEWEST.view_id}"]`).waitFor();
    assert.equal(await sceneButtons(page).count(), 2);
    assert.equal(await page.evaluate('document.activeElement.id'), 'dataset');
    assert.ok(await page.getByRole('radio', { name: 'Natural colour' }).isChecked());
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), NATURAL);

    await page.evaluate(`location.hash = '#scene=${RADAR.sceneID}&dataset=sentinel1&bands=HV'`);
    await page.locator(`.scene[aria-current][data-view="${RADAR.view_id}"]`).waitFor();
    assert.equal(await filter.inputValue(), '', 'an address beyond the filter lifts it');
    assert.equal(await sceneButtons(page).count(), 3);
    assert.ok(await page.getByRole('radio', { name: 'HV' }).isChecked());
    assert.deepEqual(problems, []);
  });

  test('a sensor whose scenes are too old for the list can still be chosen', async () => {
    fake.state.scenes = [NEWEST, MIDDLE, OLDEST, RADAR];
    fake.state.pageLimit = 2;
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await page.getByLabel('Sensor').selectOption('Sentinel-1 GRD');
    await page.locator(`.scene[aria-current][data-view="${RADAR.view_id}"]`).waitFor();
    assert.equal(await sceneButtons(page).count(), 1);
  });

  test('one sensor alone has no filter, and two levels of one scene id are two scenes', async () => {
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await sceneButtons(page).first().waitFor();
    assert.ok(await page.locator('#dataset').isHidden());

    const level2: FakeScene = { ...NEWEST, view_id: 'S2L2A/31/T/DH/2026/6/21/0', satellite: 'sentinel2l2a' };
    fake.state.scenes = [NEWEST, level2];
    const hash = `#scene=${level2.sceneID}&dataset=sentinel2l2a&bands=B04,B03,B02`;
    await page.goto(`${fake.origin}/?api_key=${KEY}${hash}`);
    await page.locator(`.scene[aria-current][data-view="${level2.view_id}"]`).waitFor();
    assert.equal(await page.locator('.scene[aria-current]').count(), 1);
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), OTHER_DATE);
  });

  test('a scene that lacks a band shows what it has, and says so when a missing one is asked for', async () => {
    fake.state.scenes = [RADAR, NEWEST];
    fake.state.missingBands = ['VV', 'VH', 'B12'];
    await using opened = await openPage(open.browser);
    const { page, urls } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await page.getByText('Not in this scene: VV. HH is shown instead.').waitFor();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), OTHER_DATE);
    assert.ok(await page.getByRole('radio', { name: 'HH' }).isChecked());
    assert.ok(await page.getByRole('radio', { name: 'VV' }).isDisabled());
    assert.match(page.url(), /&bands=HH$/);

    await page.getByRole('radio', { name: 'VH' }).click();
    await page.getByText('This scene has no file for the band VH.').waitFor();
    await page.getByRole('button', { name: 'Show HH' }).click();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), OTHER_DATE);
    assert.equal(await page.locator('.notice').count(), 0);

    await sceneButtons(page).nth(1).click();
    await page.getByRole('radio', { name: 'SWIR' }).click();
    await page.getByText('This scene has no file for the band B12.').waitFor();
    await page.getByRole('button', { name: 'Show Natural colour' }).click();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), NATURAL);

    urls.length = 0;
    await sceneButtons(page).first().click();
    await page.getByRole('radio', { name: 'HH' }).waitFor();
    await whenMapIdle(page);
    assert.ok(
      tileUrls(urls).every((url) => url.includes('/HH/')),
      'what is known to be missing is not asked for',
    );
  });

  test('an address can be shared: it brings back view, scene and bands, also of a scene beyond the list', async () => {
    fake.state.pageLimit = 2;
    await using opened = await openPage(open.browser);
    const { page, urls } = opened;
    const hash = `#map=10.50/42.82000/2.39000&scene=${OLDEST.sceneID}&dataset=sentinel2&bands=B08,B04,B03`;
    await page.goto(`${fake.origin}/?api_key=${KEY}${hash}`);
    const pixels = await readMapPixels(page);
    assert.equal(new URL(page.url()).hash, hash);
    assert.deepEqual(pixels.view, { zoom: 10.5, lat: 42.82, lon: 2.39 });
    assertColor(pixels.atPlace(...INSIDE), OTHER_DATE);
    assert.ok(tileUrls(urls).every((url) => url.includes(`${OLDEST.view_id}/B08,B04,B03/`)));
    assert.equal(await page.locator('.scene[aria-current]').getAttribute('data-view'), OLDEST.view_id);
    assert.ok(await page.getByRole('radio', { name: 'False colour' }).isChecked());

    // Somebody pastes another address into the same tab: nothing is loaded anew, the page follows.
    await page.evaluate(
      `location.hash = '#map=9.00/42.80000/2.40000&scene=${NEWEST.sceneID}&bands=B04,B03,B02'`,
    );
    await page.locator(`.scene[aria-current][data-view="${NEWEST.view_id}"]`).waitFor();
    const followed = await readMapPixels(page);
    assert.deepEqual(followed.view, { zoom: 9, lat: 42.8, lon: 2.4 });
    assertColor(followed.atPlace(...INSIDE), NATURAL);

    await page.evaluate(`location.hash = '#scene=S2A_gone&dataset=of-yesterday&bands=VV'`);
    await page.getByText('The scene S2A_gone of this address is not in the catalogue.').waitFor();
    assert.match(page.url(), new RegExp(`scene=${NEWEST.sceneID}&dataset=sentinel2&bands=B04,B03,B02$`));
  });

  test('without a key, or with a refused one, the page asks for it', async () => {
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(fake.origin);
    const input = page.getByLabel('API key');
    await input.waitFor();
    assert.match(await page.locator('#api-key-hint').innerText(), /swath keys create prints a new one/);
    assert.equal(fake.seen.filter(({ url }) => url.startsWith('/api/')).length, 0);

    await input.fill('wrong');
    await page.getByRole('button', { name: 'Show scenes' }).click();
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('alert').innerText(), 'This API key is not known here.');

    await page.getByLabel('API key').fill(KEY);
    await page.keyboard.press('Enter');
    await sceneButtons(page).first().waitFor();
    assert.ok(!page.url().includes(KEY));
  });

  test('a key that is taken back while tiles load is asked for once, and what is typed stays', async () => {
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await whenMapIdle(page);
    fake.state.tileFailure = { status: 403, error: 'This API key was revoked.' };
    await page.getByRole('radio', { name: 'SWIR' }).click();
    await page.getByText('This API key was revoked.').waitFor();
    await page.getByLabel('API key').fill('half a ke');
    await whenMapIdle(page);
    assert.equal(await page.getByLabel('API key').inputValue(), 'half a ke');
    assert.equal(await page.locator('.notice').count(), 0);
  });

  test('forgetting the key takes the scenes off the map', async () => {
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), NATURAL);
    await page.getByRole('button', { name: 'Change key' }).click();
    await page.getByLabel('API key').waitFor();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), WATER);
    await page.reload();
    await page.getByLabel('API key').waitFor();
  });

  test('a server that is still preparing says so, and the scenes come by themselves', async () => {
    fake.state.waiting = 'demo scene 43 %';
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await page.getByText('demo scene 43 %').waitFor();
    assert.equal(await page.locator('progress').getAttribute('value'), '43');
    assert.equal(fake.seen.filter(({ url }) => url.startsWith('/api/')).length, 0);
    fake.state.waiting = 'demo scene 88 %';
    await page.getByText('demo scene 88 %').waitFor();
    fake.state.waiting = null;
    await sceneButtons(page).first().waitFor();
  });

  test('an empty catalogue is said to be empty', async () => {
    fake.state.scenes = [];
    await using opened = await openPage(open.browser);
    await opened.page.goto(`${fake.origin}/?api_key=${KEY}`);
    await opened.page.getByRole('heading', { name: 'No scenes yet' }).waitFor();
  });

  test("tiles that fail show the server's sentence once, and can be tried again", async () => {
    const error = 'The server is busy: 64 renders are waiting already. Try again in 2 s.';
    fake.state.tileFailure = { status: 503, error };
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await page.getByText(error).waitFor();
    await whenMapIdle(page);
    assert.equal(await page.locator('.notice').count(), 1);

    fake.state.tileFailure = null;
    await page.getByRole('button', { name: 'Try again' }).click();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), NATURAL);
    assert.equal(await page.locator('.notice').count(), 0);

    // Answers of scenes are data: markup in them is shown as text.
    fake.state.tileFailure = { status: 400, error: '<img src=x onerror=alert(1)> is not a band.' };
    await page.getByRole('radio', { name: 'SWIR' }).click();
    await page.getByText('<img src=x onerror=alert(1)> is not a band.').waitFor();
    assert.equal(await page.locator('.notice img').count(), 0);
  });

  test('the tile address is copied with its bands and without a key', async () => {
    await using opened = await openPage(open.browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await page.getByRole('button', { name: 'Copy tile URL' }).click();
    await page.getByText('Tile URL copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(copied, `https://imagery.example/api/render/${NEWEST.view_id}/B04,B03,B02/{z}/{x}/{y}`);
    assert.equal(await page.getByRole('link', { name: 'API docs' }).getAttribute('href'), '/docs');
  });

  test('on a phone the map, the list and the controls all fit', async () => {
    await using opened = await openPage(open.browser, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const { page, problems } = opened;
    // The tallest the panel gets: a line for the sensor on each card, and the filter.
    fake.state.scenes = [NEWEST, RADAR];
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await page.getByLabel('Sensor').waitFor();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), NATURAL);
    const map = await page.locator('#map').boundingBox();
    assert.ok(
      map !== null && map.width === 360 && map.height >= 640 * 0.4,
      `map of ${map?.width} x ${map?.height}`,
    );
    const copy = await page.getByRole('button', { name: 'Copy tile URL' }).boundingBox();
    assert.ok(copy !== null && copy.y + copy.height <= 640, 'the last control is in view');
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    await page.getByRole('radio', { name: 'False colour' }).tap();
    assertColor((await readMapPixels(page)).atPlace(...INSIDE), FALSE_COLOR);
    assert.deepEqual(problems, []);
  });

  test('everything can be reached with the keyboard', async () => {
    await using opened = await openPage(open.browser);
    const { page } = opened;
    await page.goto(`${fake.origin}/?api_key=${KEY}`);
    await sceneButtons(page).first().waitFor();
    const reached: string[] = [];
    for (let i = 0; i < 14; i++) {
      await page.keyboard.press('Tab');
      const name =
        '(document.activeElement.ariaLabel || document.activeElement.id || document.activeElement.value || document.activeElement.textContent)';
      reached.push(String(await page.evaluate(name)));
    }
    const expected = [
      'API docs',
      'forget-key',
      NEWEST.sceneID,
      'B04,B03,B02',
      'single-band',
      'opacity',
      'Copy tile URL',
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
