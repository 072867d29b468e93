/** The first screen, against the demo world: the newest clear view, where its pixels come from, and the stories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { readMapPixels, whenMapIdle } from '../map-pixels.ts';
import { whenText } from '../when-shown.ts';

/** The plain page: the newest day, and the usual days around it. */
const PLAIN = '#clear=,90';
/** A field in the middle of the series. */
const FIELD = [-122.3985, 48.217] as const;

describeDemo('clear view of the demo world', (bench) => {
  test('the page starts with a view composed of several scenes, and each pixel names its scene', async () => {
    await using watched = await bench.open(PLAIN, { bypassCSP: true });
    const { page, problems, urls } = watched;
    const tiles = urls.filter((url) => url.includes('/api/mosaic/S2L2A'));
    assert.ok(tiles.length > 0 && tiles.every((url) => url.includes('STRETCH=natural')), tiles[0] ?? 'none');
    await page.getByRole('button', { name: 'Dates used' }).click();
    const sources = page.locator('.clear-sources li');
    await sources.first().waitFor();
    // Clouds of the newest scene are filled by others.
    await sources.nth(1).waitFor();
    await whenText(sources.first(), /30 Sept? 2026\s+Sentinel-2 L2A\s+\d+%/);
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('button', { name: 'Dates used' }).click();

    const pixels = await readMapPixels(page);
    const { xPx, yPx } = pixels.toPixel(...FIELD);
    await page.locator('#map').click({ position: { x: xPx, y: yPx } });
    const card = page.getByRole('region', { name: 'Values here' });
    await card.getByText(/^From the scene of .* 2026, Sentinel-2 L2A$/).waitFor();
    await card.getByRole('row', { name: /^NDVI / }).waitFor();
    await card.getByRole('button', { name: 'How this picture is made' }).click();
    await card.getByText(/^B04\.tif · (whole image|overview \d)$/).waitFor();
    await card.getByRole('button', { name: 'Show only this scene' }).click();
    await page.waitForURL(({ hash }) => hash.includes('&scene=S2'));
    await whenMapIdle(page);
    assert.deepEqual(problems, []);
  });

  test('the fire, the season and the curve of a field are one click away', async () => {
    await using watched = await bench.open(PLAIN);
    const { page, problems } = watched;
    for (const [name, shown] of [
      [/^The fire/, '.swipe-handle'],
      [/^A season from above/, '.film-date'],
      [/^A field and its curve/, '#dock canvas'],
    ] as const) {
      await page.keyboard.press('f');
      await page.getByRole('button', { name }).click();
      await page.locator(shown).first().waitFor();
    }
    assert.deepEqual(problems, []);
  });
});
