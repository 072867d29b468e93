/** Failures of parts of the page, and keys and clicks that must do one thing only. In a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import {
  describeViewer,
  INSIDE,
  KEY,
  MIDDLE,
  NEWEST,
  OLDEST,
  openPanel,
  sceneButtons,
} from '../describe-viewer.ts';
import { readMapPixels, whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenCount, whenIs, whenValue } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

describeViewer('viewer, ways out', (bench) => {
  const home = (): string => `${bench.fake.origin}/?api_key=${KEY}#clear=off`;

  test('a panel whose code fails to load says so, and loads on retry', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(home());
    await sceneButtons(page).first().waitFor();
    await page.route(/share-panel/, (route) => route.abort());
    await openPanel(page, 'Share');
    await page.getByText('This part of the page could not be loaded.').waitFor();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.click();
    const reload = page.getByRole('button', { name: 'Reload the page' });
    await reload.waitFor();
    await page.unroute(/share-panel/);
    await reload.click();
    await page.getByRole('heading', { name: 'Tiles of this picture' }).waitFor();
  });

  test('land and borders that failed to load appear after Try again', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    let isDown = true;
    let asked = 0;
    const listed = Promise.withResolvers<void>();
    await page.route(/world-[0-9a-f]+\.json/, async (route) => {
      asked++;
      await listed.promise;
      return isDown
        ? route.fulfill({ status: 500, body: '{"error":"The base map is lost."}' })
        : route.continue();
    });
    await page.goto(home());
    await sceneButtons(page).first().waitFor();
    listed.resolve();
    await page.getByText('The base map is lost.').waitFor();
    isDown = false;
    const answered = page.waitForResponse(/world-[0-9a-f]+\.json/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await answered;
    assert.equal(asked, 2);
    assert.equal(await page.locator('.notice').count(), 0);
  });

  test('Esc closes a dialog and nothing else, and letters do nothing behind it', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${home()}&panel=compare&animate=1&animate.clouds=100`);
    await page.locator('.film-date:not(:empty)').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Save the animation' });
    await dialog.getByRole('radio', { name: 'GIF' }).focus();
    await page.keyboard.press('l');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  });

  test('a paused animation is at its date again after a reload', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${home()}&animate=1&animate.clouds=100&animate.date=${MIDDLE.date}`);
    await whenTrue(page, `document.querySelector('.film-date')?.textContent === '16 Jun 2026'`);
    await page.getByRole('slider', { name: 'Date' }).press('Home');
    await page.waitForURL(/&animate\.date=2026-06-11/);
    await page.reload();
    await whenTrue(page, `document.querySelector('.film-date')?.textContent === '11 Jun 2026'`);
    await whenCount(page.getByRole('button', { name: 'Play', exact: true }), 1);
  });

  test('a click on the map chooses a date and does not move it, a double click zooms in on one date', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${home()}&map=10.00/42.82000/2.39000`);
    const { toPixel, view } = await readMapPixels(page);
    const { xPx: x, yPx: y } = toPixel(...INSIDE);
    await page.locator('#map').click({ position: { x, y } });
    await page.waitForURL(new RegExp(MIDDLE.sceneID));
    assert.deepEqual((await readMapPixels(page)).view, view);
    await page.locator('#map').dblclick({ position: { x, y } });
    await page.waitForURL(/map=11\.00/);
    // One click further, not two.
    await page.waitForURL((url) => url.hash.includes(OLDEST.sceneID));
  });

  test('while two scenes are compared Look offers what both share, and choosing a scene in the list ends it', async () => {
    await using opened = await openPage(bench.browser, { bypassCSP: true });
    const { page } = opened;
    await page.goto(`${home()}&panel=compare`);
    await page.getByRole('radio', { name: 'Swipe' }).check();
    await page.waitForURL(/compare=swipe/);
    await openPanel(page, 'Look');
    await page.getByText('Two scenes are being compared.').waitFor();
    await page.getByLabel('Opacity').waitFor();
    assert.ok(!(await page.getByRole('radio', { name: 'SWIR' }).isVisible()));
    await openPanel(page, 'Find');
    await sceneButtons(page).nth(1).click();
    await page.waitForURL((url) => !url.hash.includes('compare') && url.hash.includes(MIDDLE.sceneID));
    await openPanel(page, 'Look');
    await page.getByRole('radio', { name: 'SWIR' }).waitFor();
  });

  test('each side accepts its own expression, which the server checks first', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${home()}&panel=compare`);
    await page.getByRole('radio', { name: 'Swipe' }).check();
    await page.getByLabel('Left: Picture').selectOption('Own expression…');
    const input = page.getByLabel('Left: Expression');
    await input.fill('B08-B99');
    await input.press('Enter');
    await page.getByText('There is no band B99.').waitFor();
    await input.fill('B08-B03');
    await input.press('Enter');
    await page.waitForURL(/left\.bands=B08-B03/);
    await whenValue(page.getByLabel('Left: Picture'), 'B08-B03');
    await input.waitFor();
    await page.getByLabel('Right: Picture').selectOption('NDVI');
    await page.waitForURL(/right\.bands=NDVI/);
    await page.reload();
    await page.waitForURL(/left\.bands=B08-B03.*right\.bands=NDVI/);
    await page.getByRole('radio', { name: 'Difference' }).check();
    await page.getByLabel('Index', { exact: true }).selectOption('Own expression…');
    const measure = page.getByLabel('Expression', { exact: true });
    await measure.fill('B04,B03,B02');
    await measure.press('Enter');
    await page.getByText('A difference needs one value per pixel').waitFor();
    await measure.fill('B08-B02');
    await measure.press('Enter');
    await page.waitForURL(/measure=B08-B02/);
  });

  test('a file dropped on a panel is read, and the page stays', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(home());
    await sceneButtons(page).first().waitFor();
    const isStopped = await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      const text = '{"type":"Polygon","coordinates":[[[2,42],[2.1,42],[2.1,42.1],[2,42]]]}';
      dataTransfer.items.add(new File([text], 'field.geojson'));
      return ['dragover', 'drop'].map((type) => !document.querySelector('#panel')
        .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })));
    })()`);
    assert.deepEqual(isStopped, [true, true]);
    await page.getByRole('button', { name: 'Show as area' }).click();
    await page.waitForURL(/&area=2,42;2\.1,42;2\.1,42\.1/);
  });

  test('J and K step, V reads the centre of the map and Esc closes the values', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&panel=look`);
    await whenMapIdle(page);
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: '16 Jun 2026' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: '21 Jun 2026' }).waitFor();
    await page.keyboard.press('v');
    await page.getByRole('region', { name: 'Values here' }).getByText('0.625').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#values').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Look' }).waitFor();
    await openPanel(page, 'Find');
    await page.getByRole('radio', { name: 'A point' }).check();
    await page.getByRole('button', { name: 'Use the centre of the map' }).click();
    await page.waitForURL(/&where=42\.8\d+,2\.39/);
  });

  test('arrow keys move through settings, and Enter applies them', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${home()}&panel=settings`);
    await page.evaluate('window.isSamePage = true');
    await page.getByRole('radio', { name: 'Same as the system' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await whenIs(page.getByRole('radio', { name: 'Dark' }), ':checked');
    assert.equal(await page.evaluate('window.isSamePage'), true);
    await page.getByRole('group', { name: 'Appearance' }).getByRole('button', { name: 'Apply' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    // While the page is loaded anew, nothing can be asked of it.
    await waitFor(() =>
      page.evaluate('window.isSamePage').then(
        (isSame) => isSame === undefined,
        () => false,
      ),
    );
  });

  test('a page of the list that fails can be retried', async () => {
    const scene = (day: number) => ({
      ...NEWEST,
      sceneID: `scene_${day}`,
      view_id: `S2/31/T/DH/2026/5/${day}/0`,
      date: `2026-05-${day}`,
    });
    bench.fake.state.scenes = Array.from({ length: 20 }, (_, i) => scene(30 - i));
    bench.fake.state.pageLimit = 10;
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    let isDown = true;
    await page.route(/search\/v2/, (route) => {
      const isSecond = JSON.parse(route.request().postData() ?? '{}').page === 2;
      return isDown && isSecond
        ? route.fulfill({ status: 503, json: { error: 'The search is busy.' } })
        : route.continue();
    });
    await page.goto(home());
    const section = page.locator('.scene-section');
    await sceneButtons(page).nth(9).scrollIntoViewIfNeeded();
    await section.getByText('The search is busy.').waitFor();
    await whenCount(sceneButtons(page), 10);
    isDown = false;
    await section.getByRole('button', { name: 'Try again' }).click();
    await sceneButtons(page).nth(19).waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
  });
});
