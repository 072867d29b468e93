/** Find: filters, the calendar, endless scrolling, and marks both ways, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
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
import type { FakeScene } from '../fake-swath.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';

describeViewer('viewer, Find', (bench) => {
  const lastSearch = (): Record<string, unknown> => {
    const bodies = bench.fake.seen.filter(
      ({ url, body }) => url.includes('/search/') && !body.includes('"fields"'),
    );
    return (JSON.parse(bodies.at(-1)?.body ?? '{}') as { search: Record<string, unknown> }).search;
  };
  const lastShape = () => lastSearch().shape as { type: string; coordinates: number[] } | undefined;

  test('clouds, dates, the map view and a point narrow the list; the address and the back button keep them', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await page.getByText('3 scenes').waitFor();

    await page.getByLabel('Clouds up to').fill('50');
    await page.getByText('2 scenes').waitFor();
    assert.deepEqual(lastSearch().cloudCoverage, { to: 50 });
    assert.match(page.url(), /&clouds=50$/);

    await page.getByLabel('From').fill('2026-06-20');
    await page.getByText('1 scene', { exact: true }).waitFor();
    assert.equal(await sceneButtons(page).getAttribute('data-view'), NEWEST.view_id);
    await page.reload();
    await page.getByText('1 scene', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('From').inputValue(), '2026-06-20');

    await page.getByRole('radio', { name: 'Map view' }).check();
    await waitFor(() => lastShape()?.type === 'Polygon');
    await page.getByRole('radio', { name: 'A point' }).check();
    await page.getByText('Click the map to choose the point.').waitFor();
    await page.locator('#map canvas').click();
    await page.getByText('Click the map to choose the point.').waitFor({ state: 'hidden' });
    await waitFor(() => lastShape()?.type === 'Point');
    const [lon = 0, lat = 0] = lastShape()?.coordinates ?? [];
    assert.ok(Math.abs(lon - INSIDE[0]) < 0.1 && Math.abs(lat - INSIDE[1]) < 0.1);

    await page.getByLabel('Clouds up to').fill('0');
    await page.getByRole('heading', { name: 'No scene matches' }).waitFor();
    await page.getByRole('button', { name: 'Reset filters' }).click();
    await page.getByText('3 scenes').waitFor();
    assert.deepEqual(problems, []);
  });

  test('dates can be typed: a half typed year or month changes neither field nor the other end', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#from=2026-06-01&to=2026-06-21`);
    await page.getByText('3 scenes').waitFor();
    const [from, to] = [page.getByLabel('From'), page.getByLabel('To', { exact: true })];
    await to.focus();
    // Month, day, year, in the order of en-US.
    await page.keyboard.type('12152027', { delay: 20 });
    assert.equal(await to.inputValue(), '2027-12-15');
    assert.equal(await from.inputValue(), '2026-06-01');
    await from.focus();
    await page.keyboard.type('06122026', { delay: 20 });
    await page.getByText('2 scenes').waitFor();
    assert.deepEqual(lastSearch().date, { from: '2026-06-12', to: '2027-12-15' });
    await to.fill('2026-06-01');
    assert.equal(await from.inputValue(), '2026-06-01', 'the other end follows');
  });

  test('the calendar shows the days and narrows the list to one', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    const day = page.getByRole('button', { name: '16 Jun 2026: 1 scene' });
    await day.click();
    await page.getByText('1 scene', { exact: true }).waitFor();
    assert.equal(await sceneButtons(page).getAttribute('data-view'), MIDDLE.view_id);
    assert.equal(await day.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('.bars button').count(), 3, 'the other days stay to be chosen');
    await page.getByRole('button', { name: 'All dates' }).click();
    await page.getByText('3 scenes').waitFor();
  });

  test('the calendar opens at the newest days, or at those of the shown scene, also after another panel', async () => {
    bench.fake.state.scenes = Array.from({ length: 80 }, (_, i): FakeScene => {
      const date = new Date(Date.UTC(2026, 5 - 6 * i, 21)).toISOString().slice(0, 10);
      return { ...NEWEST, date, sceneID: `S2A_tile_${i}`, view_id: `S2/31/T/DH/2026/1/${i}/0` };
    });
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    const isSeen = (label: string): Promise<boolean> =>
      page.locator(`.bars button[title^="${label}"]`).evaluate((button) => {
        const [own, strip] = [button, button.closest('.days')].map((one) => one?.getBoundingClientRect());
        return own !== undefined && strip !== undefined && own.left >= strip.left && own.right <= strip.right;
      });
    const whenSeen = (label: string): Promise<void> => waitFor(() => isSeen(label));
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#panel=look`);
    await whenMapIdle(page);
    await openPanel(page, 'Find');
    await whenSeen('21 Jun 2026');
    await openPanel(page, 'Look');
    await openPanel(page, 'Find');
    await whenSeen('21 Jun 2026');
    assert.ok(!(await isSeen('21 Dec 1986')));
    await page.locator('.days').evaluate((strip) => strip.scrollTo(0, 0));
    await whenSeen('21 Dec 1986');
    await openPanel(page, 'Look');
    await openPanel(page, 'Find');
    await whenSeen('21 Dec 1986');
    await page.goto('about:blank');
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=S2A_tile_40`);
    await whenSeen('21 Jun 2006');
  });

  test('the focus stays with a chosen day, and goes on when what it was in is closed', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await page.getByText('3 scenes').waitFor();
    const dayOf = (date: string) => page.getByRole('button', { name: `${date} Jun 2026: 1 scene` });
    const isFocused = (selector: Locator) => selector.evaluate((element) => element.matches(':focus'));
    await dayOf('21').focus();
    await page.keyboard.press('ArrowLeft');
    assert.ok(await isFocused(dayOf('16')));
    assert.equal(await page.locator('.bars button[tabindex="0"]').count(), 1, 'one stop of the Tab key');
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes('"fields"') ?? false,
    );
    await page.keyboard.press('Enter');
    await page.getByText('1 scene', { exact: true }).waitFor();
    await answered;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assert.ok(await isFocused(dayOf('16')));

    await page.getByRole('button', { name: 'Close panel' }).focus();
    await page.keyboard.press('Enter');
    const find = page.getByRole('navigation').getByRole('button', { name: 'Find' });
    assert.ok(await isFocused(find));
    await whenMapIdle(page);
    await page.locator('#map canvas').click();
    await page.getByRole('button', { name: 'Close values' }).focus();
    await page.keyboard.press('Enter');
    assert.ok(await isFocused(page.locator('#map canvas').first()));
  });

  test('more scenes come when the list is scrolled, each once', async () => {
    const scenes = Array.from({ length: 60 }, (_, i): FakeScene => {
      const date = new Date(Date.UTC(2026, 5, 21 - i)).toISOString().slice(0, 10);
      return { ...NEWEST, date, sceneID: `S2A_tile_${i}`, view_id: `S2/31/T/DH/2026/1/${i}/0` };
    });
    bench.fake.state.scenes = scenes;
    bench.fake.state.pageLimit = 20;
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await page.getByText('60 scenes').waitFor();
    await sceneButtons(page).nth(19).waitFor();
    for (const last of [39, 59]) {
      await sceneButtons(page)
        .nth(last - 20)
        .scrollIntoViewIfNeeded();
      await sceneButtons(page).nth(last).waitFor();
    }
    assert.equal(await sceneButtons(page).count(), 60);
    await page.locator('.list-end').waitFor({ state: 'hidden' });
    const thumbnails = urls.filter((url) => url.includes('/thumb/'));
    assert.ok(thumbnails.length < 60, `${thumbnails.length} thumbnails: only those in view`);
  });

  test('a card marks its outline, and an outline its card; the back button returns to the scene before', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await whenMapIdle(page);
    await sceneButtons(page).nth(2).waitFor();
    const marked = page.locator(`.scene.is-hovered[data-view="${NEWEST.view_id}"]`);
    // The outlines may be drawn after the pointer has come to rest.
    let x = 0;
    await waitFor(async () => {
      x = (x + 1) % 10;
      await page.locator('#map canvas').hover({ position: { x: 200 + x, y: 200 } });
      return (await marked.count()) === 1;
    });

    await sceneButtons(page).nth(2).hover();
    await page.locator(`.scene.is-hovered[data-view="${OLDEST.view_id}"]`).waitFor();

    await sceneButtons(page).nth(1).click();
    await page.locator(`.scene[aria-current][data-view="${MIDDLE.view_id}"]`).waitFor();
    await page.goBack();
    await page.locator(`.scene[aria-current][data-view="${NEWEST.view_id}"]`).waitFor();
    await page.goForward();
    await page.locator(`.scene[aria-current][data-view="${MIDDLE.view_id}"]`).waitFor();
  });
});
