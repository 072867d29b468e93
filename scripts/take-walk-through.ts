/** The pictures of the walk through the viewer in docs/use/viewer.md, taken while it is walked: a field, its curve, a date. */
import type { Browser, Page } from 'playwright-core';
import { readMapPixels, whenMapIdle } from '../test/browser/map-pixels.ts';
import { openPage } from '../test/browser/watched-page.ts';
import { SERVICE_KEY } from '../test/support/start-swath.ts';

/** Some fields at the river. */
const VIEW = '#map=14.40/48.22890/-122.41930';
/** The corners of one that is bare in spring and green in summer, and the first one again. */
const CORNERS = [
  [-122.42207, 48.23125],
  [-122.42072, 48.22762],
  [-122.41656, 48.22664],
  [-122.41748, 48.2303],
  [-122.42207, 48.23125],
] as const;
/** Scenes between the newest one and the height of summer. */
const STEPS_TO_SUMMER = 5;

const drawField = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Area', exact: true }).click();
  await page.getByRole('button', { name: 'Polygon' }).click();
  const { toPixel } = await readMapPixels(page);
  const { x, y } = (await page.locator('#map').boundingBox())!;
  for (const [lon, lat] of CORNERS) {
    const { xPx, yPx } = toPixel(lon, lat);
    await page.mouse.click(x + xPx, y + yPx);
  }
  await page.locator('#area-card').waitFor();
};

const showSeries = async (page: Page): Promise<void> => {
  await page.getByLabel('Soil moisture').check();
  await page.getByRole('button', { name: 'Show time series' }).click();
  // NDVI, temperature, rain and soil moisture.
  await page.locator('.pane .uplot').nth(3).waitFor();
};

const showSummer = async (page: Page): Promise<void> => {
  await page.getByRole('slider', { name: /^NDVI from/ }).focus();
  for (let i = 0; i < STEPS_TO_SUMMER; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
};

/** Walks, and gives `keep` a picture of each step. */
export async function takeWalkThrough(
  browser: Browser,
  url: string,
  keep: (name: string, page: Page) => Promise<void>,
): Promise<void> {
  await using watched = await openPage(browser, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
  });
  const { page } = watched;
  await page.goto(`${url}/?api_key=${SERVICE_KEY}${VIEW}`);
  // Below the stories of the demo world: the first of them are loaded when they are scrolled to.
  await page.locator('button.scene').first().waitFor({ state: 'attached' });
  for (const [name, walk] of [
    ['walk-field', drawField],
    ['walk-series', showSeries],
    ['walk-date', showSummer],
  ] as const) {
    await walk(page);
    await whenMapIdle(page);
    await keep(name, page);
  }
}
