/** The Measure panel in a real browser, against a server that answers like Swath. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { describeViewer, KEY, MIDDLE, NEWEST, openPanel, sceneButtons } from '../describe-viewer.ts';
import { findFaults } from '../find-faults.ts';
import { readDownload } from '../read-download.ts';
import { openPage } from '../watched-page.ts';
import { whenCount, whenIs, whenText, whenValue } from '../when-shown.ts';

const square = (west: number) => ({
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [west, 42.7],
        [west + 0.2, 42.7],
        [west + 0.2, 42.9],
        [west, 42.9],
        [west, 42.7],
      ],
    ],
  ],
});

/** As many classes as there are thresholds and one more, of 100 ha, 200 ha and so on. */
const answerOf = ({ thresholds, view_id, before_view_id }: Readonly<Record<string, unknown>>) => {
  const bounds = thresholds === 'otsu' ? [0.25] : (thresholds as readonly number[]);
  return {
    type: 'FeatureCollection',
    preset: 'burn-severity',
    expression: 'NBR',
    unit: null,
    scenes: [
      { view_id, date: '2026-06-21', before: false },
      ...(before_view_id === undefined
        ? []
        : [{ view_id: before_view_id, date: '2026-06-16', before: true }]),
    ],
    pixel_m: 20,
    thresholds: bounds,
    separability: thresholds === 'otsu' ? 0.9 : null,
    area: { pixels: 100_000, hectares: 4000, km2: 40, clear_percent: 87.5 },
    histogram: { min: -0.5, max: 1, counts: [5, 40, 100, 30, 10, 20], below: 0, above: 0 },
    features: [...bounds, 9].map((_, i) => ({
      type: 'Feature',
      id: i + 1,
      geometry: square(1.9 + 0.15 * i),
      properties: {
        class: i + 1,
        label: bounds.length === 6 ? 'of the server' : undefined,
        from: bounds[i - 1] ?? null,
        to: bounds[i] ?? null,
        pixels: 2500 * (i + 1),
        hectares: 100 * (i + 1),
        percent: 10,
      },
    })),
  };
};

describeViewer('viewer, Measure', (bench) => {
  test('a preset gives a table of hectares, whose thresholds can be typed, dragged and detected', async () => {
    bench.fake.state.classesOf = answerOf;
    await using opened = await openPage(bench.browser, { acceptDownloads: true, bypassCSP: true });
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}`);
    await sceneButtons(page).first().waitFor();
    await openPanel(page, 'Measure');
    await page.getByText('the burn ratio (NBR) before minus after').waitFor();
    await whenValue(page.getByLabel('After', { exact: true }), NEWEST.view_id);
    await whenValue(page.getByLabel('Before', { exact: true }), MIDDLE.view_id);
    await page.getByRole('button', { name: 'Measure', exact: true }).last().click();
    const table = page.getByRole('table');
    await table.waitFor();
    const rows = table.getByRole('row');
    await whenCount(rows, 9, 'a head, seven classes and a sum');
    await whenText(rows.nth(7), /High severity\s*≥ 0\.66\s+700\s+7/);
    await whenText(rows.nth(8), /Together\s+2,200\s+22/);
    const orders = () =>
      bench.fake.seen
        .filter(({ url }) => url.startsWith('/api/classes') && !url.endsWith('presets'))
        .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    const [first] = orders();
    assert.deepEqual(
      [
        first?.preset,
        first?.view_id,
        first?.before_view_id,
        (first?.geometry as { type: string } | undefined)?.type,
      ],
      ['burn-severity', NEWEST.view_id, MIDDLE.view_id, 'Polygon'],
    );

    // Typed, and by the arrow keys, which stop at the neighbours.
    const fourth = page.getByLabel('Threshold 4', { exact: true });
    await fourth.fill('0.3');
    await fourth.press('Enter');
    await page.getByText('0.3 – 0.44').waitFor();
    await whenHolds(() => assert.deepEqual(orders().at(-1)?.thresholds, [-0.25, -0.1, 0.1, 0.3, 0.44, 0.66]));
    await page.locator('.measure[aria-busy=false]').waitFor();

    // Dragged: the last one, from 0.66 to about 0.9.
    const handle = page.locator('.measure-handle').last();
    const box = (await handle.boundingBox())!;
    const picture = (await page.getByRole('img', { name: 'How many pixels' }).boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(picture.x + (1.4 / 1.5) * picture.width, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.getByText(/≥ 0\.(89|9)/).waitFor();

    // Found, and put back.
    await page.getByRole('button', { name: 'Find automatically' }).click();
    await page.getByText('Class 2').waitFor();
    await whenHolds(() => assert.equal(orders().at(-1)?.thresholds, 'otsu'));
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Unburned').waitFor();
    assert.deepEqual(await findFaults(page), []);

    const { name, content } = await readDownload(page, page.getByRole('button', { name: 'GeoJSON' }));
    assert.equal(name, 'classes-burn-severity-2026-06-21.geojson');
    assert.equal((JSON.parse(content) as { features: unknown[] }).features.length, 7);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await table.waitFor({ state: 'detached' });
    assert.deepEqual(problems, []);
  });

  test('where nothing can be measured, the panel says why and what to do', async () => {
    await using opened = await openPage(bench.browser, { bypassCSP: true });
    const { page } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}`);
    await sceneButtons(page).first().waitFor();
    await page.keyboard.press('m');
    await page.getByLabel('What to measure').selectOption('Water by radar');
    await page.getByText('No radar scene shows this place').waitFor();
    await whenIs(page.getByRole('button', { name: 'Measure', exact: true }).last(), ':disabled');
    assert.deepEqual(await findFaults(page), []);
    await page.getByLabel('What to measure').selectOption('Snow (NDSI)');
    await page.getByRole('button', { name: 'Measure', exact: true }).last().click();
    await page.getByRole('alert').filter({ hasText: 'No classes here.' }).waitFor();
    await page.getByRole('button', { name: 'Find scenes' }).waitFor({ state: 'detached' });
  });
});
