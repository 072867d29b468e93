/** Scenes of several sensors, and scenes that lack bands, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import {
  describeViewer,
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
import type { FakeScene } from '../fake-state.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenContents, whenCount, whenIs, whenText } from '../when-shown.ts';

describeViewer('viewer, several sensors', (bench) => {
  test('scenes of several sensors are listed together, filtered, and shown with their own bands', async () => {
    bench.fake.state.scenes = [NEWEST, RADAR, MIDDLE];
    await using opened = await openPage(bench.browser);
    const { page, urls, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await sceneButtons(page).first().waitFor();
    await whenContents(page.locator('.scene .detail'), [
      'Sentinel-2 L1C',
      'Sentinel-1 GRD',
      'Sentinel-2 L1C',
    ]);
    await whenContents(page.locator('.scene .fact'), ['3%3% cloud', '44%44% cloud']);
    await openPanel(page, 'Look');
    await page.getByRole('radio', { name: 'False colour' }).check();
    await whenMapIdle(page);

    urls.length = 0;
    await openPanel(page, 'Find');
    await sceneButtons(page).nth(1).click();
    await openPanel(page, 'Look');
    await page.getByRole('radio', { name: 'VV', exact: true }).waitFor();
    await whenColor(page, INSIDE, OTHER_DATE);
    assert.ok(
      tileUrls(urls).length > 0 && tileUrls(urls).every((url) => url.includes(`${RADAR.view_id}/VV/`)),
    );
    await page.waitForURL(/&dataset=sentinel1&bands=VV&panel=look$/);
    await whenCount(page.locator('input[name=composition]'), 4);
    await whenText(page.locator('.index').first(), /_DB/, 'radar is read in decibels');
    assert.ok(await page.getByLabel('Single band').isHidden());

    await openPanel(page, 'Find');
    const filter = page.locator('#datasets');
    await filter.locator('summary').click();
    await whenContents(filter.locator('.check'), ['Sentinel-2 L1C', 'Sentinel-1 GRD']);
    await page.getByRole('checkbox', { name: 'Sentinel-2 L1C' }).check();
    await page.getByText('2 scenes').waitFor();
    await whenCount(sceneButtons(page), 2);
    await page.waitForURL(/&sets=sentinel2$/);
    await whenContents(filter.locator('summary'), ['Sentinel-2 L1C']);

    await page.evaluate(`location.hash = '#scene=${RADAR.sceneID}&dataset=sentinel1&bands=HV'`);
    await page.locator(`.scene[aria-current][data-view="${RADAR.view_id}"]`).waitFor();
    await whenContents(filter.locator('summary'), ['All datasets'], 'the address has no filter');
    await page.getByText('3 scenes').waitFor();
    await openPanel(page, 'Look');
    await whenIs(page.getByRole('radio', { name: 'HV', exact: true }), ':checked');
    assert.deepEqual(problems, []);
  });

  test('a radar scene offers its own polarisations; Esc closes the list of datasets, and then the panel', async () => {
    bench.fake.state.scenes = [{ ...RADAR, polarization: 'DV' }, NEWEST];
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
    await page.getByRole('radio', { name: 'VV', exact: true }).waitFor();
    const offered = page.locator('input[name=composition]');
    await whenHolds(async () =>
      assert.deepEqual(await offered.evaluateAll((all) => all.map((one) => one.getAttribute('value'))), [
        'VV',
        'VH',
      ]),
    );

    await openPanel(page, 'Find');
    const list = page.locator('#datasets');
    await list.locator('summary').click();
    await page.getByRole('checkbox', { name: 'Sentinel-1 GRD' }).focus();
    await page.keyboard.press('Escape');
    await whenAttribute(list, 'open', null);
    await page.locator('#panel').waitFor();
    await whenIs(list.locator('summary'), ':focus');
    await page.keyboard.press('Escape');
    await page.locator('#panel').waitFor({ state: 'hidden' });
  });

  test('a sensor whose scenes are too old for the list can still be chosen', async () => {
    bench.fake.state.scenes = [NEWEST, MIDDLE, OLDEST, RADAR];
    bench.fake.state.pageLimit = 2;
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.locator('#datasets summary').click();
    await page.getByRole('checkbox', { name: 'Sentinel-1 GRD' }).check();
    await page.getByText('1 scene', { exact: true }).waitFor();
    await page.locator(`.scene[data-view="${RADAR.view_id}"]`).click();
    await page.locator(`.scene[aria-current][data-view="${RADAR.view_id}"]`).waitFor();
  });

  test('a single sensor has no filter, and two levels of one scene id are two scenes', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await sceneButtons(page).first().waitFor();
    assert.ok(await page.locator('#datasets').isHidden());

    const level2: FakeScene = { ...NEWEST, view_id: 'S2L2A/31/T/DH/2026/6/21/0', satellite: 'sentinel2l2a' };
    bench.fake.state.scenes = [NEWEST, level2];
    const hash = `#scene=${level2.sceneID}&dataset=sentinel2l2a&bands=B04,B03,B02`;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}${hash}`);
    await page.locator(`.scene[aria-current][data-view="${level2.view_id}"]`).waitFor();
    await whenCount(page.locator('.scene[aria-current]'), 1);
    await whenColor(page, INSIDE, OTHER_DATE);
  });

  test('a scene that lacks a band shows what it has, and says so when a missing one is requested', async () => {
    bench.fake.state.scenes = [RADAR, NEWEST];
    bench.fake.state.missingBands = ['VV', 'VH', 'B12'];
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText('Not in this scene: VV. HH is shown instead.').waitFor();
    await whenColor(page, INSIDE, OTHER_DATE);
    await openPanel(page, 'Look');
    await whenIs(page.getByRole('radio', { name: 'HH', exact: true }), ':checked');
    await whenIs(page.getByRole('radio', { name: 'VV', exact: true }), ':disabled');
    await page.waitForURL(/&bands=HH&panel=look$/);

    await page.getByRole('radio', { name: 'VH', exact: true }).click();
    await page.getByText('This scene has no file for the band VH.').waitFor();
    await page.getByRole('button', { name: 'Show HH' }).click();
    await whenColor(page, INSIDE, OTHER_DATE);
    assert.equal(await page.locator('.notice').count(), 0);

    await openPanel(page, 'Find');
    await sceneButtons(page).nth(1).click();
    await openPanel(page, 'Look');
    await page.getByRole('radio', { name: 'SWIR' }).click();
    await page.getByText('This scene has no file for the band B12.').waitFor();
    await page.getByRole('button', { name: 'Show Natural colour' }).click();
    await whenColor(page, INSIDE, NATURAL);

    urls.length = 0;
    await openPanel(page, 'Find');
    await sceneButtons(page).first().click();
    await page.locator(`.scene[aria-current][data-view="${RADAR.view_id}"]`).waitFor();
    await whenMapIdle(page);
    assert.ok(
      tileUrls(urls).every((url) => url.includes('/HH/')),
      'what is known to be missing is not asked for',
    );
  });
});
