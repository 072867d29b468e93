/** Burnt and flooded ground of the demo world, measured by a few clicks and compared with what the world knows. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { World } from '../../../world/ground/world.ts';
import { spots } from '../../../world/setting.ts';
import { runSwath } from '../../support/start-swath.ts';
import { FLOOD, floodParts } from '../../world/flood-parts.ts';
import { copyParts, openWorld } from '../../world/shared-world.ts';
import type { Box } from '../../world/true-ground.ts';
import { around, isWater, surveyTruth, toHectares, toPolygon } from '../../world/true-ground.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { readDownload } from '../read-download.ts';

/** The page over a rectangle of the world, which is its area. */
function toHash(box: Box): string {
  const ring = toPolygon(box).coordinates[0] as readonly (readonly number[])[];
  // Corners are enough for an address.
  const corners = ring.filter((_, i) => i % 10 === 0 && i < 40);
  const [lons, lats] = [0, 1].map((axis) => corners.map((corner) => corner[axis] ?? 0)) as [
    number[],
    number[],
  ];
  const middle = (values: readonly number[]): string =>
    ((Math.min(...values) + Math.max(...values)) / 2).toFixed(5);
  const area = corners.map((corner) => corner.map((degrees) => degrees.toFixed(6)).join()).join(';');
  return `#map=10.5/${middle(lats)}/${middle(lons)}&area=${area}`;
}

/** Hectares that the last row of the table adds up. */
async function readTogether(page: Page): Promise<number> {
  const row = page.getByRole('table').getByRole('row', { name: 'Together' });
  await row.waitFor();
  const [text = ''] = await row.getByRole('cell').allInnerTexts();
  return Number(text.replaceAll(',', ''));
}

/** Clicks of a job: the goal is a number, so the way to it must be short. */
function countClicks(page: Page) {
  let clicks = 0;
  return {
    async open(): Promise<void> {
      clicks++;
      await page.getByRole('navigation').getByRole('button', { name: 'Measure', exact: true }).click();
    },
    async choose(preset: string): Promise<void> {
      // A list opens by one click and closes by another.
      clicks += 2;
      await page.getByLabel('What to measure').selectOption(preset);
    },
    async measure(): Promise<void> {
      clicks++;
      await page.locator('#panel').getByRole('button', { name: 'Measure', exact: true }).click();
    },
    count: () => clicks,
  };
}

describeDemo('classes in the demo world', (bench) => {
  test('burnt ground: within 5 % of the truth, by two clicks', async () => {
    const world: World = await openWorld();
    const box = around(spots.fire, 11_000);
    await using watched = await bench.open(toHash(box), { acceptDownloads: true, bypassCSP: true });
    const { page, problems } = watched;
    const clicks = countClicks(page);
    await clicks.open();
    await clicks.measure();
    const found = await readTogether(page);
    const { burn } = surveyTruth(world, box, '2026-08-17');
    const truth = toHectares(Array.from(burn).filter((severity) => severity / 255 >= 0.1).length);
    assert.ok(Math.abs(found / truth - 1) < 0.05, `${found} ha measured, ${truth} ha are true`);
    assert.equal(clicks.count(), 2);
    assert.deepEqual(await findFaults(page), []);
    const { name, content } = await readDownload(page, page.getByRole('button', { name: 'GeoJSON' }));
    assert.equal(name, 'classes-burn-severity-2026-08-17.geojson');
    assert.equal((JSON.parse(content) as { features: unknown[] }).features.length, 7);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'GeoTIFF' }).click();
    assert.equal((await waiting).suggestedFilename(), 'classes-burn-severity-2026-08-17.tif');
    assert.deepEqual(problems, []);
  });

  test('flooded ground by radar: within 10 % of the truth, by four clicks', async () => {
    const { dataDir } = bench.swath;
    const folder = join(dataDir, 'flood');
    await copyParts(floodParts, ({ key }) => join(folder, key));
    const { status, stderr } = await runSwath(['ingest', 'folder', folder], { SWATH_DATA: dataDir });
    assert.equal(status, 0, stderr);
    const box = around(spots.flood, 8_000);
    await using watched = await bench.open(toHash(box), { bypassCSP: true });
    const { page, problems } = watched;
    const clicks = countClicks(page);
    await clicks.open();
    await clicks.choose('Water by radar');
    await clicks.measure();
    const found = await readTogether(page);
    const { cover } = surveyTruth(await openWorld(), box, FLOOD.after);
    const truth = toHectares(cover.filter(isWater).length);
    assert.ok(Math.abs(found / truth - 1) < 0.1, `${found} ha measured, ${truth} ha are true`);
    assert.equal(clicks.count(), 4);
    await page
      .getByText(/−\d+(\.\d+)? dB/)
      .first()
      .waitFor();
    assert.deepEqual(await findFaults(page), []);
    assert.deepEqual(problems, []);
  });
});
