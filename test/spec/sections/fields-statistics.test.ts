/** Statistics of many fields as one table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBand } from '../pixels.ts';
import { call } from '../service.ts';
import type { Item } from '../statistics.ts';
import { measure, middle, toParams, toPolygon } from '../statistics.ts';
import type { Params, PixelBox } from '../tasks.ts';
import { makeFile, orderRefused, pollToEnd } from '../tasks.ts';

/** A field of some pixels to the right of the middle. */
const shifted = ({ left, top, right, bottom }: PixelBox, by: number): PixelBox => ({
  left: left + by,
  top,
  right: right + by - 10,
  bottom,
});

const toFeature = async (box: PixelBox, more: object = {}) => ({
  type: 'Feature',
  properties: {},
  geometry: toPolygon(await readBand('l2a', 'B04'), box),
  ...more,
});

/** An order of two fields, and of a feature that is none. */
async function toCollection(more: Params = {}): Promise<Params> {
  const { geometry: _, ...params } = await toParams('l2a');
  const box = await middle();
  const features = [
    await toFeature(box, { id: 'A', properties: { name: 'Upper field' } }),
    { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [0, 0] } },
    await toFeature(shifted(box, 50)),
  ];
  return { ...params, collection: { type: 'FeatureCollection', features }, format: 'csv', ...more };
}

/** The rows of a CSV by the names of its columns; no cell of these tests has a comma in it. */
function toRows(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])));
}

/** The rows of an order whose second feature is rejected. */
async function readRows(response: Response): Promise<ReturnType<typeof toRows>> {
  assert.equal(response.status, 202);
  const body = (await response.json()) as Item;
  assert.deepEqual([body.rejected_count, (body.rejected as readonly Item[])[0]?.row], [1, 2]);
  assert.equal(response.headers.get('location')?.endsWith(`/api/gdw/api/${body.task_id}`), true);
  const { response: ended, body: said } = await pollToEnd(String(body.task_id));
  assert.equal(ended.status, 303, JSON.stringify(said));
  const file = await call(ended.headers.get('location') ?? '', { apiKey: null });
  assert.match(file.headers.get('content-type') ?? '', /^text\/csv/);
  return toRows(await file.text());
}

test('statistics file: a file of fields gives the same numbers as the same collection', async () => {
  const { collection, ...params } = await toCollection({ expressions: ['NDVI'] });
  const query = encodeURIComponent(JSON.stringify(params));
  const ofFile = await readRows(
    await call(`/api/statistics/collection?order=${query}`, { body: collection as Item }),
  );
  const ofBody = await readRows(await call('/api/statistics', { body: { ...params, collection } }));
  // The id of a feature is that of the field in a file.
  const [first, second] = ofBody;
  assert.deepEqual(ofFile, [{ ...first, external_id: 'A' }, second]);
});

test('statistics collection: one table has the same numbers as each field alone', async () => {
  const rows = await readRows(
    await call('/api/statistics', {
      body: { ...(await toCollection({ exclude_cover_pixels: false })), expressions: ['NDVI', 'B04'] },
    }),
  );
  assert.deepEqual(
    rows.map((row) => [row.field_id, row.name, row.expression]),
    [
      ['A', 'Upper field', 'NDVI'],
      ['A', 'Upper field', 'B04'],
      ['3', '3', 'NDVI'],
      ['3', '3', 'B04'],
    ],
  );
  const box = await middle();
  for (const [row, own] of [
    [rows[0], box],
    [rows[2], shifted(box, 50)],
  ] as const) {
    const { result } = await measure(await toParams('l2a', { exclude_cover_pixels: false }, own));
    for (const name of ['average', 'std', 'median', 'p90'])
      assert.equal(Number(row?.[name]), result[0]?.[name]);
  }
});

test('statistics layout: wide has columns for each expression, as a task with a file', async () => {
  const { name, type, bytes } = await makeFile('mt_stats', await toCollection({ layout: 'wide' }));
  assert.match(name, /^statistics-.*\.csv$/);
  assert.match(type, /^text\/csv/);
  const rows = toRows(bytes.toString());
  assert.equal(rows.length, 2);
  assert.ok(Number(rows[0]?.NDVI_average) > -1 && rows[0]?.expression === undefined);
  const parquet = await makeFile('mt_stats', await toCollection({ format: 'geoparquet' }));
  assert.equal(parquet.bytes.subarray(0, 4).toString(), 'PAR1');
});

test('statistics group and fields: unknown groups and fields are refused, and so is more than one area', async () => {
  const { collection, ...params } = await toCollection();
  assert.equal(await orderRefused('mt_stats', { ...params, group: 'none' }, 404), 'no-such-fields');
  assert.equal(
    await orderRefused('mt_stats', { ...params, fields: ['0123456789abcdef'] }, 404),
    'no-such-fields',
  );
  assert.equal(await orderRefused('mt_stats', { ...params, fields: ['x'] }), 'bad-fields');
  assert.equal(await orderRefused('mt_stats', { ...params, fields: 'all', collection }), 'several-areas');
  const empty = { type: 'FeatureCollection', features: [] };
  assert.equal(await orderRefused('mt_stats', { ...params, collection: empty }), 'no-usable-feature');
  assert.equal(
    await orderRefused('mt_stats', { ...params, collection: { type: 'Feature' } }),
    'bad-collection',
  );
  assert.equal(await orderRefused('mt_stats', { ...params, collection, layout: 'tall' }), 'bad-layout');
  assert.equal(await orderRefused('mt_stats', { ...params, collection, weights: 'none' }), 'bad-weights');
});

test('statistics weather: joined columns have the same numbers as a request for each field alone', async () => {
  const box = await middle();
  const boxes = { A: box, B: shifted(box, 50) };
  const features = await Promise.all(
    Object.entries(boxes).map(([id, own]) => toFeature(own, { id, properties: { sown_on: '2026-04-20' } })),
  );
  const { geometry: _, ...params } = await toParams('l2a');
  const { bytes } = await makeFile('mt_stats', {
    ...params,
    collection: { type: 'FeatureCollection', features },
    format: 'csv',
    layout: 'wide',
    weather: ['temperature_max', 'humidity', 'water_balance'],
    weather_since_last: 'rainfall',
    growing_degree_days: { base_temperature: 5, since: 'sowing' },
    soil_moisture: true,
  });
  const rows = toRows(bytes.toString());
  assert.equal(rows.length, 2);
  for (const [i, row] of rows.entries()) {
    const { geometry } = features[i]!;
    const ask = async (start: string, fields: string): Promise<readonly Item[]> => {
      const body = { geometry, start_date: start, end_date: row.date, base_temperature: 5, fields };
      return (await (await call('/api/cz/backend/forecast-history', { body })).json()) as Item[];
    };
    const sown = await ask('2026-04-20', 'growing_degree_sum,humidity,water_balance');
    const last = sown.at(-1)!;
    assert.equal(last.date, row.date);
    for (const name of ['temperature_max', 'humidity', 'water_balance', 'growing_degree_sum'])
      assert.equal(Number(row[name]), last[name], name);
    // The only row of the field: its rain is that since the first day of the order.
    const rain = (await ask(String(params.date_start), '')).reduce(
      (sum, { rainfall }) => sum + Math.round(Number(rainfall) * 1e4),
      0,
    );
    assert.equal(Number(row.rainfall_since_last), rain / 1e4);
    const { result } = await measure({
      ...params,
      geometry,
      bm_type: 'soilmoisture',
      sensors: ['soilmoisture'],
      date_start: row.date,
      date_end: row.date,
    });
    assert.equal(row.soil_moisture, String(result[0]?.average ?? ''));
    assert.equal(row.root_zone_moisture, String(result[0]?.ctime10 ?? ''));
  }
});

test('statistics weather: unknown names, long periods and tables of one area are refused', async () => {
  const params = await toCollection();
  const refused = (more: Params) => orderRefused('mt_stats', { ...params, ...more });
  assert.equal(await refused({ weather: ['rain'] }), 'bad-weather');
  assert.equal(await refused({ weather_since_last: 'hardening_index' }), 'bad-weather-since-last');
  assert.equal(await refused({ growing_degree_days: { since: 'spring' } }), 'bad-growing-degree-days');
  assert.equal(await refused({ soil_moisture: 'wet' }), 'bad-soil-moisture');
  assert.equal(
    await refused({ weather: 'rainfall', growing_degree_days: { since: '1990-01-01' } }),
    'period-too-long',
  );
  const alone = await toParams('l2a', { weather: 'rainfall' });
  assert.equal(await orderRefused('mt_stats', alone), 'joins-need-fields');
});
