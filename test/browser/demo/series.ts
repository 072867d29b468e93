/** The time series of a field of the demo world: what the chart and the tables show, compared with the world and with the server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { whenHolds } from '../../../src/testing/wait-for.ts';
import type { DemoField } from '../../support/demo-field.ts';
import { findDemoField } from '../../support/demo-field.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import type { DemoBench } from '../describe-demo.ts';
import { describeDemo } from '../describe-demo.ts';
import { findFaults } from '../find-faults.ts';
import { whenMapIdle } from '../map-pixels.ts';
import { readDownload } from '../read-download.ts';
import { whenCount, whenIs, whenText } from '../when-shown.ts';
import { whenTrue } from '../when-true.ts';

const SEASON = { from: '2026-03-01', to: '2026-09-30' };
const toArea = ({ ring }: DemoField): string =>
  ring
    .slice(0, -1)
    .map((position) => position.map((degrees) => degrees.toFixed(6)).join())
    .join(';');
const toHash = (field: DemoField, series: string): string =>
  `#map=14.50/${field.ring[0]?.[1].toFixed(5)}/${field.ring[0]?.[0].toFixed(5)}&panel=area&area=${toArea(field)}&series=${series}`;

const post = async (url: string, path: string, body: object): Promise<unknown> => {
  const headers = { 'x-api-key': SERVICE_KEY, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(response.status, 200, path);
  return response.json();
};

/** The cells of the table in the dock, row by row. */
const readTable = async (page: Page): Promise<readonly string[][]> => {
  const rows = await page.evaluate(
    `Array.from(document.querySelectorAll('#dock tbody tr'), (row) => Array.from(row.cells, (cell) => cell.textContent))`,
  );
  return rows as string[][];
};

const whenDrawn = (page: Page): Promise<void> => page.locator('.series-panes .uplot').first().waitFor();

const readCsv = async (page: Page): Promise<string> =>
  (await readDownload(page, page.getByRole('button', { name: 'CSV', exact: true }))).content;

interface Statistics {
  readonly results: readonly {
    readonly date: string;
    readonly view_id: string;
    readonly cloud: number;
    readonly values: { readonly NDVI: { readonly average: number | null } };
  }[];
}

describeDemo('time series of a field of the demo world', (bench: DemoBench) => {
  test('the NDVI of a season matches the server and the world, and a row shows its scene', async () => {
    const field = await findDemoField();
    await using watched = await bench.open(
      toHash(field, `sentinel2l2a;NDVI;${SEASON.from};${SEASON.to};100;`),
      { acceptDownloads: true },
    );
    const { page, problems, urls } = watched;
    await whenDrawn(page);
    await page.getByRole('radio', { name: 'Scenes' }).check();
    const [ring] = [field.ring.map((position) => position.map((degrees) => Number(degrees.toFixed(6))))];
    const { results } = (await post(bench.swath.url, '/api/statistics', {
      geometry: { type: 'Polygon', coordinates: [ring] },
      expressions: ['NDVI'],
      sensors: ['sentinel2l2a'],
      date_start: SEASON.from,
      date_end: SEASON.to,
      limit: 500,
    })) as Statistics;
    const known = results.filter(({ values }) => values.NDVI.average !== null);
    assert.ok(known.length >= 5, `${known.length} scenes`);
    await whenHolds(async () =>
      assert.deepEqual(
        (await readTable(page)).map(([, , ndvi]) => ndvi),
        known.map(({ values }) => values.NDVI.average?.toFixed(3).replace('-', '−')),
      ),
    );
    // The file has the rows of the table, with every digit.
    const csv = await readCsv(page);
    const [head = '', ...lines] = csv.trim().split('\r\n');
    assert.match(head, /^date,scene_id,view_id,cloud,NDVI_average,/);
    assert.deepEqual(
      lines.map((line) => [line.split(',')[0], line.split(',')[4]]),
      known.toReversed().map(({ date, values }) => [date, String(values.NDVI.average)]),
    );
    // Clear scenes show the field as the world has it; haze and the sensor's noise make the rest.
    const clear = known.filter(({ cloud }) => cloud === 0);
    const errors = clear
      .map(({ date, values }) =>
        Math.abs((values.NDVI.average ?? 9) - field.trueNdvi(Date.parse(`${date}T19:10:00Z`))),
      )
      .sort((a, b) => a - b);
    assert.ok(clear.length >= 4 && (errors[Math.floor(errors.length / 2)] ?? 1) < 0.03, errors.join());

    const oldest = page.locator('#dock tbody button').last();
    await oldest.click();
    await page.locator('#dock tbody button[aria-current]').waitFor();
    await whenMapIdle(page);
    const date = known.at(-1)?.date.replaceAll('-', '') ?? '';
    await page.waitForURL(new RegExp(`scene=S2\\w*_${date}_`));
    assert.deepEqual(problems, []);
    const origin = new URL(page.url()).origin;
    assert.deepEqual(
      urls.filter((url) => new URL(url).origin !== origin && !url.startsWith('blob:')),
      [],
    );
  });

  test('a click on a point, and the keyboard, show its scene; the address restores all of it', async () => {
    const field = await findDemoField();
    await using watched = await bench.open(
      toHash(field, `sentinel2l2a;NDVI,NDMI;${SEASON.from};${SEASON.to};100;`),
    );
    const { page } = watched;
    await whenDrawn(page);
    const chart = page.getByRole('slider', { name: /^NDVI, NDMI from/ });
    await chart.focus();
    await page.keyboard.press('Home');
    await whenHolds(async () =>
      assert.match(
        (await chart.getAttribute('aria-valuetext')) ?? '',
        /^\d+ \w+ 2026, NDVI [−\d.]+, NDMI [−\d.]+, \d+% cloud$/,
      ),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(({ hash }) => !hash.includes('scene=S2B_tile_20260930'));
    const before = new URL(page.url()).hash;
    // The pointer over the last point, which is at the end of its line.
    await chart.focus();
    await page.keyboard.press('End');
    const over = page.locator('.series-panes .u-over').first();
    const box = (await over.boundingBox()) ?? assert.fail('there is no chart');
    // The key may have moved the line of the chart from its begin to its end only after a moment.
    const x = await whenHolds(async () => {
      const seen = await page.evaluate(
        `new DOMMatrix(getComputedStyle(document.querySelector('.series-panes .u-cursor-x')).transform).m41`,
      );
      assert.ok(typeof seen === 'number' && seen > box.width / 2, `the line is at ${seen} px`);
      return seen;
    });
    await page.mouse.move(box.x + x, box.y + box.height / 2);
    await whenText(page.locator('.series-readout'), /NDVI [−\d.]+ {2}· {2}NDMI/);
    await page.mouse.click(box.x + x, box.y + box.height / 2);
    await page.waitForURL(({ hash }) => hash !== before);
    await whenMapIdle(page);
    const hash = new URL(page.url()).hash;
    await page.reload();
    await whenDrawn(page);
    assert.equal(new URL(page.url()).hash, hash);
    await whenText(page.locator('.series-keys'), 'NDVI\nNDMI');
  });

  test('weather and soil moisture of the same days match the server, including the forecast', async () => {
    const field = await findDemoField();
    const today = new Date().toISOString().slice(0, 10);
    const from = '2026-09-01';
    await using watched = await bench.open(
      toHash(field, `sentinel2l2a;NDVI;${from};;100;temperature,rain,soil`),
      { acceptDownloads: true },
    );
    const { page, problems } = watched;
    await page.locator('.pane .uplot').nth(3).waitFor();
    await page.getByRole('radio', { name: 'Days' }).check();
    const csv = await readCsv(page);
    const rows = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    const ring = field.ring.map((position) => position.map((degrees) => Number(degrees.toFixed(6))));
    const geometry = { type: 'Polygon', coordinates: [ring] };
    const history = (await post(bench.swath.url, '/api/cz/backend/forecast-history', {
      geometry,
      start_date: from,
      end_date: today,
    })) as { date: string; temperature_min: number; temperature_max: number; rainfall: number }[];
    assert.deepEqual(
      rows.filter(([, , , , isForecast]) => isForecast === 'false').map((row) => row.slice(0, 4)),
      history.map((day) => [day.date, day.temperature_min, day.temperature_max, day.rainfall].map(String)),
    );
    const coming = rows.filter(([, , , , isForecast]) => isForecast === 'true');
    assert.ok(coming.length >= 5 && coming.at(-1)![0]! > today, `${coming.length} days to come`);
    const soil = (await post(bench.swath.url, '/api/statistics', {
      geometry,
      expressions: 'soilmoisture',
      date_start: from,
      date_end: today,
      limit: 500,
    })) as { results: { date: string; values: { soilmoisture: { average: number } } }[] };
    assert.ok(soil.results.length >= 20);
    assert.deepEqual(
      rows.filter((row) => row[5] !== '').map((row) => [row[0], row[5]]),
      soil.results.toReversed().map(({ date, values }) => [date, String(values.soilmoisture.average)]),
    );
    await whenHolds(async () => {
      const newest = (await readTable(page))[0] ?? [];
      assert.equal(newest[1], Number(coming.at(-1)![1]).toFixed(1).replace('-', '−'));
      assert.equal(newest.at(-1), 'forecast');
    });
    assert.deepEqual(problems, []);
  });

  test('where there is no scene, and where all are cloudy, the dock says so and what to do', async () => {
    const field = await findDemoField();
    await using watched = await bench.open(toHash(field, 'sentinel2l2a;NDVI;2019-01-01;2019-02-01;30;'));
    const { page } = watched;
    await page.getByRole('heading', { name: 'No scene has data here' }).waitFor();
    await page.getByText('Choose earlier dates or another dataset.').waitFor();
    await whenIs(page.getByRole('button', { name: 'CSV' }), ':disabled');
    await page.getByLabel('From').fill(SEASON.from);
    await page.getByLabel('To', { exact: true }).fill(SEASON.to);
    await whenDrawn(page);
    const height = await page.locator('#dock').evaluate((dock) => dock.clientHeight);
    await page.getByRole('separator', { name: 'Height of the time series' }).focus();
    await page.keyboard.press('ArrowUp');
    await whenTrue(page, `document.querySelector('#dock').clientHeight > ${height}`);
    await page.getByRole('button', { name: 'Close time series' }).click();
    await page.locator('#dock').waitFor({ state: 'hidden' });
    await page.waitForURL(({ hash }) => !hash.includes('series='));
  });

  test('progress, cancelling, failures, unreadable scenes and missing weather are shown calmly', async () => {
    const field = await findDemoField();
    await using watched = await bench.open(toHash(field, '').replace(/&series=$/, ''));
    const { page } = watched;
    const json = (status: number, body: object) => ({
      status,
      contentType: 'application/json',
      body: JSON.stringify(body),
    });
    let answer = json(202, { status: 'started', task_id: 'task-1', progress: 0 });
    await page.route('**/api/statistics', (route) => route.fulfill(answer));
    await page.route('**/api/cz/backend/**', (route) =>
      route.fulfill(json(404, { error: 'No source has weather.', code: 'no-weather' })),
    );
    await page.route('**/api/task-1', (route) =>
      route.fulfill(
        route.request().method() === 'DELETE'
          ? { status: 204 }
          : json(200, { task_type: 'started', progress: 0.4 }),
      ),
    );
    await page.getByRole('button', { name: 'Show time series' }).click();
    await page.getByText('Measuring scenes: 40%').waitFor();
    const deleted = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.match((await deleted).url(), /\/api\/task-1$/);
    await page.getByText('Measuring was cancelled.').waitFor();

    answer = json(400, { error: 'The area is larger than 200 km².', code: 'statistics-area-too-large' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('The area is larger than 200 km².').waitFor();

    const metrics = { count: 9, average: 0.5, min: 0, max: 1, std: 0, median: 0.5 };
    answer = json(200, {
      results: ['2026-09-16', '2026-06-21'].map((date) => ({
        date,
        scene_id: date,
        view_id: `S2L2A/${date}`,
        cloud: 0,
        notes: [],
        values: { NDVI: metrics },
      })),
      errors: [
        { date: '2026-06-22', scene_id: 'x', code: 'no-data', error: 'There is no data of this scene.' },
        { date: '2026-06-23', scene_id: '<b>y</b>', code: 'source-broken', error: 'A file is damaged.' },
      ],
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await whenDrawn(page);
    const unread = page.getByText('1 scene could not be read');
    await unread.click();
    await page.getByText('2026-06-23 <b>y</b>: A file is damaged.').waitFor();
    await whenCount(page.getByText('No weather source covers this area and period.'), 2);
    await page.getByLabel('Clouds here up to').fill('0');
    await whenText(page.locator('.series-count'), '2 scenes');
  });

  test('axe has no serious findings, on a desktop and on a phone, where the chart is a sheet', async () => {
    const field = await findDemoField();
    const hash = toHash(field, `sentinel2l2a;NDVI,NDMI;${SEASON.from};${SEASON.to};100;rain`);
    for (const options of [
      { colorScheme: 'light' as const },
      { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    ]) {
      await using watched = await bench.open(hash, { bypassCSP: true, ...options });
      const { page } = watched;
      await whenDrawn(page);
      if ('isMobile' in options) {
        assert.equal(
          await page.getByRole('button', { name: 'Close panel' }).count(),
          0,
          'the chart has the room',
        );
      }
      assert.deepEqual(await findFaults(page), []);
      await page.getByRole('radio', { name: 'Scenes' }).check();
      assert.deepEqual(await findFaults(page), []);
    }
  });
});
