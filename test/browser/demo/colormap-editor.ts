/** Own colormaps, against the demo world: made, shown on the map and in the legend, shared by the address, deleted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import { describeDemo } from '../describe-demo.ts';
import { assertColor } from '../describe-viewer.ts';
import { findFaults } from '../find-faults.ts';
import { readMapPixels } from '../map-pixels.ts';
import { whenContents, whenCount, whenIs } from '../when-shown.ts';

const NDVI = `#map=13.50/48.22140/-122.40250&scene=${DEMO_SCENE.sceneId}&dataset=sentinel2l2a&bands=NDVI`;

const openEditor = async (page: Page) => {
  await page.getByRole('button', { name: 'Edit colours' }).click();
  const editor = page.getByRole('form', { name: 'Edit colours' });
  await editor.waitFor();
  return editor;
};

/** The share of the map that is red, and that is blue; tiles are JPEG. */
const readShares = async (page: Page): Promise<readonly [red: number, blue: number]> => {
  const { rgba, widthPx, heightPx } = await readMapPixels(page);
  let [red, blue] = [0, 0];
  for (let i = 0; i < rgba.length; i += 4) {
    const [r = 0, g = 0, b = 0] = rgba.subarray(i, i + 3);
    if (r > 240 && g < 15 && b < 15) red++;
    if (b > 240 && g < 15 && r < 15) blue++;
  }
  return [red / (widthPx * heightPx), blue / (widthPx * heightPx)];
};

describeDemo('own colormaps in the demo world', (bench) => {
  test('a colormap with two steps is shown on the map, in the legend, in the address and to others, and can be deleted', async () => {
    await using watched = await bench.open(`${NDVI}&colormap=viridis&panel=look`);
    const { page, problems } = watched;
    const editor = await openEditor(page);
    const stops = editor.getByRole('slider');
    await whenCount(stops, 9);
    await editor.getByRole('radio', { name: 'Steps' }).check();
    await editor.getByRole('radio', { name: 'Values' }).check();
    await stops.first().focus();
    for (let left = 8; left >= 2; left--) {
      await page.keyboard.press('Delete');
      await whenCount(stops, left);
      await stops.and(page.locator(':focus')).waitFor();
    }
    for (const [i, position, color] of [
      [0, '-1', '#ff0000'],
      [1, '0.4', '#0000ff'],
    ] as const) {
      await stops.nth(i).focus();
      await editor.getByLabel('Position').fill(position);
      await editor.getByLabel('Colour', { exact: true }).fill(color);
    }
    await editor.getByLabel('Name').fill('Bare or green');
    await editor.getByRole('button', { name: 'Save and show' }).click();
    await page.waitForURL(/&colormap=[0-9a-f]{32}&/);
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByText('below 0.4').waitFor();
    await whenContents(legend.locator('li'), ['below 0.4', '0.4 and above']);
    const [red, blue] = await whenHolds(async () => {
      const shares = await readShares(page);
      assert.ok(
        shares.every((share) => share > 0.1),
        `${shares[0]} red, ${shares[1]} blue`,
      );
      return shares;
    });
    await whenContents(page.locator('#colormaps > summary'), ['Bare or green']);
    assert.deepEqual(problems, []);

    // Another browser knows the link, and this one the name.
    await using other = await bench.open(new URL(page.url()).hash);
    await other.page.locator('#colormaps > summary').getByText('Shared colours').waitFor();
    await whenHolds(async () => {
      const [otherRed, otherBlue] = await readShares(other.page);
      assert.ok(Math.abs(otherRed - red) < 0.01 && Math.abs(otherBlue - blue) < 0.01);
    });
    await page.reload();
    await page.locator('#colormaps > summary').getByText('Bare or green').waitFor();

    await openEditor(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL((url) => !url.hash.includes('colormap='));
    await page.locator('#colormaps > summary').getByText('Default colours').waitFor();
    await page.locator('#colormaps > summary').click();
    assert.equal(await page.getByRole('radio', { name: 'Bare or green' }).count(), 0);
  });

  test('colours are added and moved by mouse, touch and keyboard', async () => {
    await using watched = await bench.open(`${NDVI}&colormap=gray&panel=look`, {
      bypassCSP: true,
      hasTouch: true,
    });
    const { page } = watched;
    const editor = await openEditor(page);
    const stops = editor.getByRole('slider');
    await editor.locator('.strip').scrollIntoViewIfNeeded();
    const strip = (await editor.locator('.strip').boundingBox()) ?? assert.fail('no strip');
    const at = (share: number): number => strip.x + share * strip.width;
    const whenAt = (i: number, position: number, within = 0): Promise<void> =>
      whenHolds(async () => {
        const seen = Number(await stops.nth(i).getAttribute('aria-valuenow'));
        assert.ok(Math.abs(seen - position) <= within, `stop ${i} is at ${seen}, not ${position}`);
      });

    await page.mouse.click(at(0.06), strip.y + 5);
    await whenCount(stops, 10);
    await whenAt(1, 0.06, 0.02);
    await page.touchscreen.tap(at(0.94), strip.y + 5);
    await whenCount(stops, 11);

    // From the handle to the right, past its neighbour, where it stops.
    const handle = (await stops.nth(1).boundingBox()) ?? assert.fail('no handle');
    await page.mouse.move(handle.x + 9, handle.y + 12);
    await page.mouse.down();
    await page.mouse.move(at(0.1), handle.y + 12, { steps: 3 });
    await whenAt(1, 0.1, 0.02);
    await page.mouse.move(at(0.9), handle.y + 12, { steps: 3 });
    await page.mouse.up();
    await whenAt(1, 0.125);

    await stops.nth(2).focus();
    await page.keyboard.press('ArrowRight');
    await whenAt(2, 0.135);
    await stops.first().focus();
    await page.keyboard.press('ArrowRight');
    // The first colour stays at the beginning.
    await whenAt(0, 0);
    assert.deepEqual(await findFaults(page), []);

    await editor.getByLabel('Start from').selectOption('Accent');
    await whenIs(editor.getByRole('radio', { name: 'Steps' }), ':checked');
    await editor.getByRole('button', { name: 'Add colour' }).click();
    await whenCount(stops, 9);
    await editor.getByLabel('Colour', { exact: true }).fill('#123456');
    await whenHolds(async () =>
      assertColor(
        (await page.evaluate(
          `getComputedStyle(document.querySelector('.stop.is-selected')).backgroundColor.match(/\\d+/g).map(Number)`,
        )) as [number, number, number],
        [0x12, 0x34, 0x56],
      ),
    );
    await editor.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Edit colours' }).waitFor();
  });
});
