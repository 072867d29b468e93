/** The dock of a time series while it is measured, and when a part of it fails, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { describeViewer, KEY, NEWEST } from '../describe-viewer.ts';
import type { FakeScene } from '../fake-state.ts';
import { findFaults } from '../find-faults.ts';
import { openPage } from '../watched-page.ts';
import { whenCount, whenIs, whenText } from '../when-shown.ts';

const AREA = 'area=2.30,42.80;2.40,42.80;2.40,42.85;2.30,42.85';
const toHash = (period: string, layers: string): string =>
  `#panel=area&${AREA}&series=sentinel2;NDVI;${period};30;${layers}`;

/** Forty days, newest first. */
const scenes = Array.from({ length: 40 }, (_, i): FakeScene => {
  const date = new Date(Date.UTC(2026, 5, 21 - i)).toISOString().slice(0, 10);
  return { ...NEWEST, date, sceneID: `S2A_tile_${i}`, view_id: `S2/31/T/DH/2026/1/${i}/0` };
});
const measured = {
  results: scenes.map(({ date, sceneID, view_id }, i) => ({
    date,
    scene_id: sceneID,
    view_id,
    cloud: i === 1 ? 90 : 0,
    notes: [],
    values: { NDVI: { average: 0.5 + i / 100, min: 0, max: 1, std: 0.1, median: 0.5 } },
  })),
  errors: [],
};

/** Answers a search for statistics at once. */
const answerStatistics = (page: Page): Promise<unknown> =>
  page.route(/\/api\/statistics$/, (route) => route.fulfill({ json: measured }));

describeViewer('viewer, time series', (bench) => {
  test('failed weather is requested again by a button outside the chart', async () => {
    bench.fake.state.scenes = scenes;
    await using opened = await openPage(bench.browser, { bypassCSP: true });
    const { page } = opened;
    await answerStatistics(page);
    let asked = 0;
    await page.route(/\/forecast-history$/, (route) => {
      asked++;
      if (asked > 1) {
        const day = { date: '2026-06-20', temperature_min: 9, temperature_max: 21, rainfall: 1 };
        return route.fulfill({ json: [day] });
      }
      return route.fulfill({ status: 500, json: { error: 'The weather is away.', code: 'internal' } });
    });
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}${toHash('2026-05-01;2026-06-21', 'rain')}`);
    await page.getByText('The weather is away.').waitFor();
    assert.deepEqual(await findFaults(page), []);
    const again = page.locator('#dock').getByRole('button', { name: 'Try again' });
    await again.focus();
    await page.keyboard.press('Enter');
    await page.locator('.pane .uplot').nth(1).waitFor();
    assert.equal(asked, 2);
    const chart = page.getByRole('slider', { name: /^NDVI from/ });
    await whenIs(chart, ':focus', 'focus goes on');

    await page.keyboard.press('Home');
    const readout = page.locator('.series-readout');
    await whenText(readout, /^13 May 2026 {2}· {2}NDVI 0.89/);
    await page.keyboard.press('Enter');
    await page.waitForURL(({ hash }) => hash.includes('scene=S2A_tile_39'));
    await whenText(readout, /^13 May 2026 {2}· {2}NDVI 0.89/, 'what was read is read on');
    await whenIs(chart, ':focus');
  });

  test('progress changes no button, and a click on a date does not scroll the table', async () => {
    bench.fake.state.scenes = scenes;
    await using opened = await openPage(bench.browser, { acceptDownloads: true });
    const { page, problems } = opened;
    let isFinished = false;
    let progress = 0.1;
    await page.route(/\/api\/statistics$/, (route) =>
      isFinished
        ? route.fulfill({ json: measured })
        : route.fulfill({ status: 202, json: { task_id: 'one', progress } }),
    );
    await page.route(/\/api\/one$/, (route) =>
      route.fulfill({ json: isFinished ? { task_type: 'finish' } : { task_type: 'running', progress } }),
    );
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}${toHash('2026-05-01;2026-06-21', '')}`);
    await page.getByText('10%').first().waitFor();
    const cancel = page.locator('#dock').getByRole('button', { name: 'Cancel' });
    await cancel.focus();
    progress = 0.4;
    await page.getByText('40%').first().waitFor();
    await whenIs(cancel, ':focus');
    isFinished = true;
    await page.locator('.pane .uplot').waitFor();

    await page.locator('#dock').getByRole('radio', { name: 'Scenes' }).check();
    const rows = page.locator('#dock tbody tr');
    await whenCount(rows, 39, 'the cloudy one is left out');
    const scrolled = page.locator('#dock .table-scroll');
    await rows.last().getByRole('button').click();
    await page.locator('#dock tbody button[aria-current]').waitFor();
    assert.ok((await scrolled.evaluate(({ scrollTop }) => scrollTop)) > 0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#dock').getByRole('button', { name: 'CSV' }).click(),
    ]);
    const text = await (await download.createReadStream()).toArray();
    assert.equal(Buffer.concat(text).toString().trim().split('\r\n').length, 1 + 39, 'a file like the table');
    assert.deepEqual(problems, []);
  });

  test('a link with a series shows its curve on a phone, whatever panel it names', async () => {
    bench.fake.state.scenes = scenes;
    await using opened = await openPage(bench.browser, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = opened;
    await answerStatistics(page);
    for (const hash of [
      toHash('2026-05-01;2026-06-21', ''),
      toHash('2026-05-01;2026-06-21', '').replace('panel=area&', ''),
    ]) {
      await page.goto('about:blank');
      await page.goto(`${bench.fake.origin}/?api_key=${KEY}${hash}`);
      await page.locator('#dock .pane .uplot').waitFor();
      await page.locator('#panel').waitFor({ state: 'hidden' });
    }
    // Another link in the same tab.
    await page.getByRole('navigation').getByRole('button', { name: 'Find' }).tap();
    await page.locator('#dock').waitFor({ state: 'hidden' });
    await page.evaluate(`location.hash = '${toHash('2026-05-02;2026-06-21', '')}'`);
    await page.locator('#dock .pane .uplot').waitFor();
  });

  test('reversed dates are reported instead of measured', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}${toHash('2026-06-21;2026-05-01', '')}`);
    await page.getByText('The last day is before the first.').waitFor();
  });
});
