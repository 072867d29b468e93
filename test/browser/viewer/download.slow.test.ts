/** Download: orders that the page must not hold back, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { describeViewer, KEY } from '../describe-viewer.ts';
import { openPage } from '../watched-page.ts';

/** Answers orders like the server does; the list of tasks is empty. */
const answerOrders = async (page: Page): Promise<{ readonly orders: unknown[] }> => {
  const orders: unknown[] = [];
  await page.route(/\/api\/tasks\?/, (route) => route.fulfill({ json: { tasks: [], next: null } }));
  await page.route(/\/api\/tasks\/estimate$/, (route) =>
    route.fulfill({ json: { estimated_bytes: 1000, file_name: 'scene.tif' } }),
  );
  await page.route(/\/api$/, (route) => {
    orders.push(route.request().postDataJSON());
    return route.fulfill({ json: { task_id: 'one' } });
  });
  return { orders };
};

describeViewer('viewer, Download', (bench) => {
  test('an invalid pixel size for a picture does not block an order of bands', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    const { orders } = await answerOrders(page);
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off&panel=download`);
    await page.getByRole('radio', { name: 'Picture' }).check();
    await page.getByLabel('Pixel in metres').fill('-5');
    await page.getByRole('radio', { name: 'Bands' }).check();
    await page.locator('.estimate strong').waitFor();
    const sent = page.waitForResponse(/\/api$/);
    await page.getByRole('button', { name: 'Make file' }).click();
    await sent;
    assert.equal((orders[0] as { type: string }).type, 'lbe');
    assert.deepEqual(problems, []);
  });
});
