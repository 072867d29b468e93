/** Look: indices, band math, contrast, switches and values at a point, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { describeViewer, GREY, INSIDE, KEY, NEWEST, tileUrls, whenColor } from '../describe-viewer.ts';
import type { Rgb } from '../map-pixels.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenText, whenTexts, whenValue } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

const RED: Rgb = [200, 40, 40];

describeViewer('viewer, Look', (bench) => {
  test('indices are described, and filtered by typing', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    await page.getByLabel('Filter indices').fill('water');
    const shown = page.locator('.index:visible');
    assert.ok((await shown.count()) >= 2);
    const water = page.locator('.index', { has: page.getByRole('radio', { name: 'NDWI Water' }) });
    await whenText(water, /Open water above 0.*\(B03-B08\)\/\(B03\+B08\)/s);
    // The tiles of the first composition are on the map before others are wanted.
    await waitFor(() => tileUrls(urls).length > 0);
    await whenMapIdle(page);
    urls.length = 0;
    await page.getByRole('radio', { name: 'NDWI Water' }).check();
    await waitFor(() => tileUrls(urls).length > 0);
    await whenMapIdle(page);
    assert.ok(tileUrls(urls).every((url) => url.includes('/NDWI/')));
    await page.getByLabel('Filter indices').fill('nothing like it');
    await page.getByText('No index matches.').waitFor();
  });

  test('band math is completed, marked where it is wrong, and shown when it is valid', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    await page.locator('#expression-section > summary').click();
    const area = page.getByRole('textbox', { name: 'Expression' });
    await area.fill('');
    await area.pressSequentially('sq');
    await page.getByRole('option', { name: 'sqrt' }).waitFor();
    await page.keyboard.press('Tab');
    await whenValue(area, 'sqrt(');
    await area.pressSequentially('B99)');
    await page.getByText('There is no band B99. Did you mean B09?').waitFor();
    await whenText(page.locator('.token-error'), 'B99');
    await whenAttribute(area, 'aria-invalid', 'true');

    await area.fill('(B08-B04)/B08');
    await whenTexts(page.locator('.token-band'), ['B08', 'B04', 'B08']);
    urls.length = 0;
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/&bands=\(B08-B04\)\/B08&panel=look$/);
    await waitFor(() => tileUrls(urls).some((url) => url.includes('/(B08-B04)%2FB08/')));
    await whenText(page.getByRole('region', { name: 'Legend' }).getByRole('heading'), '(B08-B04)/B08');
    await page.reload();
    await page.waitForURL(/&bands=\(B08-B04\)\/B08&panel=look$/);
  });

  test('contrast and switches are part of every tile request and of the address', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    // A view that still moves has its values read again, which would replace the handles.
    await whenMapIdle(page);
    await page.locator('#contrast > summary').click();
    await page.locator('.histogram-all[d^=M]').first().waitFor();
    urls.length = 0;
    await page.getByRole('slider', { name: 'Minimum' }).press('PageUp');
    // The values, the curve and the calibration of natural colour, so that only the moved end changes.
    await page.waitForURL(/&contrast=[\d.]+,0\.4&gamma=2&with=calibrated&/);
    await waitFor(() => tileUrls(urls).length > 0);
    await whenMapIdle(page);
    assert.ok(
      tileUrls(urls).length > 0 &&
        tileUrls(urls).every((url) => /\?MIN_MAX=[\d.]+,0\.4&GAMMA=2&CALIBRATE=1$/.test(url)),
    );
    await page.getByRole('radio', { name: 'Natural', exact: true }).check();
    await page.waitForURL(/&bands=B04,B03,B02&panel=look$/);

    urls.length = 0;
    await page.getByText('Options').click();
    await page.getByLabel('Paint over clouds').check();
    await page.getByLabel('Interpolation').selectOption('Nearest');
    await page.waitForURL(/&resample=near&with=cloudmask&panel=look$/);
    await waitFor(() =>
      tileUrls(urls).some((url) =>
        url.endsWith('?STRETCH=natural&MASKING=CLOUD_SHADOW&MASK_COLOR=b4b4b4&RESAMPLE=near'),
      ),
    );
    assert.ok(await page.getByLabel('Sharpen with').isHidden(), 'Sentinel-2 has no panchromatic band');
  });

  test('a band without natural colour is drawn with automatic contrast, and the handles show it', async () => {
    bench.fake.state.notNatural = ['B8A'];
    bench.fake.state.colorOf = ({ query }) => (query.get('STRETCH') === null ? GREY : RED);
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look&bands=B04`);
    await whenColor(page, INSIDE, RED);
    await page.locator('#contrast > summary').click();
    const high = page.getByRole('spinbutton', { name: 'Maximum as a number' });
    const whenHighIs = (value: string) =>
      whenTrue(
        page,
        `[...document.querySelectorAll('#contrast input[type=number]')].at(-1)?.value === '${value}'`,
      );
    await whenHighIs('0.4');

    await page.evaluate(`location.hash = '#clear=off&panel=look&bands=B8A'`);
    await page.locator('#contrast').getByText('its contrast is automatic').waitFor();
    await whenColor(page, INSIDE, GREY);
    await whenValue(high, '4000');
    assert.equal(
      await page.getByText('STRETCH=natural has no fixed range').count(),
      0,
      'no refusal is shown',
    );
    // The next tiles are requested with automatic contrast at once.
    urls.length = 0;
    await page.locator('#map canvas').press('-');
    await whenMapIdle(page);
    assert.ok(tileUrls(urls).every((url) => !url.includes('STRETCH=natural')));

    await page.evaluate(`location.hash = '#clear=off&panel=look&bands=B04'`);
    await whenHighIs('0.4');
  });

  test('a typed contrast is applied, an empty one is marked; without a histogram the handles work', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look&bands=B8A`);
    await whenMapIdle(page);
    bench.fake.state.tileFailure = { status: 500, error: 'The server is busy.' };
    await page.locator('#contrast > summary').click();
    await page.locator('#contrast').getByText('The server is busy.').waitFor();
    bench.fake.state.tileFailure = null;
    const high = page.getByRole('spinbutton', { name: 'Maximum as a number' });
    await high.fill('-5');
    await high.press('Enter');
    await whenAttribute(high, 'aria-invalid', 'true');
    await high.fill('5000');
    // Values that come while a number is typed do not write over it.
    await page.setViewportSize({ width: 820, height: 480 });
    await page.locator('.histogram-all[d^=M]').waitFor();
    await high.press('Enter');
    await page.waitForURL(/&contrast=0,5000&/);
    // The track has grown with the value, and the values were counted again.
    await page.locator('.histogram-all[d^=M]').waitFor();
    await whenValue(page.getByRole('slider', { name: 'Maximum' }), '400');
    await page.getByRole('button', { name: 'Whole range' }).click();
    await page.waitForURL(/&contrast=0,0\.5&with=calibrated&/);
  });

  test('without an elevation model the section says how to add one, and offers nothing', async () => {
    await using opened = await openPage(bench.browser);
    const { page, urls, problems } = opened;
    bench.fake.state.elevationM = null;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    await page.locator('#terrain > summary').click();
    await page.getByText('No heights are known here.').waitFor();
    await whenText(page.locator('#no-elevation'), /swath ingest dem/);
    assert.ok(await page.getByRole('radio', { name: 'Hillshade' }).isHidden());
    assert.deepEqual(
      urls.filter((url) => url.includes('/terrain/') && !url.includes('/terrain/point/')),
      [],
    );
    assert.deepEqual(problems, []);
  });

  test('a click on the map reads every band and index there', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    await whenMapIdle(page);
    await page.locator('#map canvas').click();
    const card = page.getByRole('region', { name: 'Values here' });
    const rowOf = (name: string) =>
      card.locator('tr', { has: page.getByRole('rowheader', { name, exact: true }) });
    await whenText(rowOf('NDVI').locator('.number'), '0.625');
    await card.getByText('Elevation 812 m').waitFor();
    await whenText(rowOf('B8A').locator('.number'), '1200');
    await whenText(rowOf('B8A').locator('.muted'), 'Narrow near infrared, 865 nm');
    const asked = bench.fake.seen.filter(({ url }) => url.includes('/S2/point/'));
    assert.ok(asked.every(({ url }) => url.startsWith(`/api/render/S2/point/${NEWEST.view_id.slice(3)}/`)));
    await page.getByRole('button', { name: 'Close values' }).click();
    await card.waitFor({ state: 'hidden' });
    assert.deepEqual(problems, []);
  });
});
