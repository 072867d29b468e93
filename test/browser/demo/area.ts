/** Area, against the demo world: drawing, measuring, clipping, searching, and files. */
import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { areaM2, perimeterM } from '../../../web/shapes/geodesic.ts';
import type { Position } from '../../../web/shapes/shape.ts';
import { parseAddress } from '../../../web/state/address.ts';
import { formatArea, formatLength } from '../../../web/texts/format-measures.ts';
import type { DemoBench } from '../describe-demo.ts';
import { describeDemo } from '../describe-demo.ts';
import type { MapPixels, Rgb } from '../map-pixels.ts';
import { whenDrawn, whenMapIdle } from '../map-pixels.ts';
import { whenIs } from '../when-shown.ts';
import { KML, plain, ring, tool, whenShown } from './area-page.ts';

/** Over the fields, all of the map inside of the scene. */
const FIELDS = '#map=13/48.22/-122.40&panel=area';
/** The water and the land of the dark palette: what shows where no picture is. */
const BASE_COLORS = ['14,26,34', '28,42,50'];

const areaCard = (page: Page) => page.locator('#area-card');
/** Clicks parts of the map's width and height. */
const clickMap = async (page: Page, points: readonly Position[]): Promise<void> => {
  const { x, y, width, height } = (await page.locator('#map').boundingBox())!;
  for (const [right, down] of points) await page.mouse.click(x + right * width, y + down * height);
};
const addressOf = (page: Page) => parseAddress(new URL(page.url()).hash);
const outlineOf = (page: Page) =>
  whenHolds(() => {
    const { area } = addressOf(page);
    assert.ok(area !== null && area !== 'stored', page.url());
    return area;
  });
const factsOf = async (page: Page, card: string): Promise<string> =>
  plain((await page.locator(`${card} > .measures`).innerText()).replaceAll('\n', ' '));

const drawPolygon = async (page: Page): Promise<void> => {
  await tool(page, 'Polygon').click();
  await clickMap(page, [
    [0.3, 0.3],
    [0.7, 0.3],
    [0.7, 0.7],
    [0.3, 0.7],
    // The first one again.
    [0.3, 0.3],
  ]);
  await areaCard(page).waitFor();
};

/** Tiles with and without transparent pixels are compressed in other ways. */
const assertAlike = (actual: Rgb, expected: Rgb): void =>
  assert.ok(
    actual.every((value, i) => Math.abs(value - expected[i]!) <= 12),
    `${actual} instead of ${expected}`,
  );

const drawing = ({ open }: DemoBench): void => {
  test('a polygon is drawn, measured on the ground, clips the picture, and survives a reload', async () => {
    await using watched = await open(FIELDS);
    const { page, problems, urls } = watched;
    await whenShown(page);
    const isBare = ({ at, widthPx, heightPx }: MapPixels): boolean =>
      BASE_COLORS.includes(at(widthPx * 0.15, heightPx * 0.5).join());
    const whole = await whenDrawn(page, (pixels) => assert.ok(!isBare(pixels), 'there is a picture outside'));
    await drawPolygon(page);
    const outline = await outlineOf(page);
    const facts = `Size ${formatArea(areaM2(outline), 'metric', 'en-GB')} Perimeter ${formatLength(perimeterM(outline), 'metric', 'en-GB')}`;
    await whenHolds(async () => assert.equal(await factsOf(page, '#area-card'), plain(facts)));
    // The click that closed it asks for no values.
    assert.ok(await page.locator('#values').isHidden());

    await page.getByLabel('Clip the picture').check();
    await page.waitForURL(/clip=[0-9a-f]{32}/);
    const [inside, outside] = [
      [whole.widthPx * 0.5, whole.heightPx * 0.5],
      [whole.widthPx * 0.15, whole.heightPx * 0.5],
    ] as const;
    await whenDrawn(page, (clipped) => {
      assertAlike(clipped.at(...inside), whole.at(...inside));
      assert.ok(isBare(clipped), clipped.at(...outside).join());
    });
    assert.ok(urls.some((url) => /[?&]cropper_ref=[0-9a-f]{32}/.test(url)));

    const before = page.url();
    await page.reload();
    await whenShown(page);
    assert.equal(page.url(), before);
    await whenDrawn(page, (reloaded) => assert.ok(isBare(reloaded), 'clipped again'));
    await page.getByLabel('Clip the picture').uncheck();
    await page.waitForURL((url) => !url.hash.includes('clip='));
    await whenDrawn(page, ({ at }) => assertAlike(at(...outside), whole.at(...outside)));
    assert.deepEqual(problems, []);
    const origins = new Set(urls.filter((url) => !url.startsWith('blob:')).map((url) => new URL(url).origin));
    assert.equal(origins.size, 1, [...origins].join());
  });

  test('corners can be dragged, keys undo steps, and Esc cancels the tool before it closes the panel', async () => {
    await using watched = await open(FIELDS);
    const { page } = watched;
    await whenShown(page);
    await page.keyboard.press('a');
    await tool(page, 'Rectangle').click();
    await clickMap(page, [
      [0.3, 0.3],
      [0.6, 0.6],
    ]);
    await areaCard(page).waitFor();
    const drawn = areaM2(await outlineOf(page));
    await areaCard(page).getByRole('button', { name: 'Edit' }).click();
    await page.getByText('Drag corners').waitFor();
    await whenMapIdle(page);
    const { x, y, width, height } = (await page.locator('#map').boundingBox())!;
    await page.mouse.move(x + 0.6 * width, y + 0.6 * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.7 * width, y + 0.7 * height, { steps: 4 });
    await page.mouse.move(x + 0.8 * width, y + 0.8 * height, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL((url) => {
      const { area } = parseAddress(url.hash);
      return area !== null && area !== 'stored' && areaM2(area) > 1.5 * drawn;
    });
    await page.keyboard.press('Control+z');
    await page.waitForURL((url) => {
      const { area } = parseAddress(url.hash);
      return area !== null && area !== 'stored' && Math.abs(areaM2(area) / drawn - 1) < 1e-9;
    });
    await page.keyboard.press('Escape');
    await page.getByText('Drag corners').waitFor({ state: 'hidden' });
    await page.locator('.area').waitFor();
    await page.keyboard.press('Control+z');
    await areaCard(page).waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Shift+z');
    await areaCard(page).waitFor();

    // Half a polygon: its points are taken back one by one, then it is given up.
    await tool(page, 'Polygon').click();
    await clickMap(page, [
      [0.2, 0.2],
      [0.4, 0.2],
    ]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Enter');
    await page.getByText('Not a valid shape yet').waitFor();
    assert.ok(await areaCard(page).isVisible(), 'the area that was there stays');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('#panel').waitFor({ state: 'hidden' });
    assert.ok(Math.abs(areaM2(await outlineOf(page)) / drawn - 1) < 1e-9);

    // A point that was taken back comes again, and closes the shape with the others.
    await page.keyboard.press('a');
    await tool(page, 'Polygon').click();
    await clickMap(page, [
      [0.2, 0.2],
      [0.4, 0.2],
      [0.4, 0.5],
    ]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => {
      const { area } = parseAddress(url.hash);
      return area !== null && area !== 'stored' && area.coordinates.flat(2).length === 8;
    });
  });

  test('a polygon can be drawn with a finger on a phone, and finished with a button', async () => {
    const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
    await using watched = await open(FIELDS, phone);
    const { page, problems } = watched;
    await whenShown(page);
    await tool(page, 'Polygon').tap();
    const { x, y, width, height } = (await page.locator('#map').boundingBox())!;
    for (const [right, down] of [
      [0.3, 0.3],
      [0.7, 0.3],
      [0.5, 0.7],
    ] as const) {
      await page.touchscreen.tap(x + right * width, y + down * height);
    }
    await page.getByRole('button', { name: 'Finish' }).tap();
    await areaCard(page).waitFor();
    assert.equal((await outlineOf(page)).coordinates[0]?.length, 4);
    assert.ok(await page.locator('#values').isHidden());
    const overflow = 'document.documentElement.scrollWidth - innerWidth';
    assert.equal(await page.evaluate(overflow), 0);
    assert.deepEqual(problems, []);
  });
};

const searching = ({ open }: DemoBench): void => {
  test('scenes are found by the area: all over the fields, none in the ocean', async () => {
    await using watched = await open(`${FIELDS}&area=-140,30;-139,30;-139,31`);
    const { page } = watched;
    await whenShown(page);
    await page.getByRole('button', { name: 'Find scenes of this area' }).click();
    await page.getByText('No scene matches').waitFor();
    await page.waitForURL(/where=area/);
    await page.getByRole('navigation').getByRole('button', { name: 'Area' }).click();
    await areaCard(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('navigation').getByRole('button', { name: 'Find' }).click();
    await page.getByText('Draw an area first.').waitFor();
    await page.locator('button.scene').first().waitFor();
    await page.getByRole('button', { name: 'Open Area' }).click();
    await page.getByRole('button', { name: 'Use map view' }).click();
    await areaCard(page).waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'Find' }).click();
    await page.locator('button.scene').first().waitFor();
    // It says that scenes are looked for before it says how many there are.
    await whenHolds(async () => {
      const told = await page.locator('.sticky').innerText();
      assert.ok(Number(/\d+/.exec(told)?.[0]) >= 8, told);
    });
  });
};

const files = ({ open }: DemoBench): void => {
  const bring = async (page: Page, name: string, content: string | Uint8Array): Promise<void> => {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
  };

  test('shapes are read from files, one of several, from an export and by drop; others are refused with an explanation', async () => {
    await using watched = await open(FIELDS);
    const { page, problems } = watched;
    await whenShown(page);
    await bring(page, 'fields.kml', KML);
    await page.getByText('2 shapes. Choose one:').waitFor();
    await page.getByRole('button', { name: 'North & south' }).click();
    await page.getByRole('heading', { name: 'North & south' }).waitFor();
    const outline = await outlineOf(page);
    assert.deepEqual(
      outline.coordinates.map((rings) => rings.length),
      [2, 1],
    );
    // Two squares of 0.004°, one of them with a hole of 0.001°.
    const square = areaM2({ type: 'Polygon', coordinates: [ring(-122.4, 48.21, 0.004)] });
    assert.ok(Math.abs(areaM2(outline) / square - (2 - 1 / 16)) < 1e-3);
    // With holes it cannot be edited, and the panel says so.
    await whenIs(areaCard(page).getByRole('button', { name: 'Edit' }), ':disabled');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      areaCard(page).getByRole('button', { name: 'Export' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'North-south.geojson');
    const saved = await readText(await download.createReadStream());
    await areaCard(page).getByRole('button', { name: 'Delete' }).click();
    await areaCard(page).waitFor({ state: 'hidden' });
    await bring(page, 'again.geojson', saved);
    await page.getByRole('heading', { name: 'North & south' }).waitFor();
    assert.deepEqual(await outlineOf(page), outline);

    // A drop on the map opens the panel.
    await page.keyboard.press('l');
    await page.locator('.area').waitFor({ state: 'hidden' });
    const feature = { type: 'Polygon', coordinates: [ring(-122.41, 48.21, 0.01)] };
    const zip = zipSync({ 'a.geojson': strToU8(JSON.stringify(feature)) });
    await page.evaluate(
      `((bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(bytes)], 'area.zip'));
        const stage = document.getElementById('stage');
        for (const type of ['dragover', 'drop']) {
          stage.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }
      })([${zip.join()}])`,
    );
    await page.getByRole('button', { name: 'Show as area' }).click();
    await page.getByRole('heading', { name: 'Chosen area' }).waitFor();
    await whenHolds(async () => assert.equal((await outlineOf(page)).coordinates[0]?.length, 5));
    const coast = Array.from({ length: 600 }, (_, i): Position => {
      const angle = (i / 600) * 2 * Math.PI;
      return [-122.4 + 0.01 * Math.cos(angle), 48.22 + 0.01 * Math.sin(angle)];
    });
    await bring(
      page,
      'coast.geojson',
      JSON.stringify({ type: 'Polygon', coordinates: [[...coast, coast[0]]] }),
    );
    await areaCard(page).getByText('Too long for the address').waitFor();
    await page.waitForURL(/area=stored/);
    const facts = await factsOf(page, '#area-card');
    await page.reload();
    await whenShown(page);
    await whenHolds(async () => assert.equal(await factsOf(page, '#area-card'), facts));
    assert.deepEqual(problems, []);

    for (const [name, content, words] of [
      ['a.kml', '<kml><Placemark>', /KML is damaged/],
      ['b.kml', '<html></html>', /not GeoJSON, KML or a zipped Shapefile/],
      ['c.geojson', '{"type":"FeatureCollection","features":[]}', /neither polygons nor lines/],
      ['d.zip', zipSync({ 'x.shp': strToU8('no shapes') }), /Shapefile is damaged/],
    ] as const) {
      await bring(page, name, content);
      await page.locator('.notice', { hasText: words }).filter({ hasText: name }).waitFor();
    }
    assert.equal(await factsOf(page, '#area-card'), facts, 'the area that was there stays');
  });
};

describeDemo('area in the demo world', (bench) => {
  drawing(bench);
  searching(bench);
  files(bench);
});
