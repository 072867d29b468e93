/** What panels do to each other, against the demo world: an area and the ground in a comparison. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import type { ChangingField } from '../changing-field.ts';
import { findChangingField } from '../changing-field.ts';
import { describeDemo } from '../describe-demo.ts';
import { readMapPixels, whenMapIdle } from '../map-pixels.ts';

/** Half the width of the area, in degrees of longitude. */
const HALF = 0.002;
/** The land and the water of the dark palette: what shows where no picture is. */
const BASE_COLORS = ['14,26,34', '28,42,50'];

const whenBothIdle = async (page: Page): Promise<void> => {
  await page.locator('#second-map[aria-busy=false]').waitFor();
  await whenMapIdle(page);
};

/** The colour of the second map at a distance from its middle. */
const readSecond = async (page: Page, rightPx: number, downPx: number): Promise<string> => {
  const { data, info } = await sharp(await page.locator('.second-map').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [x, y] = [Math.round(info.width / 2 + rightPx), Math.round(info.height / 2 + downPx)];
  const offset = (y * info.width + x) * 3;
  return [...data.subarray(offset, offset + 3)].join();
};

describeDemo('panels together in the demo world', (bench) => {
  let field: ChangingField;
  before(async () => {
    field = await findChangingField(bench.swath.url);
  });
  const hashOf = (mode: string): string => {
    const { lon, lat, before: left, after: right } = field;
    const sides = [`left.scene=${left.sceneID}`, `right.scene=${right.sceneID}`].join('&');
    return `#map=14.00/${lat.toFixed(5)}/${lon.toFixed(5)}&compare=${mode}&${sides}`;
  };

  test('both sides outline the area, and are clipped and unclipped together', async () => {
    const { lon, lat } = field;
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([x = 0, y = 0]) => `${(lon + x * HALF).toFixed(5)},${(lat + (y * HALF) / 2).toFixed(5)}`);
    await using watched = await bench.open(`${hashOf('side')}&panel=area&area=${corners.join(';')}`);
    const { page, problems, urls } = watched;
    await whenBothIdle(page);
    const { toPixel, widthPx } = await readMapPixels(page);
    const edgePx = toPixel(lon + HALF, lat).xPx - widthPx / 2;
    const whenBare = (rightPx: number, isBare: boolean, message: string): Promise<void> =>
      whenHolds(async () => {
        await whenBothIdle(page);
        assert.equal(BASE_COLORS.includes(await readSecond(page, rightPx, 0)), isBare, message);
      });
    // The two maps may differ by a pixel of width, and the line by the smoothing of its edges.
    await whenHolds(async () => {
      const edge = await Promise.all([-2, -1, 0, 1, 2].map((px) => readSecond(page, edgePx + px, 0)));
      assert.ok(
        edge.some((color) => color.split(',').every((value) => Number(value) > 230)),
        `no white line in ${edge.join(' ')}`,
      );
    });
    await whenBare(edgePx + 12, false, 'the scene goes on');

    await page.getByLabel('Clip the picture').check();
    await page.waitForURL(/[&]clip=[0-9a-f]{32}/);
    await whenBare(edgePx + 12, true, 'none outside');
    await whenBare(0, false, 'a picture inside');
    const scenes = urls
      .filter((url) => url.includes('cropper_ref='))
      .map((url) => url.split('/api/render/')[1]);
    const days = new Set(scenes.map((path) => path?.split('/').slice(0, 8).join('/')));
    assert.equal(days.size, 2, 'tiles of both scenes are clipped');

    await page.reload();
    await whenBare(edgePx + 12, true, 'clipped after a reload');
    await page.getByLabel('Clip the picture').uncheck();
    await page.waitForURL((url) => !url.hash.includes('clip='));
    await whenBare(edgePx + 12, false, 'whole again');
    assert.deepEqual(problems, []);
  });

  test('two compared maps are flat, and a single scene gets its camera back', async () => {
    await using watched = await bench.open(`${hashOf('swipe')}&panel=compare&relief=1.5,55,-20`);
    const { page, problems } = watched;
    await whenBothIdle(page);
    const compass = page.locator('#map .maplibregl-ctrl-compass');
    assert.equal(await compass.count(), 0);
    await page.waitForURL(/&relief=1\.5,55,-20&/);
    await page.getByRole('radio', { name: 'One scene' }).check();
    await compass.waitFor();
    await whenMapIdle(page);
    await page.waitForURL(/&relief=1\.5,55,-20&/);
    await page.getByRole('radio', { name: 'Swipe' }).check();
    await compass.waitFor({ state: 'detached' });
    await whenBothIdle(page);
    await page.waitForURL(/&relief=1\.5,55,-20&/);
    assert.deepEqual(problems, []);
  });
});
