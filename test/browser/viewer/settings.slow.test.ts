/** Settings, the keyboard, and what people with screen readers meet, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeViewer, KEY, NEWEST, openPanel, sceneButtons } from '../describe-viewer.ts';
import { findFaults } from '../find-faults.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenText } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

describeViewer('viewer, Settings', (bench) => {
  test('language and appearance can be chosen, and stay in the browser; the address keeps the rest', async () => {
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&bands=NDVI`);
    await sceneButtons(page).first().waitFor();
    await openPanel(page, 'Settings');
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Optionen' }).waitFor();
    await whenAttribute(page.locator('html'), 'lang', 'de');
    await whenText(page.getByRole('region', { name: 'Legende' }).getByRole('heading'), 'NDVI Vegetation');
    await openPanel(page, 'Suchen');
    await page.getByText('3 Szenen').waitFor();

    await openPanel(page, 'Optionen');
    await page.getByRole('radio', { name: 'Hell' }).check();
    await page.locator('html[data-theme=light]').waitFor();
    await sceneButtons(page).or(page.getByLabel('Sprache')).first().waitFor();
    const ground = 'getComputedStyle(document.body).backgroundColor';
    // Though the system is dark.
    await whenTrue(page, `${ground} === 'rgb(255, 255, 255)'`);
    assert.deepEqual(problems, []);
  });

  test('keys open panels and step through scenes, but not while text is typed', async () => {
    await using opened = await openPage(bench.browser);
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#clear=off`);
    await whenMapIdle(page);
    await page.keyboard.press('l');
    await page.getByRole('heading', { name: 'Look' }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('heading', { name: '16 Jun 2026' }).waitFor();
    await page.keyboard.press('[');
    await page.getByRole('heading', { name: '21 Jun 2026' }).waitFor();
    await page.getByLabel('Filter indices').fill('f');
    await page.getByLabel('Filter indices').press('f');
    await page.getByRole('heading', { name: 'Look' }).waitFor();
    await page.getByRole('button', { name: 'Close panel' }).click();
    await page.locator('#panel').waitFor({ state: 'hidden' });
    await page.waitForURL(/&panel=none$/);
  });

  test('axe has no serious findings in any panel, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      // Its rules are not part of the page: the content policy is set aside for them.
      await using opened = await openPage(bench.browser, { colorScheme, bypassCSP: true });
      const { page } = opened;
      await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&bands=NDVI`);
      await sceneButtons(page).first().waitFor();
      await whenMapIdle(page);
      for (const name of ['Find', 'Look', 'Compare', 'Share', 'Settings']) {
        await openPanel(page, name);
        await page.getByRole('heading', { name, exact: true }).waitFor();
        await page.locator('#panel [aria-busy=true]').waitFor({ state: 'detached' });
        assert.deepEqual(await findFaults(page), [], `${name}, ${colorScheme}`);
      }
    }
  });
});
