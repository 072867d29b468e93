/** Find: dates that are typed, and the calendar by scrolling and by keys, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { describeViewer, KEY, NEWEST, openPanel } from '../describe-viewer.ts';
import type { FakeScene } from '../fake-state.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenCount, whenIs, whenValue } from '../when-shown.ts';

describeViewer('viewer, dates of Find', (bench) => {
  const lastSearch = (): Record<string, unknown> => {
    const bodies = bench.fake.seen.filter(
      ({ url, body }) => url.includes('/search/') && !body.includes('"fields"'),
    );
    return (JSON.parse(bodies.at(-1)?.body ?? '{}') as { search: Record<string, unknown> }).search;
  };

  test('dates can be typed: a half-typed year or month changes neither the field nor the other end', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&from=2026-06-01&to=2026-06-21`);
    await page.getByText('3 scenes').waitFor();
    const [from, to] = [page.getByLabel('From'), page.getByLabel('To', { exact: true })];
    await to.focus();
    // Month, day, year, in the order of en-US.
    await page.keyboard.type('12152027', { delay: 20 });
    await whenValue(to, '2027-12-15');
    await whenValue(from, '2026-06-01');
    await from.focus();
    await page.keyboard.type('06122026', { delay: 20 });
    await page.getByText('2 scenes').waitFor();
    assert.deepEqual(lastSearch().date, { from: '2026-06-12', to: '2027-12-15' });
    await to.fill('2026-06-01');
    await whenValue(from, '2026-06-01', 'the other end follows');
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
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=look`);
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

  test('the focus stays on a chosen day, and moves on when its container is closed', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await page.getByText('3 scenes').waitFor();
    const dayOf = (date: string) => page.getByRole('button', { name: `${date} Jun 2026: 1 scene` });
    await dayOf('21').focus();
    await page.keyboard.press('ArrowLeft');
    await whenIs(dayOf('16'), ':focus');
    await whenCount(page.locator('.bars button[tabindex="0"]'), 1, 'one stop of the Tab key');
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes('"fields"') ?? false,
    );
    await page.keyboard.press('Enter');
    await page.getByText('1 scene', { exact: true }).waitFor();
    await answered;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await whenIs(dayOf('16'), ':focus');

    await page.getByRole('button', { name: 'Close panel' }).focus();
    await page.keyboard.press('Enter');
    const find = page.getByRole('navigation').getByRole('button', { name: 'Find' });
    await whenIs(find, ':focus');
    await whenMapIdle(page);
    await page.locator('#map canvas').click();
    await page.getByRole('button', { name: 'Close values' }).focus();
    await page.keyboard.press('Enter');
    await whenIs(page.locator('#map canvas').first(), ':focus');
  });
});
