/** Find: filters, the calendar, endless scrolling, and marks both ways, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { describeViewer, INSIDE, KEY, MIDDLE, NEWEST, OLDEST, sceneButtons } from '../describe-viewer.ts';
import type { FakeScene } from '../fake-state.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenCount, whenValue } from '../when-shown.ts';

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
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText('3 scenes').waitFor();

    await page.getByLabel('Clouds up to').fill('50');
    await page.getByText('2 scenes').waitFor();
    assert.deepEqual(lastSearch().cloudCoverage, { to: 50 });
    await page.waitForURL(/&clouds=50$/);

    await page.getByLabel('From').fill('2026-06-20');
    await page.getByText('1 scene', { exact: true }).waitFor();
    await whenAttribute(sceneButtons(page), 'data-view', NEWEST.view_id);
    await page.reload();
    await page.getByText('1 scene', { exact: true }).waitFor();
    await whenValue(page.getByLabel('From'), '2026-06-20');

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

  test('the calendar shows the days and narrows the list to one', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    const day = page.getByRole('button', { name: '16 Jun 2026: 1 scene' });
    await day.click();
    await page.getByText('1 scene', { exact: true }).waitFor();
    await whenAttribute(sceneButtons(page), 'data-view', MIDDLE.view_id);
    await whenAttribute(day, 'aria-pressed', 'true');
    await whenCount(page.locator('.bars button'), 3, 'the other days stay to be chosen');
    await page.getByRole('button', { name: 'All dates' }).click();
    await page.getByText('3 scenes').waitFor();
  });

  test('more scenes are loaded when the list is scrolled, each once', async () => {
    const scenes = Array.from({ length: 60 }, (_, i): FakeScene => {
      const date = new Date(Date.UTC(2026, 5, 21 - i)).toISOString().slice(0, 10);
      return { ...NEWEST, date, sceneID: `S2A_tile_${i}`, view_id: `S2/31/T/DH/2026/1/${i}/0` };
    });
    bench.fake.state.scenes = scenes;
    bench.fake.state.pageLimit = 20;
    await using opened = await openPage(bench.browser);
    const { page, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText('60 scenes').waitFor();
    await sceneButtons(page).nth(19).waitFor();
    for (const last of [39, 59]) {
      await sceneButtons(page)
        .nth(last - 20)
        .scrollIntoViewIfNeeded();
      await sceneButtons(page).nth(last).waitFor();
    }
    await whenCount(sceneButtons(page), 60);
    await page.locator('.list-end').waitFor({ state: 'hidden' });
    const thumbnails = urls.filter((url) => url.includes('/thumb/'));
    assert.ok(thumbnails.length < 60, `${thumbnails.length} thumbnails: only those in view`);
  });

  test('a card highlights its outline, and an outline its card; the back button returns to the previous scene', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
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
