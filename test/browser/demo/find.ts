/** Find, against the demo world: what is there, on which days, and one of them on the map. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDemo } from '../describe-demo.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { whenTrue } from '../when-true.ts';

describeDemo('find in the demo world', ({ open }) => {
  test('the dates narrow the list, and a scene of it is shown', async () => {
    await using watched = await open();
    const { page, problems, urls } = watched;
    const cards = page.locator('button.scene');
    await whenTrue(page, `document.querySelectorAll('button.scene').length >= 8`);
    const all = await cards.count();
    await page.getByLabel('From').fill('2026-06-01');
    await page.getByLabel('To', { exact: true }).fill('2026-06-30');
    // Each of the two fields asks anew, so the list of the first one may show in between.
    await whenTrue(
      page,
      `(({ length }, dates) => length > 0 && length < ${all} && dates.every((date) => date.textContent.includes('Jun')))(
        document.querySelectorAll('button.scene'), [...document.querySelectorAll('button.scene .date')])`,
    );
    await cards.first().click();
    await whenMapIdle(page);
    await page.waitForURL(/scene=S2/);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      urls.filter((url) => new URL(url).origin !== new URL(page.url()).origin),
      [],
    );
  });
});
