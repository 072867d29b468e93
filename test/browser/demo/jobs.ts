/** The twelve jobs against the demo world, with the keyboard alone: their clicks, and whether the result is true. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { toLocalPoint } from '../../../world/demo/truth.ts';
import { widenSeason } from '../../support/wider-season.ts';
import { FLOOD } from '../../world/flood-parts.ts';
import { openWorld } from '../../world/shared-world.ts';
import type { Box } from '../../world/true-ground.ts';
import { isWater, surveyTruth, toHectares } from '../../world/true-ground.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { makeKeyboard } from '../hands.ts';
import type { Job, JobName, JobResult } from '../jobs.ts';
import { FIRST_PAGE, JOBS } from '../jobs.ts';
import { readMapPixels, whenMapIdle } from '../map-pixels.ts';
import { readDownload } from '../read-download.ts';
import { readPdf } from '../read-pdf.ts';
import type { WatchedPage } from '../watched-page.ts';
import { openPage } from '../watched-page.ts';

/** The water of the dark palette, which shows where no picture is: land and borders are left out here. */
const BLANK = '14,26,34';
/** Names on the map have rims of this colour; a tile that is missing is a quarter of the map. */
const MOST_BLANK_PERCENT = 1;

/** What the map shows, in local metres; its sides turn by a few metres against those of the world. */
async function readGround(page: Page): Promise<Box> {
  const { widthPx, heightPx, view } = await readMapPixels(page);
  const perPx = 360 / 512 / 2 ** view.zoom;
  const degreesNorth = (heightPx / 2) * perPx * Math.cos((view.lat * Math.PI) / 180);
  const degreesEast = (widthPx / 2) * perPx;
  const [one, other] = [-1, 1].map((sign) =>
    toLocalPoint(view.lon + sign * degreesEast, view.lat + sign * degreesNorth),
  ) as [{ x: number; y: number }, { x: number; y: number }];
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

/** Waits until the map is full of pictures. */
const whenFull = (page: Page): Promise<void> =>
  whenHolds(async () => {
    const blank = await readBlankPercent(page);
    assert.ok(blank < MOST_BLANK_PERCENT, `${blank} % is blank: ${page.url()}`);
  });

/** How much of the map has no picture, in percent of the pixels that are looked at; controls over it are none. */
async function readBlankPercent(page: Page): Promise<number> {
  const { widthPx, heightPx, at } = await readMapPixels(page);
  let [blank, all] = [0, 0];
  for (let y = 4; y < heightPx; y += 9) {
    for (let x = 4; x < widthPx; x += 9) {
      all++;
      if (at(x, y).join() === BLANK) blank++;
    }
  }
  return (100 * blank) / all;
}

describeDemo('twelve jobs in the demo world', (bench) => {
  before(() => widenSeason(bench.swath.dataDir));

  /** Does a job and counts; `check` looks at what came of it. */
  const testJob = (
    name: JobName,
    check: (watched: WatchedPage, result: JobResult) => Promise<void> = async () => {},
  ): void => {
    const job: Job = JOBS[name];
    test(`${job.title} (clicks: ${job.clicks})`, async () => {
      await using watched = await bench.open(FIRST_PAGE, {
        bypassCSP: true,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const hands = makeKeyboard(watched.page);
      const result = await job.run(hands);
      assert.equal(hands.count(), job.clicks);
      await check(watched, result);
      assert.deepEqual(watched.problems, []);
    });
  };

  testJob('clear', async ({ page }) => {
    await whenFull(page);
    // 50 km to the east, by the keys of the map; the world ends a little further.
    await page.locator('#map canvas').focus();
    const start = (await readMapPixels(page)).view;
    for (let steps = 0; ; steps++) {
      const { view } = await readMapPixels(page);
      await whenFull(page);
      const km = (view.lon - start.lon) * 111.3 * Math.cos((view.lat * Math.PI) / 180);
      if (km >= 50) break;
      assert.ok(steps < 40, `${km} km after ${steps} steps`);
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(({ hash }) => !hash.includes(`/${view.lon.toFixed(5)}`));
    }
  });
  testJob('place');
  testJob('burnt', async ({ page }, { hectares = 0 }) => {
    const { burn } = surveyTruth(await openWorld(), await readGround(page), '2026-08-17');
    const truth = toHectares(Array.from(burn).filter((severity) => severity / 255 >= 0.1).length);
    assert.ok(Math.abs(hectares / truth - 1) < 0.05, `${hectares} ha measured, ${truth} ha are true`);
    assert.deepEqual(await findFaults(page), []);
    const { name, content } = await readDownload(page, page.getByRole('button', { name: 'GeoJSON' }));
    assert.equal(name, 'classes-burn-severity-2026-08-17.geojson');
    assert.equal((JSON.parse(content) as { features: unknown[] }).features.length, 7);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'GeoTIFF' }).click();
    assert.equal((await waiting).suggestedFilename(), 'classes-burn-severity-2026-08-17.tif');
  });
  testJob('flood', async ({ page }, { hectares = 0 }) => {
    const { cover } = surveyTruth(await openWorld(), await readGround(page), FLOOD.after);
    const truth = toHectares(cover.filter(isWater).length);
    assert.ok(Math.abs(hectares / truth - 1) < 0.1, `${hectares} ha measured, ${truth} ha are true`);
    await page
      .getByText(/−\d+(\.\d+)? dB/)
      .first()
      .waitFor();
    assert.deepEqual(await findFaults(page), []);
  });
  testJob('radar', async ({ page, urls }) => {
    const days = new Set(urls.flatMap((url) => /\/api\/render\/(S1[^?]*?)\/VV\//.exec(url)?.[1] ?? []));
    assert.equal(days.size, 2, [...days].join());
    await page.locator('.swipe-handle').waitFor();
  });
  testJob('curve');
  testJob('report', async (_, { file }) => {
    assert.ok(file);
    const { texts, pictures } = readPdf(await buffer(await file.createReadStream()));
    assert.match(texts.join('\n'), /^Field report · /m);
    assert.match(texts.join('\n'), /^Last NDVI\n0\.\d\d\n30 Sept 2026$/m);
    assert.deepEqual(pictures, [[900, 660]]);
  });
  testJob('film', async (_, { file }) => {
    assert.ok(file);
    assert.match(file.suggestedFilename(), /^swath-2026-0[34].*-2026-09-30\.(webm|mp4)$/);
    assert.ok((await buffer(await file.createReadStream())).length > 20_000);
  });
  testJob('compare', async ({ page }) => page.locator('.swipe-handle').waitFor());
  testJob('geotiff', async (_, { file }) => {
    assert.ok(file);
    assert.match(file.suggestedFilename(), /\.tif$/i);
    const { width = 0, format } = await sharp(await buffer(await file.createReadStream())).metadata();
    assert.equal(format, 'tiff');
    assert.ok(width > 100, `${width} px`);
  });
  testJob('share', async ({ page }, { link = '' }) => {
    assert.equal(new URL(link).hash, new URL(page.url()).hash);
    assert.ok(!link.includes('api_key'), link);
  });
  testJob('guest', async (_, { link = '' }) => {
    await using visitor = await openPage(bench.browser);
    await visitor.page.goto(link);
    await visitor.page.getByText('Someone shared this map with you.').waitFor();
    await whenMapIdle(visitor.page);
  });
});
