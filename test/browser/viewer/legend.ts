/** Colours of one band or index and what they mean, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertColor, describeViewer, GREY, INSIDE, KEY, NEWEST, tileUrls } from '../describe-viewer.ts';
import type { Rgb } from '../map-pixels.ts';
import { readMapPixels, whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';

const VIRIDIS: Rgb = [33, 145, 140];
const CLASSES = {
  colors: ['#ad0028', '#fdfec2', '#007e47'],
  thresholds: [0.2, 0.6],
  bands: [{ band: 'NDVI', min: 0, max: 1 }],
};
/** As the server answers a continuous colormap, with fewer colours. */
const RAMP = {
  colors: Array.from({ length: 16 }, (_, i) => `#${i.toString(16).repeat(6)}`),
  thresholds: Array.from({ length: 15 }, (_, i) => (i + 1) * 200),
  bands: [{ band: 'B8A', min: 0, max: 3200 }],
};

describeViewer('viewer, legend', (bench) => {
  test('an index has a legend, which folds by key; three bands have none', async () => {
    bench.fake.state.legend = CLASSES;
    await using opened = await openPage(bench.browser);
    const { page, problems, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await whenMapIdle(page);
    const legend = page.getByRole('region', { name: 'Legend' });
    assert.ok(await legend.isHidden());
    assert.ok(await page.getByLabel('Colours', { exact: true }).isHidden());

    await page.getByRole('radio', { name: 'NDVI' }).check();
    await legend.waitFor();
    assert.deepEqual(await legend.locator('li').allTextContents(), [
      'below 0.2',
      '0.2 to 0.6',
      '0.6 and above',
    ]);
    assert.equal(await legend.locator('summary').textContent(), 'NDVI');
    const swatch = 'getComputedStyle(document.querySelector("#legend li:last-child .swatch"))';
    assert.equal(await page.evaluate(`${swatch}.backgroundColor`), 'rgb(0, 126, 71)');
    const asked = urls.filter((url) => url.includes('/legend/'));
    assert.deepEqual(asked, [`${bench.fake.origin}/api/render/legend/${NEWEST.view_id}/NDVI/0/0/0`]);

    await legend.locator('summary').focus();
    await page.keyboard.press('Enter');
    assert.ok(await legend.locator('ul').isHidden());
    await page.keyboard.press('Enter');
    assert.ok(await legend.locator('ul').isVisible());

    await page.getByRole('radio', { name: 'SWIR' }).check();
    await legend.waitFor({ state: 'hidden' });
    assert.deepEqual(problems, []);
  });

  test('colours are chosen for a band, stored in the URL, and requested with every tile', async () => {
    bench.fake.state.legend = RAMP;
    bench.fake.state.colorOf = ({ query }) => (query.get('COLORMAP') === 'viridis' ? VIRIDIS : GREY);
    await using opened = await openPage(bench.browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page, urls, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&bands=B8A`);
    assertColor((await readMapPixels(page)).atLonLat(...INSIDE), GREY);

    urls.length = 0;
    await page.getByLabel('Colours', { exact: true }).selectOption('Viridis');
    assertColor((await readMapPixels(page)).atLonLat(...INSIDE), VIRIDIS);
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.endsWith('?COLORMAP=viridis')));
    assert.ok(urls.some((url) => url.endsWith('/B8A/0/0/0?COLORMAP=viridis')));
    assert.match(page.url(), /&bands=B8A&colormap=viridis$/);
    const legend = page.getByRole('region', { name: 'Legend' });
    assert.equal(await legend.locator('summary').textContent(), 'B8A Narrow near infrared, 865 nm');
    assert.deepEqual(await legend.locator('.legend-values span').allTextContents(), ['0', '1600', '3200']);
    await legend.getByRole('img', { name: 'Colours from 0 to 3200' }).waitFor();
    await page.getByRole('button', { name: 'Copy tile URL' }).click();
    await page.getByText('add &api_key=…').waitFor();
    assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /\{y\}\?COLORMAP=viridis$/);

    await page.reload();
    assertColor((await readMapPixels(page)).atLonLat(...INSIDE), VIRIDIS);
    assert.equal(await page.getByLabel('Colours', { exact: true }).inputValue(), 'viridis');

    // Three channels have colours of their own; unknown colours are ignored.
    urls.length = 0;
    await page.getByRole('radio', { name: 'False colour' }).check();
    await whenMapIdle(page);
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => !url.includes('COLORMAP')));
    await page.evaluate(`location.hash = '#scene=${NEWEST.sceneID}&bands=B8A&colormap=made_up'`);
    await legend.waitFor();
    assert.equal(await page.getByLabel('Colours', { exact: true }).inputValue(), '');
    assert.match(page.url(), /&bands=B8A$/);
    assert.deepEqual(problems, []);
  });

  test('on a phone a long legend starts folded and stays off the controls', async () => {
    const colors = Array.from({ length: 9 }, (_, i) => `#0000${10 + i}`);
    const values = colors.map((_, i) => i);
    bench.fake.state.legend = { colors, thresholds: [], values, bands: [] };
    await using opened = await openPage(bench.browser, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&bands=B8A`);
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.waitFor();
    assert.ok(await legend.locator('ul').isHidden());
    await legend.locator('summary').tap();
    await legend.locator('ul').waitFor();
    const [box, map] = [await legend.boundingBox(), await page.locator('#map').boundingBox()];
    assert.ok(box !== null && map !== null);
    assert.ok(box.y + box.height <= map.y + map.height && box.x + box.width <= map.width);
    const zoom = await page.getByRole('button', { name: 'Zoom in' }).boundingBox();
    assert.ok(zoom !== null && box.x + box.width <= zoom.x, 'the buttons of the map are free');
    const copy = await page.getByRole('button', { name: 'Copy tile URL' }).boundingBox();
    assert.ok(copy !== null && copy.y + copy.height <= 640, 'the last control is in view');
  });
});
