/** Statistics in one request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBand } from '../pixels.ts';
import { call } from '../service.ts';
import type { Item } from '../statistics.ts';
import {
  meanOf,
  measure,
  measureNow,
  middle,
  middleOf,
  ndviOf,
  near,
  toParams,
  toPolygon,
} from '../statistics.ts';

test('statistics in one request: JSON, CSV and GeoJSON have the same numbers', async () => {
  const params = await toParams('l2a');
  const { result } = await measure(params);
  const response = await measureNow(params);
  assert.equal(response.status, 200);
  const { results } = (await response.json()) as { results: readonly Item[] };
  const { average } = (results[0]!.values as Readonly<Record<string, Item>>).NDVI as Item;
  assert.equal(average, result[0]!.average);
  const csv = await measureNow(params, 'text/csv');
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
  const [names, row] = (await csv.text()).split('\r\n').map((line) => line.split(','));
  assert.equal(row![names!.indexOf('average')], String(average));
  const geojson = (await (await measureNow(params, 'application/geo+json')).json()) as {
    readonly type: string;
    readonly features: readonly { readonly properties: Item }[];
  };
  assert.equal(geojson.type, 'FeatureCollection');
  assert.equal(geojson.features[0]!.properties.NDVI_average, average);
  const refused = await measureNow({ ...params, date_start: 'soon' });
  assert.equal(refused.status, 400);
  assert.equal(((await refused.json()) as Item).code, 'statistics-date');
});

test('statistics histogram: it counts values in equal bins', async () => {
  const response = await measureNow(
    await toParams('l2a', { histogram: { bins: 4, min: -1, max: 1 }, exclude_cover_pixels: false }),
  );
  const { results } = (await response.json()) as { results: readonly Item[] };
  const { histogram } = (results[0]!.values as Readonly<Record<string, Item>>).NDVI as Item;
  const values = await ndviOf('l2a', await middle());
  const counts = [-1, -0.5, 0, 0.5].map(
    (from) => values.filter((value) => value >= from && value < from + 0.5).length,
  );
  assert.deepEqual((histogram as Item).counts, counts);
});

test('statistics seasons: a curve through the means of the scenes', async () => {
  const band = await readBand('beforeFire', 'B04');
  const box = middleOf(band);
  const ask = async (): Promise<Response> => {
    const response = await call('/api/phenology', {
      body: {
        geometry: toPolygon(band, box),
        expression: 'NDVI',
        sensors: ['sentinel2l2a'],
        date_end: '2026-12-31',
        years: 1,
      },
    });
    return response.status === 202 ? ask() : response;
  };
  const response = await ask();
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  assert.equal(response.status, 200, JSON.stringify(body));
  const measurements = body.measurements as readonly { readonly date: string; readonly value: number }[];
  assert.deepEqual(
    measurements.map(({ date }) => date),
    ['2026-08-02', '2026-08-17'],
  );
  const { values } = body.curve as { readonly values: readonly number[] };
  assert.equal(values.length, 16);
  // Two points are joined by a straight line.
  near(values[0], measurements[0]!.value);
  near(values[5], measurements[0]!.value + (measurements[1]!.value - measurements[0]!.value) / 3);
  near(measurements[0]!.value, meanOf(await ndviOf('beforeFire', box)));
  assert.deepEqual((body.newest as Item).anomaly, null, 'no earlier year');
});
