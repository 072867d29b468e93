/** Pictures of the viewer for docs/use/viewer.md: a desk, a dark one, a phone. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { whenMapIdle } from '../test/browser/map-pixels.ts';
import { openBrowser } from '../test/browser/open-browser.ts';
import { openPage } from '../test/browser/watched-page.ts';
import { SERVICE_KEY } from '../test/support/start-swath.ts';
import { takeJobPictures } from './take-job-pictures.ts';
import { takeWalkThrough } from './take-walk-through.ts';

interface Shot {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly hash: string;
  /** What a user does before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

const desk = { width: 1280, height: 800 };
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** A field that is bare in spring and green in summer. */
const FIELD =
  '#map=14.80/48.22890/-122.41930&area=-122.42207,48.23125;-122.42072,48.22762;-122.41656,48.22664;-122.41748,48.23030';
/** Some fields, and a line across the valley. */
const SHAPES =
  'area=-122.419,48.2135;-122.3925,48.2085;-122.384,48.2225;-122.4,48.2325;-122.4185,48.2275&line=-122.434,48.201;-122.402,48.221;-122.371,48.239';

const shots: readonly Shot[] = [
  { name: 'find', options: { viewport: desk, colorScheme: 'light' }, hash: '' },
  {
    name: 'look-dark',
    options: { viewport: desk, colorScheme: 'dark' },
    hash: '#bands=NDVI&panel=look',
    async act(page) {
      await page.locator('#map canvas').click();
      await page.locator('.values-content[aria-busy=false]').waitFor();
    },
  },
  {
    name: 'series',
    options: { viewport: desk, colorScheme: 'light' },
    hash: `${FIELD}&scene=S2B_tile_20260621_10UEU_1&dataset=sentinel2l2a&panel=area&series=sentinel2l2a;NDVI,NDMI;2025-03-01;;30;temperature,rain,soil`,
    act: (page) => page.locator('.pane .uplot').nth(3).waitFor(),
  },
  {
    name: 'zones',
    options: { viewport: desk, colorScheme: 'dark' },
    hash: `${FIELD}&scene=S2B_tile_20260621_10UEU_1&dataset=sentinel2l2a&panel=area&zones=NDVI;4;1000`,
    act: (page) => page.getByRole('button', { name: 'Save GeoJSON' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'area',
    options: { viewport: desk, colorScheme: 'light' },
    hash: `#map=12.6/48.221/-122.4&bands=NDVI&panel=area&${SHAPES}`,
    async act(page) {
      await page.getByLabel('Clip the picture').check();
      // The area is stored first; until then the whole picture is shown.
      await page.waitForURL(/&clip=/);
      await page.locator('.profile[aria-busy=false] canvas').waitFor();
      await page.locator('.chart').hover();
    },
  },
  {
    name: 'compare',
    options: { viewport: desk, colorScheme: 'light' },
    hash: '#map=13.4/48.2240/-122.4080&bands=NDVI&panel=compare',
    async act(page) {
      await page.getByRole('radio', { name: 'Swipe' }).check();
      for (const [side, day] of [
        ['left', '10 Apr 2026'],
        ['right', '31 Jul 2026'],
      ] as const) {
        const option = page.locator(`#${side}-scene option`, { hasText: day });
        await page.locator(`#${side}-scene`).selectOption(await option.first().getAttribute('value'));
      }
      await page.locator('#second-map[aria-busy=false]').waitFor();
    },
  },
  {
    name: 'measure',
    options: { viewport: desk, colorScheme: 'light' },
    hash: '#map=11.60/48.10430/-121.88530&area=-121.95842,48.15438;-121.95935,48.05547;-121.81180,48.05463;-121.81060,48.15354&panel=measure',
    async act(page) {
      await page.locator('#panel').getByRole('button', { name: 'Measure', exact: true }).click();
      await page.getByRole('table').waitFor();
      await page.getByText('Thresholds', { exact: true }).scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'GeoTIFF' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'fields',
    options: { viewport: desk, colorScheme: 'light' },
    hash: '#panel=fields',
    async act(page) {
      await page.getByRole('button', { name: 'Import example fields' }).click();
      await page.getByRole('button', { name: 'Show the fields' }).click();
      await page.getByLabel('Sort by').selectOption('Value');
      await page.getByRole('button', { name: 'Smallest first' }).click();
      await page.locator('.sparkline').first().waitFor();
    },
  },
  { name: 'phone', options: { ...phone, colorScheme: 'light' }, hash: '' },
];

/** 256 colours are enough for a document, and a quarter of the bytes. */
export const toPng = async (page: Page): Promise<Uint8Array> =>
  sharp(await page.screenshot())
    .png({ palette: true, quality: 90 })
    .toBuffer();

async function takeShot(browser: Browser, url: string, { options, hash, act }: Shot): Promise<Uint8Array> {
  await using watched = await openPage(browser, options);
  const { page } = watched;
  await page.goto(`${url}/?api_key=${SERVICE_KEY}${hash}`);
  await page
    .locator('button.scene, .look, .area, .compare, .measure-panel, .fields-panel')
    .first()
    .waitFor({ state: 'attached' });
  await whenMapIdle(page);
  await act?.(page);
  await whenMapIdle(page);
  // Awaited here: the page closes when this returns.
  return await toPng(page);
}

/** Takes all of them, or those of the jobs, of a running service; `keep` is given the name of each file and its bytes. */
export async function takeViewerPictures(
  url: string,
  keep: (name: string, bytes: Uint8Array) => void,
  { areJobsOnly = false } = {},
): Promise<void> {
  const { browser, close } = await openBrowser();
  try {
    await takeJobPictures(browser, url, keep);
    if (areJobsOnly) return;
    await takeWalkThrough(browser, url, async (name, page) => keep(`${name}.png`, await toPng(page)));
    for (const shot of shots) keep(`${shot.name}.png`, await takeShot(browser, url, shot));
  } finally {
    await close();
  }
}
