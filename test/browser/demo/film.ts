/** The film of the dates, against the demo world: it plays, steps and is saved in every format of the browser. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { assertNearer, findChangingField, readNdviColors } from '../changing-field.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { whenDrawn } from '../map-pixels.ts';
import { whenIs } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

/** A few dates of the season, so that a film takes seconds. */
const SEASON = 'from=2026-06-15&to=2026-08-31&sets=sentinel2l2a&bands=NDVI';

const dateOf = async (page: Page): Promise<string> => {
  const shown = page.locator('.film-date:not(:empty)');
  await shown.waitFor();
  return shown.innerText();
};
/** A key that no control has for itself. */
const pressOnPage = async (page: Page, key: string): Promise<void> => {
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press(key);
};
const countFrames = async (page: Page): Promise<number> => {
  await dateOf(page);
  return Number(await page.getByRole('slider', { name: 'Date' }).getAttribute('max')) + 1;
};

const folder = mkdtempSync(join(tmpdir(), 'swath-film-'));
after(() => rmSync(folder, { recursive: true }));

/** Saves in a format and gives the bytes of the file. */
const save = async (page: Page, format: string): Promise<{ name: string; bytes: Buffer }> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the animation' });
  await dialog.getByRole('radio', { name: format, exact: true }).check();
  await dialog.getByLabel('Width').selectOption('480');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const file = await download;
  await dialog.waitFor({ state: 'hidden' });
  const path = join(folder, file.suggestedFilename());
  await file.saveAs(path);
  return { name: file.suggestedFilename(), bytes: readFileSync(path) };
};

describeDemo('animation in the demo world', (bench) => {
  test('dates play in order, and keys pause and step', async () => {
    await using watched = await bench.open(`#${SEASON}&panel=compare`, { bypassCSP: true });
    const { page, problems } = watched;
    await page.getByRole('button', { name: 'Play the dates' }).click();
    const count = await countFrames(page);
    assert.ok(count >= 3, `${count} frames`);
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('8');
    await page.waitForURL(/&animate=8/);
    const first = await dateOf(page);
    await whenTrue(page, `document.querySelector('.film-date').textContent !== '${first}'`);
    await pressOnPage(page, ' ');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();

    const dates = page.getByRole('slider', { name: 'Date' });
    await dates.press('Home');
    const seen: string[] = [await dateOf(page)];
    for (let i = 1; i < count; i++) {
      await pressOnPage(page, 'ArrowRight');
      await whenTrue(page, `document.querySelector('.film-date').textContent !== '${seen.at(-1)}'`);
      seen.push(await dateOf(page));
    }
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => Date.parse(a) - Date.parse(b)),
    );
    await whenHolds(async () =>
      assert.match((await dates.getAttribute('aria-valuetext')) ?? '', new RegExp(`${count} of ${count}$`)),
    );
    await pressOnPage(page, 'ArrowRight');
    await whenTrue(page, `document.querySelector('.film-date').textContent === '${seen[0]}'`);
    assert.deepEqual(await findFaults(page), []);

    await page.getByRole('button', { name: 'Close the animation' }).first().click();
    await page.locator('#player').waitFor({ state: 'hidden' });
    await page.waitForURL(({ hash }) => !hash.includes('animate'));
    assert.deepEqual(problems, []);
  });

  test('a frame shows the field as it was on its date', async () => {
    const field = await findChangingField(bench.swath.url);
    const [was, is] = await readNdviColors(bench.swath.url, field);
    const { lon, lat, before, after: later } = field;
    const dates = `from=${before.date}&to=${later.date}&sets=sentinel2l2a&bands=NDVI&with=calibrated`;
    const view = `map=14.00/${lat.toFixed(5)}/${lon.toFixed(5)}`;
    await using watched = await bench.open(`#${dates}&${view}&scene=${later.sceneID}&animate=0.5`);
    const { page } = watched;
    await dateOf(page);
    const slider = page.getByRole('slider', { name: 'Date' });
    for (const [key, expected, other] of [
      ['End', is, was],
      ['Home', was, is],
    ] as const) {
      const shown = await dateOf(page);
      await slider.press(key);
      await whenTrue(page, `document.querySelector('.film-date').textContent !== '${shown}'`);
      await whenDrawn(page, ({ atLonLat }) => assertNearer(atLonLat(lon, lat), expected, other));
    }
  });

  test('an animation is saved as GIF, WebP and video, with all dates', async () => {
    await using watched = await bench.open(
      `#${SEASON}&panel=compare&animate=4&map=12.50/48.22000/-122.40000`,
    );
    const { page, problems } = watched;
    const count = await countFrames(page);
    for (const format of ['GIF', 'WebP']) {
      const { name, bytes } = await save(page, format);
      assert.match(
        name,
        new RegExp(`^swath-2026-\\d\\d-\\d\\d-2026-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`),
      );
      const image = sharp(bytes, { animated: true });
      const { pages, width, delay } = await image.metadata();
      assert.deepEqual([pages, width], [count, 480], format);
      assert.ok(
        delay?.every((ms) => ms === 250),
        `${format}: ${delay}`,
      );
      // Each frame is another date, and none is empty.
      const pagesSeen = new Set<string>();
      for (let one = 0; one < count; one++) {
        const { channels } = await sharp(bytes, { page: one }).stats();
        assert.ok(channels[0]!.stdev > 5, `${format}: frame ${one} is empty`);
        pagesSeen.add(channels.map(({ mean }) => mean.toFixed(3)).join());
      }
      assert.equal(pagesSeen.size, count, format);
    }
    const { bytes } = await save(page, 'WebM');
    const video = await bench.browser.newPage();
    try {
      const facts = await video.evaluate(
        `new Promise((resolve, reject) => {
          const video = document.createElement('video');
          video.onloadedmetadata = () => resolve([video.videoWidth, Math.round(video.duration * 4)]);
          video.onerror = () => reject(new Error(video.error.message));
          video.src = 'data:video/webm;base64,${bytes.toString('base64')}';
        })`,
      );
      assert.deepEqual(facts, [480, count]);
    } finally {
      await video.close();
    }
    assert.deepEqual(problems, []);
  });

  test('saving can be cancelled, and a failure is shown', async () => {
    await using watched = await bench.open(`#${SEASON}&panel=compare&animate=4`);
    const { page } = watched;
    await dateOf(page);
    // Pictures of rectangles never come until they are let go.
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(/TILE_SIZE=/, async (route) => {
      asked.resolve();
      await held.promise;
      await route.fulfill({
        status: 500,
        json: { error: 'The file of the scene is gone.', code: 'internal' },
      });
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Save the animation' });
    await dialog.getByRole('radio', { name: 'GIF' }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await asked.promise;
    await dialog.getByText(/^0 of \d+ dates$/).waitFor();
    const cancelled = page.waitForEvent('requestfailed');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await cancelled;
    await dialog.waitFor({ state: 'hidden' });
    held.resolve();

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('radio', { name: 'GIF' }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('The animation could not be saved: The file of the scene is gone.').waitFor();
    await whenIs(dialog.getByRole('button', { name: 'Save', exact: true }), ':enabled');
  });

  test('without a scene that is clear enough the bar says what to do', async () => {
    await using watched = await bench.open(
      '#from=2026-06-15&to=2026-06-16&panel=compare&animate=2&map=12/10/10',
    );
    await watched.page.getByText('Allow more clouds, or move the map.').waitFor();
  });
});
