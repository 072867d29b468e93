/** Compare, against the demo world: a field that changes, seen with a divider, side by side and as a difference. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import type { Legend } from '../../../web/api/legend.ts';
import { makeDifferenceColors, toDifferenceLegend } from '../../../web/comparison/difference-colors.ts';
import { parseColormaps } from '../../../web/scenes/knowledge.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import type { ChangingField, FoundScene } from '../changing-field.ts';
import { assertNearer, findChangingField, readNdviColors, toRgb } from '../changing-field.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import type { Rgb } from '../map-pixels.ts';
import { whenDrawn, whenMapIdle } from '../map-pixels.ts';
import { whenAttribute, whenText, whenTexts } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

type Bar = Extract<Legend, { kind: 'bar' }>;

const sideOf = (name: 'left' | 'right', { sceneID }: FoundScene): string =>
  `${name}.scene=${sceneID}&${name}.dataset=sentinel2l2a&${name}.bands=NDVI&${name}.with=calibrated`;

/** Waits until both maps have drawn everything. */
const whenBothIdle = async (page: Page): Promise<void> => {
  await page.locator('#second-map[aria-busy=false]').waitFor();
  await whenMapIdle(page);
};

describeDemo('compare in the demo world', (bench) => {
  let field: ChangingField;
  before(async () => {
    field = await findChangingField(bench.swath.url);
  });
  const readJson = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${bench.swath.url}/api/${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
    return answer.json();
  };
  /** The field a quarter of the map to the left of its middle. */
  const hashOf = (mode: string): string => {
    const { lon, lat, before: left, after: right } = field;
    const view = `map=14.00/${lat.toFixed(5)}/${(lon + 0.004).toFixed(5)}`;
    return `#${view}&bands=B04,B03,B02&compare=${mode}&${sideOf('left', left)}&${sideOf('right', right)}&panel=compare`;
  };
  /** Waits until the field has a colour rather than another one. */
  const whenNearer = (page: Page, expected: Rgb | undefined, other: Rgb | undefined): Promise<unknown> =>
    whenDrawn(page, ({ atLonLat }) => assertNearer(atLonLat(field.lon, field.lat), expected, other));

  test('the divider shows one date on its left and the other on its right', async () => {
    const { before: left, after: right } = field;
    await using watched = await bench.open(hashOf('swipe'));
    const { page, problems, urls } = watched;
    await whenBothIdle(page);
    const [was, is] = await readNdviColors(bench.swath.url, field);
    assert.notDeepEqual(was, is);
    await whenNearer(page, was, is);
    const labels = page.locator('.side-label strong');
    await whenTexts(labels, [left.date, right.date].map(toWords));
    await whenText(page.locator('#compare-legend h2'), 'NDVI Vegetation');

    const divider = page.getByRole('slider', { name: 'Divider' });
    await divider.press('Home');
    await page.waitForURL(/&split=0&/);
    await whenNearer(page, is, was);
    // By the mouse, to the right of the field and beyond.
    const box = (await page.locator('#stage').boundingBox())!;
    await page.mouse.move(box.x + 10, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/&split=90&/);
    await whenAttribute(divider, 'aria-valuenow', '90');
    await whenNearer(page, was, is);

    await page.getByRole('button', { name: 'Swap sides' }).click();
    await whenBothIdle(page);
    await whenNearer(page, is, was);
    await whenTexts(labels, [right.date, left.date].map(toWords));
    await page.reload();
    await whenBothIdle(page);
    await whenNearer(page, is, was);

    await page.getByRole('radio', { name: 'One scene' }).check();
    await page.locator('#second-map').waitFor({ state: 'hidden' });
    await whenMapIdle(page);
    await page.waitForURL(({ hash }) => !hash.includes('compare='));
    await page.waitForURL(/&bands=B04,B03,B02&/);
    await page.goBack();
    await whenBothIdle(page);
    await whenNearer(page, is, was);
    assert.deepEqual(problems, []);
    assert.ok(urls.every((url) => new URL(url).origin === new URL(page.url()).origin));
  });

  test('side by side, each map follows the other and shows its pointer', async () => {
    await using watched = await bench.open('#panel=compare&bands=NDVI', { bypassCSP: true });
    const { page, problems } = watched;
    await page.getByRole('radio', { name: 'Side by side' }).check();
    await whenBothIdle(page);
    const [first, second] = [page.locator('#map'), page.locator('#second-map')];
    const [left, right] = [(await first.boundingBox())!, (await second.boundingBox())!];
    assert.ok(Math.abs(left.width - right.width) <= 4 && right.x >= left.x + left.width - 1);
    await whenHolds(async () => {
      const [earlier = '', later = ''] = await page.locator('.side-label strong').allInnerTexts();
      assert.ok(new Date(earlier) < new Date(later), `${earlier} is left of ${later}`);
    });

    await page.mouse.move(right.x + 60, right.y + 90);
    await whenHolds(async () => {
      const pointer = await first.locator('.other-pointer:not([hidden])').boundingBox();
      assert.ok(pointer !== null);
      assert.ok(Math.abs(pointer.x + pointer.width / 2 - (left.x + 60)) < 5, `${pointer.x}`);
      assert.ok(Math.abs(pointer.y + pointer.height / 2 - (left.y + 90)) < 5, `${pointer.y}`);
    });

    const zoomOf = (): number => Number(/map=([\d.]+)/.exec(page.url())?.[1]);
    const zoom = zoomOf();
    await second.getByRole('button', { name: 'Zoom in' }).click();
    await whenTrue(page, `Number(/map=([\\d.]+)/.exec(location.href)[1]) > ${zoom + 0.9}`);
    await whenBothIdle(page);
    assert.deepEqual(await findFaults(page), []);
    assert.deepEqual(problems, []);
  });

  test('a difference has the colour of the change', async () => {
    const { ndviBefore, ndviAfter, before: left, after: right } = field;
    await using watched = await bench.open(`${hashOf('difference')}&limit=1`);
    const { page, problems } = watched;
    await page.locator('#compare-legend canvas').waitFor();
    await whenText(
      page.locator('#compare-legend h2'),
      `NDVI: ${toWords(right.date)} − ${toWords(left.date)}`,
    );
    const colors = makeDifferenceColors(parseColormaps(await readJson('colormaps')));
    const legend = toDifferenceLegend(colors, 1) as Bar;
    const truth = ndviAfter - ndviBefore;
    await whenDrawn(page, ({ atLonLat }) => {
      const shown = atLonLat(field.lon, field.lat);
      const distances = legend.colors.map((color) =>
        Math.hypot(...toRgb(color).map((value, i) => value - shown[i]!)),
      );
      const nearest = distances.indexOf(Math.min(...distances));
      assert.ok(distances[nearest]! < 6, `${shown} is not a colour of the legend`);
      const read = (2 * nearest) / (legend.colors.length - 1) - 1;
      assert.ok(Math.abs(read - truth) < 0.06, `the map shows ${read}, the world changed by ${truth}`);
    });

    await page.getByLabel('Index', { exact: true }).selectOption('NDMI');
    await page.getByText(/^NDMI: /).waitFor();
    await page.waitForURL(/&measure=NDMI/);
    await page.getByLabel('Colours up to').selectOption('0.2');
    await page.locator('#compare-legend').getByText('−0.2').waitFor();
    assert.deepEqual(problems, []);
  });

  test('on a phone the divider follows the finger', async () => {
    const options = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };
    await using watched = await bench.open('#panel=compare&bands=NDVI', options);
    const { page, problems } = watched;
    await page.getByRole('radio', { name: 'Swipe' }).tap();
    await whenBothIdle(page);
    await page.getByRole('slider', { name: 'Divider' }).waitFor();
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.equal(width, 360);
    assert.deepEqual(problems, []);
  });
});

/** `2026-06-21` → `21 Jun 2026`, as the page writes it. */
function toWords(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
