/** Pictures of the viewer for docs/use/earth.md, over a made-up Earth: a scene that no one has ingested, a field, an order. */
import type { Browser, Page } from 'playwright-core';
import { makeFakeEarth } from '../src/live/testing/fake-earth.ts';
import { startFakeStac } from '../src/live/testing/fake-stac.ts';
import { whenMapIdle } from '../test/browser/map-pixels.ts';
import { openBrowser } from '../test/browser/open-browser.ts';
import { openPage } from '../test/browser/watched-page.ts';
import type { LiveService } from '../test/earth/live-service.ts';
import { startLiveService, toEntry } from '../test/earth/live-service.ts';
import { SERVICE_KEY } from '../test/support/start-swath.ts';
import { toPng } from './take-viewer-pictures.ts';

/** The newest day of the Earth, so that pictures taken again are the same: a field is green then. */
const TODAY = '2026-07-20';
const TWO_YEARS_AGO = '2024-07-20';

/** A square kilometre of a crop, some way from the corner of its tile that has the clouds. */
const CORNERS = [
  [31.45479, 30.26039],
  [31.45493, 30.25182],
  [31.46532, 30.25195],
  [31.46518, 30.26052],
] as const;
const MIDDLE = [31.46005, 30.2562] as const;
const FIELD = `area=${CORNERS.map((corner) => corner.join()).join(';')}`;

interface Shot {
  readonly name: string;
  readonly hash: string;
  /** What a user does, and waits for, before the picture is taken. */
  readonly act: (page: Page) => Promise<void>;
}

const shots: readonly Shot[] = [
  {
    name: 'earth-map',
    hash: '#map=11.50/30.25600/31.46000',
    act: (page) => page.locator('.thumbnail.is-loaded').nth(2).waitFor(),
  },
  {
    name: 'earth-series',
    hash: `#map=13.60/30.25620/31.46005&bands=NDVI&panel=area&where=area&clouds=20&${FIELD}&series=sentinel2l2a;NDVI;${TWO_YEARS_AGO};${TODAY};20;`,
    act: (page) => page.locator('.series-panes .uplot').first().waitFor(),
  },
  {
    name: 'earth-order',
    hash: `#map=13.60/30.25620/31.46005&panel=download&clouds=20&${FIELD}`,
    async act(page) {
      await page.getByRole('radio', { name: 'My area' }).check();
      await page.locator('.estimate strong').waitFor();
      await page.getByRole('button', { name: 'Make file' }).click();
      await page.locator('.task').first().getByRole('link').waitFor();
      await page.locator('.task').first().scrollIntoViewIfNeeded();
    },
  },
];

async function takeShot(browser: Browser, url: string, { hash, act }: Shot): Promise<Uint8Array> {
  await using watched = await openPage(browser, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
  });
  const { page } = watched;
  await page.goto(`${url}/?api_key=${SERVICE_KEY}${hash}`);
  await whenMapIdle(page);
  await act(page);
  await whenMapIdle(page);
  // Awaited here: the page closes when this returns.
  return await toPng(page);
}

/** Files of the Earth are made when they are first read: on a slow machine, many at once would come too late. */
async function readAhead({ search, readPoint }: LiveService): Promise<void> {
  const { results } = await search('sentinel2l2a', {
    search: { shape: { type: 'Point', coordinates: MIDDLE }, date: { from: TWO_YEARS_AGO, to: TODAY } },
    limit: 500,
  });
  for (const { view_id } of results) await readPoint(view_id, 'NDVI', MIDDLE);
}

/** Takes all of them of a service of its own; `keep` is given the name of each file and its bytes. */
export async function takeEarthPictures(keep: (name: string, bytes: Uint8Array) => void): Promise<void> {
  const style = 'earth-search';
  await using fake = await startFakeStac({
    style,
    earth: (place) => makeFakeEarth(style, place, { today: TODAY }),
  });
  await using service = await startLiveService([toEntry(style, fake)], { env: { SWATH_DEMO: 'off' } });
  await readAhead(service);
  const { browser, close } = await openBrowser();
  try {
    for (const shot of shots) keep(`${shot.name}.png`, await takeShot(browser, service.swath.url, shot));
  } finally {
    await close();
  }
}
