/** Colours of one band or index and what they mean, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import {
  describeViewer,
  GREY,
  INSIDE,
  KEY,
  NEWEST,
  openPanel,
  tileUrls,
  whenColor,
} from '../describe-viewer.ts';
import type { Rgb } from '../map-pixels.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenContents } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

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
  test('an index has a legend, which hides no picture; three bands have none', async () => {
    bench.fake.state.legend = CLASSES;
    await using opened = await openPage(bench.browser);
    const { page, problems, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await whenMapIdle(page);
    const legend = page.getByRole('region', { name: 'Legend' });
    assert.ok(await legend.isHidden());
    await openPanel(page, 'Look');
    await page.getByRole('radio', { name: 'NDVI Vegetation', exact: true }).waitFor();
    assert.ok(await page.locator('#colormaps').isHidden());

    await page.getByRole('radio', { name: 'NDVI Vegetation', exact: true }).check();
    await legend.waitFor();
    await whenContents(legend.locator('li'), ['below 0.2', '0.2 to 0.6', '0.6 and above']);
    await whenContents(legend.getByRole('heading'), ['NDVI Vegetation']);
    const swatch = 'getComputedStyle(document.querySelector("#legend li:last-child .swatch"))';
    await whenTrue(page, `${swatch}.backgroundColor === 'rgb(0, 126, 71)'`);
    const asked = urls.filter((url) => url.includes('/legend/'));
    assert.deepEqual(asked, [
      `${bench.fake.origin}/api/render/legend/${NEWEST.view_id}/NDVI/0/0/0?MASKING=CLOUD_SHADOW&MASK_COLOR=b4b4b4`,
    ]);

    const [box, map] = [await legend.boundingBox(), await page.locator('#map').boundingBox()];
    assert.ok(box !== null && map !== null && box.y >= map.y + map.height - 1, 'it covers no picture');

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
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&bands=B8A&panel=look`);
    await whenColor(page, INSIDE, GREY);

    urls.length = 0;
    await page.locator('#colormaps > summary').click();
    await page.getByRole('radio', { name: 'viridis' }).check();
    await whenColor(page, INSIDE, VIRIDIS);
    assert.ok(
      tileUrls(urls).length > 0 &&
        tileUrls(urls).every((url) => url.endsWith('?COLORMAP=viridis&STRETCH=natural')),
    );
    await waitFor(() => urls.some((url) => url.endsWith('/B8A/0/0/0?COLORMAP=viridis&STRETCH=natural')));
    await page.waitForURL(/&bands=B8A&colormap=viridis&panel=look$/);
    const legend = page.getByRole('region', { name: 'Legend' });
    await whenContents(legend.getByRole('heading'), ['B8A Narrow near infrared, 865 nm']);
    await whenContents(legend.locator('.legend-values span'), ['0', '1600', '3200']);
    await legend.getByRole('img', { name: 'Colours from 0 to 3200' }).waitFor();
    await page.getByRole('button', { name: 'Copy tile URL' }).click();
    await page.getByText('add &api_key=…').waitFor();
    assert.match(
      String(await page.evaluate('navigator.clipboard.readText()')),
      /\{y\}\?COLORMAP=viridis&STRETCH=natural$/,
    );

    await page.reload();
    await whenColor(page, INSIDE, VIRIDIS);
    await whenContents(page.locator('#colormaps > summary'), ['viridis']);

    // Three channels have colours of their own; unknown colours are ignored.
    urls.length = 0;
    await page.getByRole('radio', { name: 'False colour' }).check();
    await waitFor(() => tileUrls(urls).length > 0);
    await whenMapIdle(page);
    await legend.waitFor({ state: 'hidden' });
    assert.ok(tileUrls(urls).length > 0 && tileUrls(urls).every((url) => !url.includes('COLORMAP')));
    await page.evaluate(`location.hash = '#scene=${NEWEST.sceneID}&bands=B8A&colormap=made_up&panel=look'`);
    await legend.waitFor();
    await whenContents(page.locator('#colormaps > summary'), ['Default colours']);
    await page.waitForURL(/&bands=B8A&panel=look$/);
    assert.deepEqual(problems, []);
  });

  test('on a phone a long legend is a strip that scrolls, off the map and the controls', async () => {
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
    const [box, map] = [await legend.boundingBox(), await page.locator('#map').boundingBox()];
    assert.ok(box !== null && map !== null);
    assert.ok(box.y >= map.y + map.height - 1 && box.width <= 360 && box.height < 80);
    const panel = await page.locator('#panel').boundingBox();
    assert.ok(panel !== null && box.y + box.height <= panel.y + 1);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  });
});
