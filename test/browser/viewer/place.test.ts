/** Finding a place, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { parseAddress } from '../../../web/state/address.ts';
import { describeViewer, KEY, sceneButtons } from '../describe-viewer.ts';
import { findFaults } from '../find-faults.ts';
import { whenDrawn, whenMapIdle } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenAttribute, whenValue } from '../when-shown.ts';

const box = (page: Page) => page.getByRole('combobox', { name: 'Find a place' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Places' }).getByRole('option');

/** Waits until the address says that the map looks at a location. */
const whenLookingAt = async (page: Page, lon: number, lat: number): Promise<void> => {
  await page.waitForURL(({ hash }) => {
    const { view } = parseAddress(hash);
    return view !== null && Math.abs(view.lon - lon) < 0.02 && Math.abs(view.lat - lat) < 0.02;
  });
};

describeViewer('viewer, a place', (bench) => {
  test('a town is found by its German name without umlauts, by keyboard alone, and is marked on the map', async () => {
    bench.fake.state.isWorldEmpty = false;
    await using opened = await openPage(bench.browser, { bypassCSP: true });
    const { page, problems, urls } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await sceneButtons(page).first().waitFor();
    await whenMapIdle(page);
    const isLoaded = (name: string): boolean => urls.some((url) => url.includes(`/assets/${name}-`));
    assert.ok(!isLoaded('places-small') && !isLoaded('place-names'), 'nothing is loaded before a search');

    await page.keyboard.press('/');
    await page.keyboard.type('munchen');
    await options(page).first().getByText('München (Munich)').waitFor();
    await whenAttribute(box(page), 'aria-expanded', 'true');
    assert.deepEqual(await findFaults(page), []);
    await page.keyboard.press('ArrowDown');
    await whenHolds(async () =>
      assert.equal(
        await options(page).first().getAttribute('id'),
        await box(page).getAttribute('aria-activedescendant'),
      ),
    );
    await page.keyboard.press('Enter');
    await whenLookingAt(page, 11.58, 48.14);
    await whenAttribute(box(page), 'aria-expanded', 'false');
    const pixels = await whenDrawn(page, ({ atLonLat }) => {
      const [red, green, blue] = atLonLat(11.58, 48.14);
      assert.ok(red > 200 && green > 120 && blue < 130, `a pin is there: ${red}, ${green}, ${blue}`);
    });
    const { xPx, yPx } = pixels.toPixel(11.58, 48.14);
    const pin = pixels.at(xPx, yPx);
    await page
      .locator('.maplibregl-ctrl-attrib')
      .filter({ hasText: 'GeoNames' })
      .waitFor({ state: 'attached' });

    await page.getByRole('button', { name: 'Clear' }).click();
    await whenValue(box(page), '');
    await whenDrawn(page, ({ at }) => assert.notDeepEqual(at(xPx, yPx), pin));
    assert.deepEqual(problems, []);
  });

  test('coordinates in four forms, a country and a village are found, and an unknown name is not', async () => {
    bench.fake.state.isWorldEmpty = false;
    await using opened = await openPage(bench.browser);
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await whenMapIdle(page);
    for (const text of ['50.45, 30.52', '50°27′0″N 30°31′12″E', '36U 323944 5591602', '36UUA2394491602']) {
      await box(page).fill(text);
      await options(page).first().waitFor();
      await box(page).press('Enter');
      await whenLookingAt(page, 30.52, 50.45);
      await box(page).fill('-20, 30');
      await box(page).press('Enter');
      await whenLookingAt(page, 30, -20);
    }
    await box(page).fill('Portugal');
    await options(page).filter({ hasText: 'Country' }).click();
    await page.waitForURL(({ hash }) => Math.abs((parseAddress(hash).view?.lat ?? 0) - 39.5) < 1);
    // Fewer than 15,000 people: these come after the large ones.
    await box(page).fill('Zermatt');
    await options(page).filter({ hasText: 'Switzerland' }).first().waitFor();
    await box(page).fill('qqqqq');
    await page.getByText('No place has this name').waitFor();
    await box(page).press('Escape');
    await box(page).press('Escape');
    await whenValue(box(page), '');
    assert.deepEqual(problems, []);
  });

  test('the device is located when the user allows it; a refusal is shown', async () => {
    await using opened = await openPage(bench.browser, {
      geolocation: { longitude: 13.4, latitude: 52.5 },
      permissions: ['geolocation'],
    });
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}`);
    await whenMapIdle(page);
    await page.getByRole('button', { name: 'Show where I am' }).click();
    await whenLookingAt(page, 13.4, 52.5);
    await page.evaluate(
      `navigator.geolocation.getCurrentPosition = (_, refuse) => refuse({ code: 1, PERMISSION_DENIED: 1 })`,
    );
    await page.getByRole('button', { name: 'Show where I am' }).click();
    await page.getByText('was not allowed to say where').waitFor();
  });
});
