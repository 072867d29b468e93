/** The clear view, which the page begins with: its days, where its pixels come from, and a map that is never empty. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { waitFor } from '../../../src/testing/wait-for.ts';
import {
  describeViewer,
  GREY,
  INSIDE,
  KEY,
  MIDDLE,
  NATURAL,
  NEWEST,
  OTHER_DATE,
  openPanel,
  sceneButtons,
  tileUrls,
  whenColor,
} from '../describe-viewer.ts';
import { findFaults } from '../find-faults.ts';
import { readMapPixels, whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenText } from '../when-shown.ts';

const hashOf = (page: Page): string => new URL(page.url()).hash;
const clickInside = async (page: Page): Promise<void> => {
  const { xPx, yPx } = (await readMapPixels(page)).toPixel(...INSIDE);
  // Above the bar of days, which lies over the lower part of a small map.
  await page.locator('#map').click({ position: { x: xPx, y: yPx - 40 } });
};

describeViewer('viewer, clear view', (bench) => {
  const home = (hash = ''): string => `${bench.fake.origin}/?api_key=${KEY}${hash}`;

  test('the page starts with the newest clear pixels in natural colour; another day is one click away', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems, urls } = opened;
    const before = bench.fake.seen.length;
    await page.goto(home());
    await page.getByText('Latest clear').waitFor();
    await whenColor(page, INSIDE, NATURAL);
    const [tile = ''] = tileUrls(urls);
    assert.match(
      tile,
      /\/api\/mosaic\/S2\/2026-03-01\.\.2026-06-30\/B04,B03,B02\/\d+\/\d+\/\d+\?STRETCH=natural&/,
    );
    assert.match(tile, /&selection=nearest&date=2026-06-30&max_cloud=60$/);
    assert.equal(await page.locator('.scene[aria-current]').count(), 0, 'it is of many scenes');
    assert.doesNotMatch(hashOf(page), /scene=|clear=/, 'the plainest page has the shortest address');
    assert.ok(
      tileUrls(urls).every((url) => url.includes('/api/mosaic/')),
      'no tile was asked for twice',
    );
    // What the first script asked for, the page does not ask for again.
    const readLines = (): readonly string[] =>
      bench.fake.seen
        .slice(before)
        .filter(({ url }) => /^\/(readyz|api\/(?!render))/.test(url))
        .map(({ method, url, body }) => `${method} ${url} ${body}`);
    const first = ['/readyz', '/api/sensors', '/api/colormaps', '/api/functions', '/api/about'];
    await waitFor(() => first.every((path) => readLines().includes(`GET ${path} `)));
    const lines = readLines();
    assert.deepEqual(lines, [...new Set(lines)]);

    await page.getByRole('button', { name: 'Earlier day with scenes' }).click();
    await page.getByText('Clear around 16 Jun 2026').waitFor();
    await whenColor(page, INSIDE, OTHER_DATE);
    await page.waitForURL(/&clear=2026-06-16&/);
    // The slider by keys, and the days around it.
    const slider = page.getByRole('slider', { name: 'Day' });
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Clear around 15 Jun 2026').waitFor();
    await whenAttribute(slider, 'aria-valuetext', '15 Jun 2026');
    await page.getByLabel('Days before and after').selectOption('± 5 days');
    await page.waitForURL((url) => url.hash.includes('clear=2026-06-15,5'));
    await page.reload();
    await page.getByText('Clear around 15 Jun 2026').waitFor();
    await whenColor(page, INSIDE, OTHER_DATE);
    await page.getByRole('button', { name: 'Newest', exact: true }).click();
    await page.getByText('Latest clear').waitFor();
    assert.deepEqual(problems, []);
  });

  test('a scene in the list is one click away, the map does not move, and the clear view is one click back', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(home());
    await whenMapIdle(page);
    const view = /map=[^&]*/.exec(hashOf(page))?.[0];
    await sceneButtons(page).nth(1).click();
    await page.locator('.scene[aria-current]').waitFor();
    await whenColor(page, INSIDE, OTHER_DATE);
    await page.waitForURL(new RegExp(`&scene=${MIDDLE.sceneID}&`));
    assert.equal(/map=[^&]*/.exec(hashOf(page))?.[0], view);
    await page.locator('#time-bar').getByRole('button', { name: 'Latest clear' }).click();
    await page.getByRole('slider', { name: 'Day' }).waitFor();
    await whenColor(page, INSIDE, NATURAL);
    await page.goBack();
    await page.locator('.scene[aria-current]').waitFor();
    assert.deepEqual(problems, []);
  });

  test('an index works in the clear view too, with its legend; its tiles need no separate mask', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems, urls } = opened;
    await page.goto(home('#panel=look'));
    await page.getByRole('radio', { name: 'NDVI Vegetation', exact: true }).check();
    await page
      .getByRole('region', { name: 'Legend' })
      .getByRole('heading', { name: 'NDVI Vegetation' })
      .waitFor();
    await whenColor(page, INSIDE, GREY);
    const of = (part: string) => urls.filter((url) => url.includes(part));
    await waitFor(() => of('/api/mosaic/legend/S2/').length > 0);
    assert.equal(of('/api/mosaic/legend/S2/').length, 1);
    assert.ok(of('/NDVI/').length > 1 && of('/NDVI/').every((url) => !url.includes('MASK')));
    await page.getByRole('heading', { name: 'Latest clear' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('dates are listed, and each pixel names its scene and how it was made', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      // Its rules are not part of the page: the content policy is set aside for them.
      await using opened = await openPage(bench.browser, { colorScheme, bypassCSP: true });
      const { page, problems } = opened;
      await page.goto(home());
      await whenMapIdle(page);
      await page.getByRole('button', { name: 'Dates used' }).click();
      const sources = page.locator('.clear-sources');
      await sources.getByRole('button', { name: '21 Jun 2026' }).waitFor();
      await whenText(sources, /Sentinel-2 L1C\s+100%/);
      assert.deepEqual(await findFaults(page), [], colorScheme);
      await page.getByRole('button', { name: 'Dates used' }).click();
      await clickInside(page);
      const card = page.getByRole('region', { name: 'Values here' });
      await card.getByText('From the scene of 21 Jun 2026, Sentinel-2 L1C').waitFor();
      await card.getByText('0.625').first().waitFor();
      await card.getByRole('button', { name: 'How this picture is made' }).click();
      await card.getByText('B04.tif · overview 1').waitFor();
      assert.deepEqual(await findFaults(page), [], colorScheme);
      await card.getByRole('button', { name: 'Show only this scene' }).click();
      await page.waitForURL((url) => url.hash.includes(`scene=${NEWEST.sceneID}`));
      assert.deepEqual(problems, []);
    }
  });

  test('where there is no imagery, the map says so and offers the nearest', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems, urls } = opened;
    await page.goto(home('#clear=2026-01-10,5'));
    const note = page.getByRole('region', { name: 'What the map shows' });
    await note.getByText('No clear scene here from 5 Jan 2026 to 15 Jan 2026.').waitFor();
    assert.deepEqual(problems, []);
    await note.getByRole('button', { name: 'Show 16 Jun 2026' }).click();
    await whenColor(page, INSIDE, OTHER_DATE);
    await whenText(note, '');

    // A scene that lies elsewhere.
    await page.goto('about:blank');
    await page.goto(home(`#map=9.00/10.00000/10.00000&scene=${NEWEST.sceneID}`));
    await note.getByText('The scene of 21 Jun 2026 is not here.').waitFor();
    await note.getByRole('button', { name: 'Go to it' }).click();
    await note.getByText('is not here').waitFor({ state: 'detached' });
    await whenColor(page, INSIDE, NATURAL);

    // From a clear view of another place: its tiles of the new place would come before those of the scene.
    await page.goto('about:blank');
    await page.goto(home('#map=9.00/10.00000/10.00000'));
    await whenMapIdle(page);
    const count = tileUrls(urls).length;
    await sceneButtons(page).first().click();
    await whenColor(page, INSIDE, NATURAL);
    const later = tileUrls(urls).slice(count);
    assert.ok(later.length > 0 && later.every((url) => url.includes('/api/render/')), later.join('\n'));

    // More scenes than the server puts together.
    bench.fake.state.tileFailure = { status: 422, code: 'too-many-scenes', error: 'Too many.' };
    await page.goto('about:blank');
    await page.goto(home());
    await note.getByText('Zoom in to see them.').waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
  });

  test('the line for developers is shown on request', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(home());
    await whenMapIdle(page);
    assert.equal(await page.locator('#timing').textContent(), '');
    await openPanel(page, 'Settings');
    await page.getByLabel('Count tiles and milliseconds over the map').click();
    const timing = page.locator('#timing').filter({ hasText: /^\d+ tiles? · median 13 ms$/ });
    await timing.waitFor({ state: 'attached' });
  });
});
