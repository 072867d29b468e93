/** The heights along a line, against the demo world: as the world has them, by keys, and after a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import type { Position } from '../../../web/shapes/shape.ts';
import { toLocalPoint } from '../../../world/demo/truth.ts';
import { openWorld } from '../../world/shared-world.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { whenDrawn } from '../map-pixels.ts';
import { whenTrue } from '../when-true.ts';
import { KML, plain, tool, whenShown } from './area-page.ts';

const lineCard = (page: Page) => page.locator('#line-card');

describeDemo('the profile of a line in the demo world', ({ open }) => {
  test('the profile of a line has the heights of the world, and marks its points on the map; axe has no serious findings', async () => {
    const line = [
      [-122.43, 48.2],
      [-122.37, 48.24],
    ] as const satisfies readonly Position[];
    await using watched = await open(
      `#map=12/48.22/-122.40&panel=area&line=${line.map((at) => at.join()).join(';')}`,
      { bypassCSP: true },
    );
    const { page, problems } = watched;
    await whenShown(page);
    await page.locator('.profile[aria-busy=false] canvas').waitFor();
    const [shown, lowest, highest] = await whenHolds(async () => {
      const text = plain((await page.locator('.profile .measures').innerText()).replaceAll('\n', ' '));
      return (
        /^Lowest ([\d.]+) m Highest ([\d.]+) m Ascent [\d.]+ m Descent [\d.]+ m$/.exec(text) ??
        assert.fail(text)
      );
    });

    const { ground } = await openWorld();
    const heightAt = (lon: number, lat: number): number => {
      const { x, y } = toLocalPoint(lon, lat);
      return ground.heightAt(x, y);
    };
    const truths = Array.from({ length: 200 }, (_, i) => {
      const t = i / 199;
      return heightAt(line[0][0] + t * (line[1][0] - line[0][0]), line[0][1] + t * (line[1][1] - line[0][1]));
    });
    assert.ok(Math.abs(Number(lowest) - Math.min(...truths)) < 1.5, `${shown}; true ${Math.min(...truths)}`);
    assert.ok(Math.abs(Number(highest) - Math.max(...truths)) < 1.5, `${shown}; true ${Math.max(...truths)}`);

    // By keys, as by the pointer: the middle of the line, and its height there.
    const chart = page.getByRole('slider', { name: /^Heights from/ });
    await chart.focus();
    for (let i = 0; i < 10; i++) await chart.press('PageUp');
    await whenHolds(async () => {
      const text = plain((await chart.getAttribute('aria-valuetext')) ?? '');
      const [, km, height] = /^([\d.]+) km · ([\d.]+) m$/.exec(text) ?? assert.fail(text);
      assert.ok(Math.abs(Number(km) - 3.1) < 0.5, text);
      assert.ok(Math.abs(Number(height) - truths[99]!) < 1.5, `${text}; true ${truths[99]}`);
    });
    const [lon, lat] = [-122.43 + (99 / 199) * 0.06, 48.2 + (99 / 199) * 0.04];
    await whenDrawn(page, ({ atLonLat }) =>
      assert.deepEqual(atLonLat(lon, lat), [0xff, 0xb4, 0x54], 'the marked point'),
    );

    // After a failure the server is asked again when the user wants it.
    const profiles = '**/api/render/terrain/profile*';
    await page.route(profiles, (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', error: 'The server has failed.' } }),
    );
    await page.reload();
    await page.locator('.profile').getByText('The server has failed.').waitFor();
    await page.unroute(profiles);
    problems.length = 0;
    await page.locator('.profile').getByRole('button', { name: 'Try again' }).click();
    await page.locator('.profile[aria-busy=false] canvas').waitFor();

    // Everything that the panel can show at once.
    await page.getByRole('button', { name: 'Use map view' }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.kml', mimeType: '', buffer: Buffer.from(KML) });
    await page.getByText('2 shapes. Choose one:').waitFor();
    assert.deepEqual(await findFaults(page), [], 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await whenTrue(page, `matchMedia('(prefers-color-scheme: light)').matches`);
    await tool(page, 'Polygon').click();
    assert.deepEqual(await findFaults(page), [], 'light');

    await lineCard(page).getByRole('button', { name: 'Delete' }).click();
    await lineCard(page).waitFor({ state: 'hidden' });
    await page.waitForURL(({ hash }) => !hash.includes('line='));
    assert.deepEqual(problems, []);
  });
});
