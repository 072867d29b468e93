/** The first screen: stories of the demo world, the keys, and words that can be closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeViewer, KEY, NEWEST, sceneButtons } from '../describe-viewer.ts';
import type { FakeScene } from '../fake-state.ts';
import { findFaults } from '../find-faults.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenCount } from '../when-shown.ts';

const makeBurnt = (date: string): FakeScene => ({
  ...NEWEST,
  sceneID: `S2A_tile_${date.replaceAll('-', '')}_10UEU_1`,
  view_id: `S2L2A/10/U/EU/${date.replaceAll(/-0?/g, '/')}/1`,
  date,
  satellite: 'sentinel2l2a',
});
const [BEFORE, AFTER] = [makeBurnt('2026-08-02'), makeBurnt('2026-08-17')];

describeViewer('viewer, first screen', (bench) => {
  test('stories whose scenes exist are one click away, and the introduction can be dismissed for good', async () => {
    bench.fake.state.hasDemo = true;
    bench.fake.state.scenes = [AFTER, BEFORE, NEWEST];
    for (const colorScheme of ['light', 'dark'] as const) {
      // Its rules are not part of the page: the content policy is set aside for them.
      await using opened = await openPage(bench.browser, { colorScheme, bypassCSP: true });
      const { page, problems } = opened;
      await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
      const welcome = page.getByRole('region', { name: 'Welcome' });
      const fire = welcome.getByRole('button', { name: /^The fire/ });
      await welcome.locator('.story:enabled').first().waitFor();
      await whenCount(welcome.locator('.story:enabled'), 1);
      await welcome.getByText('The list below grows by itself.').waitFor();
      assert.deepEqual(await findFaults(page), [], colorScheme);
      await fire.click();
      await page.getByRole('heading', { name: 'Compare' }).waitFor();
      await page.waitForURL(({ hash }) => hash.includes(`&left.scene=${BEFORE.sceneID}`));
      await page.waitForURL(new RegExp(`&right.scene=${AFTER.sceneID}&.*right.bands=B12,B8A,B04`));
      await whenMapIdle(page);
      await page.goBack();
      await welcome.getByRole('button', { name: 'Close the welcome' }).click();
      await welcome.waitFor({ state: 'detached' });
      await page.reload();
      await sceneButtons(page).first().waitFor();
      assert.equal(await welcome.count(), 0);
      assert.deepEqual(problems, []);
    }
  });

  test('a question mark shows the keys', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await whenMapIdle(page);
    assert.equal(await page.getByRole('region', { name: 'Welcome' }).count(), 0, 'without the demo world');
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.getByText('Show these keys').waitFor();
    await page.locator('#keyboard:focus').waitFor();
  });
});
