/** The first thing a newcomer does: open the printed address and look. On the real service, in a real browser. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { whenHolds } from '../../src/testing/wait-for.ts';
import { readImage } from '../../world/testing/read-image.ts';
import { DEMO_SCENE, makeDemoData } from '../support/demo-data.ts';
import { readDemoGrid } from '../support/demo-grid.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import type { Rgb } from './map-pixels.ts';
import { readMapPixels } from './map-pixels.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import { openPage } from './watched-page.ts';
import { requireFreshWebBuild } from './web-build.ts';

/** Pixels of the scene that are looked at together, as wide as a field: noise and resampling hardly matter to their mean. */
const WINDOW_PX = 20;

const spread = ([r, g, b]: Rgb): number => Math.max(r, g, b) - Math.min(r, g, b);
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** How well two rows of numbers have the same order, from -1 to 1 (Spearman): a contrast changes all but the order. */
function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const toRanks = (values: readonly number[]): number[] => {
    const sorted = [...values].sort((x, y) => x - y);
    return values.map((value) => sorted.indexOf(value));
  };
  const [ranksA, ranksB, middle] = [toRanks(a), toRanks(b), (a.length - 1) / 2];
  const covary = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, rank, i) => sum + (rank - middle) * (y[i]! - middle), 0);
  return covary(ranksA, ranksB) / Math.sqrt(covary(ranksA, ranksA) * covary(ranksB, ranksB));
}

test('the printed address shows the demo scene on the map', {
  skip: whyNoBrowser(),
}, async () => {
  requireFreshWebBuild();
  const swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'warn' } });
  try {
    await waitUntilReady(swath.url);
    const { browser, close } = await openBrowser();
    try {
      await using watched = await openPage(browser);
      const { page, problems, urls } = watched;
      // So high that the bar below the map does not lie over the scene.
      await page.setViewportSize({ width: 800, height: 720 });
      // With the contrast of the scene: natural colour shows summer fields in few levels, which JPEG blurs too much to
      // compare their ranks.
      await page.goto(`${swath.url}/?api_key=${SERVICE_KEY}#clear=off&stretch=auto`);
      await page.getByText(DEMO_SCENE.sceneId).first().waitFor();
      await page.waitForURL(/[#&]scene=/);
      const map = await readMapPixels(page);

      // The picture shows what the files contain, at the same position: bright where they are bright, in every colour.
      const grid = await readDemoGrid(swath.dataDir);
      const [columns, rows] = [grid.width / WINDOW_PX, grid.height / WINDOW_PX].map((n) => Math.floor(n)) as [
        number,
        number,
      ];
      const windows = Array.from({ length: columns * rows }, (_, i) => {
        const [x, y] = [(i % columns) * WINDOW_PX, Math.floor(i / columns) * WINDOW_PX];
        return Array.from({ length: WINDOW_PX ** 2 }, (_, k) => {
          const [px, py] = [x + (k % WINDOW_PX), y + Math.floor(k / WINDOW_PX)];
          return { at: py * grid.width + px, color: map.atLonLat(...grid.toDegrees([px + 0.5, py + 0.5])) };
        });
      });
      for (const [channel, band] of ['B04', 'B03', 'B02'].entries()) {
        const { bands } = await readImage(join(swath.dataDir, DEMO_SCENE.folder, `${band}.tif`));
        const stored = windows.map((pixels) => meanOf(pixels.map(({ at }) => bands[0]![at]!)));
        const seen = windows.map((pixels) => meanOf(pixels.map(({ color }) => color[channel]!)));
        const likeness = rankCorrelation(stored, seen);
        assert.ok(likeness > 0.97, `${band} and what is seen of it agree by ${likeness}`);
        const [darkest, brightest] = [Math.min(...seen), Math.max(...seen)];
        assert.ok(brightest - darkest > 80, `${band} is seen from ${darkest} to ${brightest}`);
      }
      // Fields, roads and houses: a real picture has many colours.
      const colours = new Set(windows.flatMap((pixels) => pixels.map(({ color }) => color.join())));
      assert.ok(colours.size > 300, `${colours.size} different colours`);

      const beyond = map.atLonLat(...grid.toDegrees([grid.width * 1.1, grid.height / 2]));
      assert.ok(spread(beyond) < 60, 'beyond the scene the base map is seen');
      assert.deepEqual(
        map.atLonLat(...grid.toDegrees([grid.width * 1.06, grid.height / 2])),
        beyond,
        'which has no texture',
      );

      // A click under Look says what the files hold at that pixel, and what band math makes of it.
      await page.getByRole('navigation').getByRole('button', { name: 'Look' }).click();
      const [column, row] = [Math.floor(grid.width * 0.55), Math.floor(grid.height * 0.6)];
      const { xPx, yPx } = map.toPixel(...grid.toDegrees([column + 0.5, row + 0.5]));
      await page.locator('#map canvas').click({ position: { x: xPx, y: yPx } });
      const readValue = (name: string): Promise<number> => {
        const cells = page.locator('#values tr', { has: page.getByRole('rowheader', { name, exact: true }) });
        return whenHolds(async () => {
          const text = await cells.locator('.number').innerText();
          assert.match(text, /^−?[\d.]+$/, `${name} is read as ${text}`);
          return Number(text.replace('−', '-'));
        });
      };
      const [red, nir] = [await readValue('B04'), await readValue('B08')];
      const [storedRed, storedNir] = await Promise.all(
        ['B04', 'B08'].map(async (band) => {
          const { bands } = await readImage(join(swath.dataDir, DEMO_SCENE.folder, `${band}.tif`));
          return bands[0]!;
        }),
      );
      // A pixel of the screen is some pixels of the scene wide.
      const near = Array.from({ length: 81 }, (_, i) => {
        return (row - 4 + Math.floor(i / 9)) * grid.width + column - 4 + (i % 9);
      });
      assert.ok(
        near.some((at) => storedRed![at] === red && storedNir![at] === nir),
        `no pixel there has ${red} in B04 and ${nir} in B08`,
      );
      const shown = await readValue('NDVI');
      assert.ok(Math.abs(shown - (nir - red) / (nir + red)) < 0.001, `an NDVI of ${shown}`);

      assert.deepEqual(problems, []);
      assert.ok(urls.some((url) => url.includes(`/api/render/${DEMO_SCENE.viewId}/B04,B03,B02/`)));
      const leaks = urls.slice(1).filter((url) => url.includes(SERVICE_KEY));
      assert.deepEqual(leaks, [], 'the key is in no address after the first');
      assert.ok(
        urls.every((url) => url.startsWith(swath.url)),
        'nothing is loaded from anywhere else',
      );
      assert.ok(!page.url().includes(SERVICE_KEY), 'the key has left the address bar');
    } finally {
      await close();
    }
  } finally {
    await swath.stop();
    rmSync(swath.dataDir, { recursive: true });
  }
});
