/** Contrast, against the demo world: histograms of true values, a range for each channel, and what the map shows of it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor, whenHolds } from '../../../src/testing/wait-for.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { readMapPixels, whenDrawn, whenMapIdle } from '../map-pixels.ts';
import { whenTrue } from '../when-true.ts';

const VIEW_ID = 'S2L2A/10/U/EU/2026/6/21/1';
const SCENE = 'scene=S2B_tile_20260621_10UEU_1&dataset=sentinel2l2a';
const MIDDLE = [-122.4025, 48.2214] as const;

interface Ranges {
  readonly bands: readonly { readonly band: string; readonly min: number; readonly max: number }[];
}

describeDemo('contrast in the demo world', (bench) => {
  const readQuarters = async (query = ''): Promise<Ranges> => {
    const path = `S2L2A/ir/${VIEW_ID.slice(6)}/B04,B03,B02?method=cc&min=25&max=75&cloud=0${query}`;
    const answer = await fetch(`${bench.swath.url}/api/render/${path}`, {
      headers: { 'x-api-key': SERVICE_KEY },
    });
    return (await answer.json()) as Ranges;
  };

  test('each channel has its histogram and its range, set by keyboard and by numbers', async () => {
    await using watched = await bench.open(`#${SCENE}&stretch=auto&panel=look`, { bypassCSP: true });
    const { page, problems, urls } = watched;
    await page.locator('#contrast > summary').click();
    await page.getByText('Values of the whole scene').waitFor();
    const { bands } = await readQuarters();
    for (const [i, channel] of (['Red', 'Green', 'Blue'] as const).entries()) {
      const { min, max } = bands[i] as Ranges['bands'][number];
      await whenHolds(async () => {
        const label = await page
          .getByRole('img', { name: `Histogram, ${channel}` })
          .getAttribute('aria-label');
        const [from, to] = [...(label ?? '').matchAll(/\d+/g)].map(Number) as [number, number];
        // Two of the 64 bins over the span of values, which is below 3,000.
        assert.ok(Math.abs(from - min) < 100 && Math.abs(to - max) < 100, `${label}: ${min} to ${max}`);
      });
    }

    const before = (await readMapPixels(page)).atLonLat(...MIDDLE);
    const requests = urls.length;
    const red = page.getByRole('slider', { name: 'Red: Maximum' });
    await red.focus();
    await page.keyboard.press('PageDown');
    await page.waitForURL(/&contrast=(-?[\d.]+,){5}-?[\d.]+&/);
    await waitFor(() => urls.slice(requests).some((url) => url.includes('MIN_MAX=')));
    await whenMapIdle(page);
    assert.ok(!urls.slice(requests).some((url) => url.includes(';4326')), 'nothing was counted again');
    const tiles = urls.slice(requests).filter((url) => url.includes('MIN_MAX='));
    assert.ok(tiles.length > 0 && tiles.every((url) => /MIN_MAX=([^,]+,){5}[^,]+$/.test(url)), tiles.join());

    await page.getByRole('spinbutton', { name: 'Red: Maximum as a number' }).fill('9000');
    await page.keyboard.press('Enter');
    await page.waitForURL(/&contrast=[\d.]+,9000,/);
    await whenDrawn(page, ({ atLonLat }) => {
      const after = atLonLat(...MIDDLE);
      assert.ok(after[0] < before[0] / 2, `red was ${before}, and is ${after}`);
      assert.ok(
        Math.abs(after[1] - before[1]) <= 6 && Math.abs(after[2] - before[2]) <= 6,
        `${before} ${after}`,
      );
    });
    assert.deepEqual(await findFaults(page), []);

    await page.getByRole('button', { name: 'Automatic' }).click();
    await page.waitForURL((url) => !url.hash.includes('contrast'));
    await whenDrawn(page, ({ atLonLat }) => assert.deepEqual(atLonLat(...MIDDLE), before));
    assert.deepEqual(problems, []);
  });

  test('a zoomed map counts the visible ground; the legend follows the range', async () => {
    await using watched = await bench.open(`#map=14.5/48.22/-122.4&${SCENE}&bands=NDVI&panel=look`);
    const { page } = watched;
    await page.locator('#contrast > summary').click();
    await page.getByText('Values of the visible ground').waitFor();
    await page.getByRole('button', { name: 'Visible ground' }).click();
    await page.waitForURL(/&contrast=-?[\d.]+,[\d.]+&/);
    const [, min, max] = /&contrast=(-?[\d.]+),([\d.]+)&/.exec(page.url()) ?? [];
    const values = page.getByRole('region', { name: 'Legend' }).locator('.legend-values span');
    await whenTrue(
      page,
      `Math.abs(parseFloat(document.querySelector('.legend-values span:last-child')?.textContent) - ${max}) < 0.02`,
    );
    await whenHolds(async () => {
      const first = (await values.first().innerText()).replace('−', '-');
      assert.ok(Math.abs(Number(first) - Number(min)) < 0.02, `${first}, ${min}`);
    });
  });
});
