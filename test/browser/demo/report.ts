/** Pictures and reports that are saved of the demo world: what they say, in which letters, and how fine they are. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { readPdf } from '../read-pdf.ts';
import { whenIs } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

const FIELD =
  'area=-122.42207,48.23125;-122.42072,48.22762;-122.41656,48.22664;-122.41748,48.23030&map=14.80/48.22890/-122.41930';

/** Chooses a format and saves. */
const save = async (page: Page, format: 'png' | 'pdf'): Promise<{ name: string; bytes: Buffer }> => {
  const dialog = page.getByRole('dialog');
  await dialog.locator(`input[type=radio][value=${format}]`).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.locator('button[type=submit]').click(),
  ]);
  await dialog.waitFor({ state: 'hidden' });
  return { name: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) };
};

/** Zooms of the tiles that were asked for. */
const zoomsOf = (urls: readonly string[]): number[] =>
  urls.flatMap((url) => {
    const found = /\/api\/render\/S2.*\/(\d+)\/\d+\/\d+\?/.exec(url);
    return found === null ? [] : [Number(found[1])];
  });

describeDemo('pictures and reports of the demo world', (bench) => {
  test('a picture is redrawn at three times the screen resolution, with title, legend and sources', async () => {
    await using watched = await bench.open(
      '#map=12.00/48.22140/-122.40250&scene=S2B_tile_20260621_10UEU_1&dataset=sentinel2l2a&bands=NDVI&panel=share',
      { bypassCSP: true },
    );
    const { page, problems, urls } = watched;
    const box = await page.locator('#map').boundingBox();
    const [width, height] = [Math.floor(box?.width ?? 0), Math.floor(box?.height ?? 0)];
    const finest = Math.max(...zoomsOf(urls));
    await page.getByRole('button', { name: 'Save picture…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save picture' });
    await dialog.getByLabel('Title').fill('Fields of June');
    await dialog.getByLabel('Size').selectOption('3');
    assert.deepEqual(await findFaults(page), []);
    const before = urls.length;
    const { name, bytes } = await save(page, 'png');
    assert.equal(name, 'Fields-of-June.png');
    const deeper = zoomsOf(urls.slice(before));
    assert.ok(deeper.length > 0 && Math.max(...deeper) >= finest + 1, `${deeper} after ${finest}`);
    const meta = await sharp(bytes).metadata();
    assert.equal(meta.width, 3 * (width + 48));
    assert.ok(meta.height > 3 * (height + 100), `${meta.height} px`);
    // The map of the picture has the field's colours, and details that an enlarged screen has not.
    const map = { left: 3 * 24, top: 3 * 72, width: 3 * width, height: 3 * height };
    const fine = sharp(bytes).extract(map).removeAlpha();
    const blurred = await sharp(await fine.clone().resize(width, height).png().toBuffer())
      .resize(3 * width, 3 * height, { kernel: 'cubic' })
      .raw()
      .toBuffer();
    const whole = await fine.raw().toBuffer();
    const off = whole.reduce((sum, value, i) => sum + Math.abs(value - (blurred[i] ?? 0)), 0) / whole.length;
    assert.ok(off > 1, `an enlarged picture differs by ${off} only`);
    assert.deepEqual(problems, []);
  });

  test('a report can be made in Ukrainian, with real text, by keyboard alone', async () => {
    await using watched = await bench.open(
      `#scene=S2B_tile_20260621_10UEU_1&dataset=sentinel2l2a&bands=NDVI&panel=area&${FIELD}`,
      { bypassCSP: true, locale: 'uk-UA' },
    );
    const { page, problems } = watched;
    const button = page.getByRole('button', { name: 'Звіт про поле…' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Звіт про поле' });
    await dialog.waitFor();
    assert.deepEqual(await findFaults(page), []);
    await dialog.getByLabel('Назва').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Поле «Їжак» 田');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.equal(download.suggestedFilename(), 'Поле-Їжак-田.pdf');
    const { texts, pictures } = readPdf(await buffer(await download.createReadStream()));
    const all = texts.join('\n');
    for (const words of [
      /^Звіт про поле · .* · Sentinel-2 L2A$/m,
      /12,27.га|12,27.ha/,
      /^Останній NDVI$/m,
      /^Пік сезону$/m,
      /^0,8\d$/m,
      /^Температура \(°C\)$/m,
      /^Джерела: .*Natural Earth/m,
    ])
      assert.match(all, words);
    // The title has a letter that the font lacks: it is a picture next to that of the map.
    assert.deepEqual(pictures.length, 2);
    assert.deepEqual(pictures[0] === undefined ? null : pictures.some(([width]) => width === 900), true);
    // The keyboard is where it was.
    await whenTrue(page, `document.activeElement?.textContent.startsWith('Звіт')`);
    assert.deepEqual(problems, []);
  });

  test('a failure is shown, and the form stays', async () => {
    await using watched = await bench.open(
      `#scene=S2B_tile_20260621_10UEU_1&dataset=sentinel2l2a&panel=area&${FIELD}`,
    );
    const { page } = watched;
    await page.route('**/api/statistics', (route) =>
      route.fulfill({ status: 500, json: { error: 'The disk is full.', code: 'internal' } }),
    );
    await page.getByRole('button', { name: 'Field report…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Field report' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The file could not be saved: The disk is full.').waitFor();
    await whenIs(dialog.getByRole('button', { name: 'Save' }), ':enabled');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });
});
