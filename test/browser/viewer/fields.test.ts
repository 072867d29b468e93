/** The Fields panel in a real browser, against a server that answers like Swath. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import { describeViewer, INSIDE, KEY, NEWEST, openPanel, sceneButtons } from '../describe-viewer.ts';
import { makeSquares } from '../fake-fields.ts';
import { findFaults } from '../find-faults.ts';
import { whenDrawn } from '../map-pixels.ts';
import { openPage } from '../watched-page.ts';
import { whenCount, whenText, whenTexts } from '../when-shown.ts';

const CORNER = [INSIDE[0] - 0.15, INSIDE[1] + 0.1] as const;
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Fields' }).getByRole('listitem');

describeViewer('viewer, Fields', (bench) => {
  const open = async (page: Page, hash = ''): Promise<void> => {
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}${hash}`);
    await sceneButtons(page).first().waitFor();
    await openPanel(page, 'Fields');
  };

  test('a file becomes fields: each row is reported, listed, sorted, filtered and coloured on the map', async () => {
    await using opened = await openPage(bench.browser, { bypassCSP: true });
    const { page, problems } = opened;
    await open(page);
    await page.getByText('No fields yet').waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('button', { name: 'Import a file' }).click();
    const features = makeSquares(12, CORNER);
    features[4]!.properties.crossed = true;
    await page.getByLabel('Group of all shapes').fill('North');
    await page.locator('input[type=file]').setInputFiles({
      name: 'fields.geojson',
      mimeType: 'application/geo+json',
      buffer: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })),
    });
    await page.getByText('12 shapes: 11 new, 0 changed, 0 as before, 1 refused.').waitFor();
    await page.getByText('Row 5').waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('button', { name: 'Show the fields' }).click();

    await whenCount(rowsOf(page), 11);
    await whenText(rowsOf(page).first(), /Field 1\s+11\sha · maize · North\s+0\.20\s+−0\.30/);
    await page.getByLabel('Sort by').selectOption('Value');
    // Rows that are out of sight cost no layout (`content-visibility`), and a row that is moved counts as such until the next
    // frame: it has no text that `innerText` would give before, though no frame is drawn without it.
    await page.getByRole('button', { name: 'Smallest first' }).click();
    await whenText(rowsOf(page).first(), /Field 12/);
    await page.getByLabel('Filter by name').fill('field 1');
    await whenTexts(rowsOf(page).locator('.field-name'), ['Field 12', 'Field 11', 'Field 10', 'Field 1']);
    await page.getByLabel('Crop', { exact: true }).selectOption('maize');
    await page.getByText('2 of 11 fields').waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.getByLabel('Crop', { exact: true }).selectOption('All crops');
    await page.getByLabel('Filter by name').fill('');

    // The lowest value is brown, the highest green; fields that are filtered out are not drawn.
    const [first, last] = [
      [CORNER[0] + 0.01, CORNER[1] - 0.01],
      [CORNER[0] + 0.04, CORNER[1] - 0.04],
    ] as const;
    await page.getByRole('button', { name: 'Show on the map' }).click();
    const { toPixel } = await whenDrawn(page, ({ atLonLat }) => {
      const [low, high] = [atLonLat(...first), atLonLat(...last)];
      assert.ok(low[0] > low[1], `brown, not ${low}`);
      assert.ok(high[1] > high[0], `green, not ${high}`);
    });

    // A click on the map opens a field, and the area of the page is its outline.
    const { xPx, yPx } = toPixel(...last);
    const box = (await page.locator('#map').boundingBox())!;
    await page.mouse.click(box.x + xPx, box.y + yPx);
    await page.getByRole('heading', { name: 'Field 12' }).waitFor();
    await page.waitForURL(/&area=/);
    assert.deepEqual(await findFaults(page), []);
    assert.deepEqual(problems, []);
  });

  test('a file dropped on the page can become fields, chosen by keyboard', async () => {
    await using opened = await openPage(bench.browser, { bypassCSP: true });
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}`);
    await sceneButtons(page).first().waitFor();
    const drop = (name: string, text: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      })()`);
    const dialog = page.getByRole('dialog');
    await drop('fields.gpkg', '');
    await dialog.getByText('This file can only be imported as fields.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Show as area' }).count(), 0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await drop(
      'two.geojson',
      JSON.stringify({ type: 'FeatureCollection', features: makeSquares(2, CORNER) }),
    );
    await dialog.getByText('What should become of this file?').waitFor();
    assert.deepEqual(await findFaults(page), []);
    await dialog.getByRole('button', { name: 'Import as fields' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 shapes: 2 new, 0 changed, 0 as before, 0 refused.').waitFor();
    // The panel is there now, and takes another file too.
    await drop(
      'one.geojson',
      JSON.stringify({ type: 'FeatureCollection', features: makeSquares(1, CORNER) }),
    );
    await dialog.getByRole('button', { name: 'Import as fields' }).click();
    await page.getByText('1 shape: 1 new, 0 changed, 0 as before, 0 refused.').waitFor();
    assert.deepEqual(problems, []);
  });

  test('a field is drawn without a pointer, edited and deleted by the keyboard', async () => {
    await using opened = await openPage(bench.browser, { bypassCSP: true, colorScheme: 'light' });
    const { page, problems } = opened;
    await open(page);
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Draw a field');
    await press('Cancel');
    await press('Use map view');
    await page.getByLabel('Name').fill('Long acre');
    await page.getByLabel('Crop').fill('rye');
    await page.getByLabel('Sown on').fill('2026-04-20');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Long acre' }).waitFor();
    await page.getByText('20 Apr 2026').waitFor();
    await press('Edit');
    await page.getByLabel('Name').fill('Short acre');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Short acre' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    const patch = bench.fake.seen.find(({ method }) => method === 'PATCH');
    assert.deepEqual(JSON.parse(patch?.body ?? ''), {
      name: 'Short acre',
      crop: 'rye',
      group: null,
      sown_on: '2026-04-20',
    });
    await press('Delete');
    await page.getByText('Delete Short acre for good?').waitFor();
    assert.deepEqual(await findFaults(page), []);
    await press('Delete it');
    await page.getByText('No fields yet').waitFor();
    assert.deepEqual(problems, []);
  });

  test('a thousand fields are loaded in pages; a read-only key sees no buttons to change them', async () => {
    bench.fake.state.fields.add(makeSquares(1000, CORNER));
    bench.fake.state.fields.mayChange = false;
    await using opened = await openPage(bench.browser, {
      bypassCSP: true,
      viewport: { width: 360, height: 740 },
    });
    const { page, problems } = opened;
    await page.goto(`${bench.fake.origin}/?api_key=${KEY}#scene=${NEWEST.sceneID}&panel=fields`);
    await page.getByText('1,000 fields').waitFor();
    await whenCount(rowsOf(page), 100);
    await page.getByRole('button', { name: 'Show 100 more' }).click();
    await whenCount(rowsOf(page), 200);
    await rowsOf(page).first().getByRole('button').click();
    await page.getByRole('heading', { name: 'Field 1', exact: true }).waitFor();
    for (const name of ['Edit', 'Edit outline', 'Delete', 'Import a file', 'Draw a field'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    assert.ok(!bench.fake.seen.some(({ method, url }) => method === 'POST' && url === '/api'));
    assert.deepEqual(await findFaults(page), []);
    assert.deepEqual(problems, []);
  });

  test('the curve of a field shows years overlaid, its spread, weather sums, and another field', async () => {
    const [first, ...others] = makeSquares(3, CORNER);
    bench.fake.state.fields.add([
      { ...first!, properties: { ...first!.properties, sown_on: '2026-03-10' } },
      ...others,
    ]);
    await using opened = await openPage(bench.browser, {
      bypassCSP: true,
      viewport: { width: 1000, height: 700 },
    });
    const { page, problems } = opened;
    await open(page);
    await rowsOf(page).first().getByRole('button').click();
    const keys = page.locator('.series-key');
    await page.locator('.pane .uplot').first().waitFor();
    await whenTexts(keys, ['NDVI']);
    for (const name of ['Temperature', 'Rain']) await page.getByLabel(name, { exact: true }).uncheck();
    for (const name of ['Growing degrees', 'Water balance']) await page.getByLabel(name).check();
    await page.locator('.pane-head').getByText('since 10 Mar 2026').first().waitFor();
    await page.getByLabel('Spread within the field').check();
    await page.getByLabel('Years over each other').check();
    await keys.filter({ hasText: 'Normal, 2024 to 2025' }).waitFor();
    await whenTexts(keys, ['2026', '2025', '2024', '10 to 90 % of the area', 'Normal, 2024 to 2025']);
    assert.deepEqual(await findFaults(page), []);
    await page.waitForURL(/#.*growth,balance;years,spread/);

    await page.getByLabel('Compare with').selectOption('Field 2');
    await keys.filter({ hasText: 'Field 2' }).waitFor();
    await whenTexts(keys, ['Field 1', 'Field 2', '10 to 90 % of the area']);
    // By the keyboard: the last scene, with both fields and the sums of its day.
    await page.getByRole('slider', { name: /^Field 1, Field 2 from/ }).press('End');
    await whenText(
      page.locator('.series-readout'),
      /21 Jun 2026.*Field 1 0\.\d+.*Field 2 0\.\d+.*Growing degrees 520 °C · d/,
    );
    // The same as a table, a row a day.
    await page.getByLabel('Years over each other').uncheck();
    await page.getByRole('radio', { name: 'Days' }).check();
    const table = page.locator('#dock table');
    await whenHolds(async () =>
      assert.deepEqual((await table.getByRole('columnheader').allInnerTexts()).slice(4, 9), [
        'Growing degrees °C · d',
        'Growing degrees, total',
        'Evapotranspiration (ET0) mm',
        'Water balance mm',
        'Water balance, total',
      ]),
    );
    const ofDay = table.getByRole('row').filter({ hasText: '21 Jun 2026' });
    await whenHolds(async () =>
      assert.deepEqual((await ofDay.getByRole('cell').allInnerTexts()).slice(3, 6), ['5.0', '520.0', '3.0']),
    );
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('button', { name: 'All fields' }).click();
    await page.locator('#dock').waitFor({ state: 'hidden' });
    assert.deepEqual(problems, []);
  });

  test('an alert watches a group or a field; its events link to the field, and it can be ended', async () => {
    bench.fake.state.fields.add(
      makeSquares(3, CORNER).map((one) => ({ ...one, properties: { ...one.properties, group: 'North' } })),
    );
    await using opened = await openPage(bench.browser, { bypassCSP: true, colorScheme: 'light' });
    const { page, problems } = opened;
    await open(page);
    await page.getByRole('button', { name: 'Alerts' }).click();
    await page.getByText('Nothing is watched yet.').waitFor();
    await page.getByRole('button', { name: 'New alert' }).click();
    assert.deepEqual(await findFaults(page), []);
    await page.getByLabel('Where', { exact: true }).selectOption('Group North');
    await page.getByLabel('When it').selectOption('falls');
    await page.getByLabel('By at least').fill('0.25');
    await page.getByLabel('Compared with').selectOption('earlier years');
    await page.getByLabel('Tell about scenes').selectOption('from today on');
    await page.getByLabel('E-mail').fill('farm@example.org');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    const item = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await item
      .getByText('NDVI falls by 0.25 or more, compared with earlier years · Group North')
      .first()
      .waitFor();
    const order = bench.fake.seen.find(
      ({ method, url }) => method === 'POST' && url === '/api/subscriptions',
    );
    const { since, ...sent } = JSON.parse(order?.body ?? '') as Record<string, unknown>;
    assert.match(String(since), /^\d{4}-\d{2}-\d{2}$/);
    assert.deepEqual(sent, {
      name: 'NDVI falls by 0.25 or more, compared with earlier years · Group North',
      group: 'North',
      sensors: ['sentinel2'],
      expression: 'NDVI',
      condition: { kind: 'drop', by: 0.25, against: 'normal' },
      email: 'farm@example.org',
      callback_url: null,
    });
    // A new one shows what it told, newest first.
    const rows = item.getByRole('row');
    await rows.nth(2).waitFor();
    await whenText(rows.nth(1), /21 Jun 2026\s+Field 1\s+0\.20\s+0\.50/);
    assert.deepEqual(await findFaults(page), []);
    await item.getByRole('button', { name: 'Pause' }).click();
    await item.getByRole('button', { name: 'Go on' }).waitFor();
    // A callback in place of the e-mail, by the keyboard; what did not arrive is said.
    await item.getByText('Sent to farm@example.org').waitFor();
    await item.getByRole('button', { name: 'Delivery' }).press('Enter');
    await item.getByText('E-mail: 2 attempts failed.').waitFor();
    await page.getByLabel('E-mail').fill('');
    await page.getByLabel('Callback address').fill('https://hooks.example.org/swath');
    assert.deepEqual(await findFaults(page), []);
    await page.keyboard.press('Enter');
    await item.getByText('Sent to https://hooks.example.org/swath').waitFor();
    const patch = bench.fake.seen.findLast(({ method }) => method === 'PATCH');
    assert.deepEqual(JSON.parse(patch?.body ?? ''), {
      email: null,
      callback_url: 'https://hooks.example.org/swath',
    });
    await rows.nth(1).getByRole('button', { name: 'Field 1' }).click();
    await page.getByRole('heading', { name: 'Field 1' }).waitFor();

    // A field of its own, and the end of both.
    await page.getByRole('button', { name: 'Watch this field' }).click();
    await whenText(page.getByLabel('Where', { exact: true }).locator('option:checked'), 'Field 1');
    await page.getByLabel('When it').selectOption('goes below');
    await page.getByLabel('Limit').fill('0.3');
    await page.getByLabel('Name', { exact: true }).fill('Thin stand');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await item.getByText('NDVI goes below 0.3 · Field 1').waitFor();
    await whenCount(item, 2);
    for (const name of ['Thin stand', 'NDVI falls']) {
      await item.filter({ hasText: name }).getByRole('button', { name: 'End', exact: true }).click();
      await item.getByRole('button', { name: 'End it' }).click();
      await item.filter({ hasText: name }).waitFor({ state: 'detached' });
    }
    await page.getByText('Nothing is watched yet.').waitFor();
    assert.deepEqual(problems, []);
  });
});
