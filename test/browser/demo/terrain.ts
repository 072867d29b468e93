/** Terrain, against the demo world: what is drawn of the ground, three dimensions, and the height of a point. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { toLocalPoint } from '../../../world/demo/truth.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import { openWorld } from '../../world/shared-world.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import type { MapPixels } from '../map-pixels.ts';
import { readMapPixels, whenDrawn, whenMapIdle } from '../map-pixels.ts';

/** Mountains, north of the scene of the burnt forest: zoom 10 of the map shows tiles of zoom 11 pixel by pixel. */
const VIEW = { zoom: 10, lat: 48.2, lon: -121.85 };
const SCENE = 'scene=S2A_tile_20260817_10UEU_1&dataset=sentinel2l2a';
const MAP = `map=${VIEW.zoom}/${VIEW.lat}/${VIEW.lon}`;
/** On a slope, away from the scene. */
const POINT = { lon: -121.8, lat: 48.21 };

/** Every pixel is drawn by the processor, and those of three dimensions cost most. */
const SMALL = { viewport: { width: 640, height: 400 } } as const;

/** The shade of a point in a tile of the server. */
const readShade = async (url: string, { lon, lat }: typeof POINT): Promise<number> => {
  const z = VIEW.zoom + 1;
  const sine = Math.sin((lat * Math.PI) / 180);
  const x = (lon / 360 + 0.5) * 2 ** z;
  const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z;
  const tile = await fetch(`${url}/api/render/terrain/${z}/${Math.floor(x)}/${Math.floor(y)}`, {
    headers: { 'x-api-key': SERVICE_KEY },
  });
  const { data, info } = await sharp(await tile.arrayBuffer())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data[Math.floor((y % 1) * 256) * info.width + Math.floor((x % 1) * 256)] as number;
};

/** The mean brightness of the pixels around a position. */
const brightnessAt = (pixels: MapPixels, { lon, lat }: typeof POINT): number => {
  const { xPx, yPx } = pixels.toPixel(lon, lat);
  const colors = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => pixels.at(xPx + dx, yPx + dy)));
  return colors.flat().reduce((sum, value) => sum + value, 0) / (colors.length * 3);
};

describeDemo('terrain in the demo world', (bench) => {
  test('the hillshade matches the server; slopes have a legend; none turns it off again', async () => {
    await using watched = await bench.open(`#${MAP}&${SCENE}&panel=look`, { ...SMALL, bypassCSP: true });
    const { page, problems, urls } = watched;
    await page.locator('#terrain > summary').click();
    // By keyboard: the radio buttons are one stop, and arrows move between them.
    const off = page.getByRole('radio', { name: 'Off' });
    await off.focus();
    // The server is first asked where its tiles are.
    const tile = page.waitForResponse(/\/terrain\/\d+\//);
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/&opacity=65&terrain=hillshade&/);
    await tile;
    const points = [0, 0.01, 0.02, 0.03, 0.04].map((step) => ({ lon: POINT.lon - step, lat: POINT.lat }));
    const shades = await Promise.all(points.map((point) => readShade(bench.swath.url, point)));
    assert.ok(Math.max(...shades) - Math.min(...shades) > 30, `no relief: ${shades}`);
    await whenDrawn(page, (pixels) => {
      const drawn = points.map((point) => brightnessAt(pixels, point));
      const differences = shades.map((shade, i) => Math.abs(shade - (drawn[i] as number)));
      // Neighbours of a pixel in the mountains differ by so much.
      assert.ok(Math.max(...differences) < 40, `${shades} are drawn as ${drawn}`);
    });

    await page.keyboard.press('ArrowDown');
    await page.locator('.slope-legend').getByText('45°').waitFor();
    await whenMapIdle(page);
    assert.deepEqual(await findFaults(page), []);
    await off.check();
    await page.waitForURL((url) => !/terrain|opacity/.test(url.hash));
    await whenDrawn(page, (pixels) => assert.ok(brightnessAt(pixels, POINT) < 60, 'the base map is dark'));
    const terrain = urls.filter((url) => url.includes('/terrain/'));
    assert.ok(terrain.length > 4 && terrain.every((url) => !url.includes(SERVICE_KEY)));
    assert.deepEqual(problems, []);
  });

  test('tiles that are no longer wanted are cancelled', async () => {
    await using watched = await bench.open(`#${MAP}&${SCENE}&panel=look`, SMALL);
    const { page } = watched;
    const asked = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<string>();
    await page.route(/\/terrain\/\d+\//, () => asked.resolve());
    page.on('requestfailed', (request) => {
      if (/\/terrain\/\d+\//.test(request.url())) cancelled.resolve(request.failure()?.errorText ?? '');
    });
    await page.locator('#terrain > summary').click();
    await page.getByRole('radio', { name: 'Hillshade' }).check();
    await asked.promise;
    await page.getByRole('radio', { name: 'Off' }).check();
    assert.match(await cancelled.promise, /ABORTED/);
  });

  test('the 3D view tilts the map, survives a reload, and ends flat', async () => {
    await using watched = await bench.open(`#${MAP}&${SCENE}&panel=look`, SMALL);
    const { page, problems } = watched;
    const compass = page.locator('.maplibregl-ctrl-compass');
    assert.equal(await compass.count(), 0);
    await page.locator('#terrain > summary').click();
    await page.getByRole('checkbox', { name: 'Three dimensions' }).check();
    await page.waitForURL(/&relief=1\.5,55,0&/);
    await compass.waitFor();
    await page.locator('#map canvas').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForURL(/&relief=1\.5,55,-?[1-9]\d*&/);
    await page.reload();
    await compass.waitFor();
    await page.waitForURL(/&relief=1\.5,55,-?[1-9]\d*&/);
    await page.getByRole('checkbox', { name: 'Three dimensions' }).uncheck();
    await compass.waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.hash.includes('relief'));
    await whenMapIdle(page);
    assert.deepEqual(problems, []);
  });

  test('a click reads the height of the ground', async () => {
    await using watched = await bench.open(`#${MAP}&${SCENE}&terrain=contours&panel=look`, SMALL);
    const { page } = watched;
    const { ground } = await openWorld();
    const { view, toPixel } = await readMapPixels(page);
    const { xPx, yPx } = toPixel(view.lon, view.lat);
    await page.locator('#map canvas').click({ position: { x: Math.round(xPx), y: Math.round(yPx) } });
    const text = await page.locator('#values .elevation:not(:empty)').innerText();
    const shown = Number(/^Elevation (\d+) m$/.exec(text)?.[1]);
    const { x, y } = toLocalPoint(view.lon, view.lat);
    const locations = { width: 1, height: 1, sideM: 30, x: Float64Array.of(x), y: Float64Array.of(y) };
    const truth = ground.survey(locations).heightM[0] as number;
    // A pixel of the map is 50 m of steep ground.
    assert.ok(Math.abs(shown - truth) < 60, `${text}, and the ground is at ${truth} m`);
  });
});
