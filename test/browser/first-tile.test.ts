/** The first thing a newcomer does: open the printed address and look. On the real service, in a real browser. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { makeDemoData } from '../support/demo-data.ts';
import { SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import type { Rgb } from './map-pixels.ts';
import { readMapPixels } from './map-pixels.ts';
import { openBrowser, whyNoBrowser } from './open-browser.ts';
import { openPage } from './watched-page.ts';
import { requireFreshWebBuild } from './web-build.ts';

/** Places of the demo scene, and one east of it on the base map. */
const SEA = [3.1, 42.68] as const;
const LAGOON = [3.003, 42.668] as const;
const BEYOND = [3.135, 42.7] as const;

const spread = ([r, g, b]: Rgb): number => Math.max(r, g, b) - Math.min(r, g, b);

test('the printed address shows the demo scene on the map', {
  skip: whyNoBrowser(),
  timeout: 115_000,
}, async () => {
  requireFreshWebBuild();
  const swath = await startSwath({ dataDir: await makeDemoData(), env: { SWATH_LOG: 'warn' } });
  try {
    await waitUntilReady(swath.url);
    const { browser, close } = await openBrowser();
    try {
      await using watched = await openPage(browser);
      const { page, problems, urls } = watched;
      await page.goto(`${swath.url}/?api_key=${SERVICE_KEY}`);
      await page.getByText('S2A_tile_20260621_31TDH_0').first().waitFor();
      const map = await readMapPixels(page);

      const [seaRed, seaGreen, seaBlue] = map.atPlace(...SEA);
      assert.ok(
        seaBlue > seaRed + 15 && seaBlue > seaGreen && seaRed < 60,
        `deep sea is dark blue, not ${map.atPlace(...SEA)}`,
      );
      const [lagoonRed, lagoonGreen] = map.atPlace(...LAGOON);
      assert.ok(lagoonGreen > lagoonRed + 10, `the lagoon is green, not ${map.atPlace(...LAGOON)}`);
      assert.ok(spread(map.atPlace(...BEYOND)) < 60, 'beyond the scene the base map is seen');
      assert.notDeepEqual(map.atPlace(...BEYOND), map.atPlace(...SEA));

      // Fields, roads and houses: an inland part of a real picture has many colours.
      const colours = new Set<string>();
      for (let lon = 2.88; lon < 2.99; lon += 0.002) {
        for (let lat = 42.68; lat < 42.78; lat += 0.004) colours.add(map.atPlace(lon, lat).join());
      }
      assert.ok(colours.size > 300, `${colours.size} different colours inland`);

      assert.deepEqual(problems, []);
      assert.ok(urls.some((url) => url.includes('/api/render/S2/31/T/DH/2026/6/21/0/B04,B03,B02/')));
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
