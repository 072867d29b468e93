/** Download, against the demo world: files of all kinds are ordered, made, saved and read; tasks are cancelled and repeated. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import proj4 from 'proj4';
import type { ReadImage } from '../../../world/testing/read-image.ts';
import { readImage } from '../../../world/testing/read-image.ts';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { whenDrawn } from '../map-pixels.ts';
import { whenCount, whenIs, whenText } from '../when-shown.ts';

const SCENE = `scene=${DEMO_SCENE.sceneId}&dataset=sentinel2l2a`;
/** The middle of the scene. */
const MIDDLE = [-122.4025, 48.2214] as const;

/** The file that the newest task of the list has made, read. */
const saveNewest = async (page: Page): Promise<{ readonly image: ReadImage; readonly name: string }> => {
  const link = page.locator('.task').first().getByRole('link');
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const folder = mkdtempSync(join(tmpdir(), 'swath-saved-'));
  try {
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return { image: await readImage(path), name: download.suggestedFilename() };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Orders what is chosen, once its size and the other files are known. */
const order = async (page: Page): Promise<void> => {
  await page.locator('.tasks[aria-busy=false]').waitFor({ state: 'attached' });
  const tasks = page.locator('.task');
  const count = await tasks.count();
  await page.locator('.estimate strong').waitFor();
  await page.getByRole('button', { name: 'Make file' }).click();
  await tasks.nth(count).waitFor();
};

/** The pixel of a file at a position, as column and row. */
const pixelAt = (
  { transform, epsg }: ReadImage,
  lonLat: readonly [number, number],
): readonly [number, number] => {
  if (transform === null) throw new Error('the file lies nowhere');
  const system = epsg === 3857 ? 'EPSG:3857' : '+proj=utm +zone=10 +datum=WGS84 +units=m';
  const [x, y] = proj4(system).forward([...lonLat]);
  const [left, width, , top, , height] = transform;
  return [Math.floor((x - left) / width), Math.floor((y - top) / height)];
};

const valueAt = (image: ReadImage, band: number, [column, row]: readonly [number, number]): number =>
  image.bands[band]?.[row * image.width + column] ?? Number.NaN;

describeDemo('download from the demo world', (bench) => {
  test('a bands file of the map has the pixels of the scene', async () => {
    await using watched = await bench.open(`#${SCENE}&panel=download`);
    const { page, problems } = watched;
    const checked = page.getByRole('group', { name: 'Bands' }).getByRole('checkbox', { checked: true });
    await page.locator('.estimate strong').waitFor();
    await whenCount(checked, 3);
    await whenText(page.locator('.estimate'), /^about [\d.]+ MB\s.*_B02-B03-B04\.TIF$/);
    await order(page);
    const { image, name } = await saveNewest(page);
    assert.match(name, /^S2L2A-10-U-EU-2026-6-21-\d_B02-B03-B04\.TIF$/);
    for (const [i, band] of ['B02', 'B03', 'B04'].entries()) {
      const source = await readImage(join(bench.swath.dataDir, DEMO_SCENE.folder, `${band}.tif`));
      assert.deepEqual(image.transform, source.transform);
      assert.deepEqual(image.bands[i], source.bands[0], band);
    }
    const task = page.locator('.task').first();
    await whenText(task, /B02 B03 B04, 21 Jun 2026\s+Bands · .* · [\d.]+ MB\s+Stored until /);
    assert.deepEqual(problems, []);
  });

  test('an index file of the map view has the values of the points in it', async () => {
    await using watched = await bench.open(
      `#map=14.50/48.22140/-122.40250&${SCENE}&bands=NDVI&panel=download`,
    );
    const { page } = watched;
    await page.getByRole('radio', { name: 'Indices' }).check();
    await whenIs(page.getByRole('checkbox', { name: /^NDVI/ }), ':checked', 'what is on the map');
    await page.getByRole('radio', { name: 'Map view' }).check();
    await order(page);
    const { image, name } = await saveNewest(page);
    assert.match(name, /_NDVI\.TIF$/);
    const pixel = pixelAt(image, MIDDLE);
    const [column, row] = pixel;
    assert.ok(column > 0 && row > 0 && column < image.width && row < image.height && image.width < 500);
    const [lon, lat] = MIDDLE;
    const path = `api/render/S2L2A/point/${DEMO_SCENE.viewId.replace(/^S2L2A\//, '')}/NDVI/${lat}/${lon}`;
    const answer = await fetch(`${bench.swath.url}/${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
    const { index_value: value } = (await answer.json()) as { index_value: number };
    assert.ok(Math.abs(valueAt(image, 0, pixel) - value) < 1e-5, `${valueAt(image, 0, pixel)}, not ${value}`);
  });

  test('a picture as GeoTIFF has the colours of the map', async () => {
    await using watched = await bench.open(
      `#map=13.50/48.22140/-122.40250&${SCENE}&bands=NDVI&colormap=viridis&panel=download`,
    );
    const { page } = watched;
    await page.getByRole('radio', { name: 'Picture' }).check();
    await page.getByText('NDVI Vegetation · viridis').waitFor();
    await page.getByLabel('File', { exact: true }).selectOption('GeoTIFF, for GIS');
    await order(page);
    const { image } = await saveNewest(page);
    assert.equal(image.epsg, 3857);
    // Seven of nine: at a border of fields the map may show the neighbouring pixel.
    const near = [-0.004, 0, 0.004].flatMap((x) =>
      [-0.002, 0, 0.002].map((y) => [MIDDLE[0] + x, MIDDLE[1] + y] as const),
    );
    await whenDrawn(page, ({ atLonLat }) => {
      const alike = near.filter((lonLat) => {
        const pixel = pixelAt(image, lonLat);
        return atLonLat(...lonLat).every((value, i) => Math.abs(value - valueAt(image, i, pixel)) <= 24);
      });
      assert.ok(alike.length >= 7, `${alike.length} of ${near.length} are alike`);
    });
  });

  test('a running task survives a reload, and can be cancelled, ordered again and deleted', async () => {
    await using watched = await bench.open(`#${SCENE}&panel=download`, { locale: 'de-DE' });
    const { page } = watched;
    await page.getByRole('radio', { name: 'Bild' }).check();
    // About 240 million pixels take minutes.
    await page.getByLabel('Pixel in Metern').fill('0.35');
    await page.locator('.estimate strong').waitFor();
    await page.getByRole('button', { name: 'Datei erstellen' }).click();
    const task = page.locator('.task').first();
    const cancel = task.getByRole('button', { name: /^Abbrechen: / });
    await cancel.waitFor();
    await page.reload();
    await cancel.waitFor();
    await whenText(task, /Natürliche Farben, 21. Juni 2026/);
    await cancel.click();
    await task.getByText('Abgebrochen').waitFor();
    await task.getByRole('progressbar').waitFor({ state: 'hidden' });
    await task.getByRole('button', { name: /^Noch einmal bestellen: / }).click();
    await cancel.waitFor();
    await cancel.click();
    await task.getByText('Abgebrochen').waitFor();
    const count = await page.locator('.task').count();
    await task.getByRole('button', { name: /^Mit der Datei löschen: / }).click();
    await page
      .locator('.task')
      .nth(count - 1)
      .waitFor({ state: 'detached' });
  });

  test('a refusal is shown at the option that causes it, and disappears with it; by keyboard, and axe has no findings', async () => {
    await using watched = await bench.open(`#${SCENE}&bands=NDVI&panel=download`, { bypassCSP: true });
    const { page } = watched;
    await page.locator('.estimate strong').waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('radio', { name: 'Bands' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const pixel = page.getByLabel('Pixel in metres');
    await pixel.focus();
    await page.keyboard.type('0.02');
    const refusal = page.locator('#refused-pixel');
    await refusal.getByText(/A pixel size of [\d.]+ fits\.$/).waitFor();
    await whenIs(page.getByRole('button', { name: 'Make file' }), ':disabled');
    assert.deepEqual(await findFaults(page), []);
    await pixel.fill('100');
    await page.locator('.estimate strong').waitFor();
    await refusal.waitFor({ state: 'hidden' });
    await page.getByRole('radio', { name: 'Bands' }).check();
    await page.getByRole('button', { name: 'None' }).click();
    await page.locator('#refused-what').getByText('bands is required').waitFor();
  });
});
