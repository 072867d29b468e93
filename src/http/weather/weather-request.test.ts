import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken, timedOut, unavailable } from '../../errors.ts';
import type { Weather } from '../../weather/index.ts';
import { readError } from '../testing/make-test-app.ts';
import { FIELD, makeWeatherApp } from './testing/make-weather-app.ts';
import { askWeather, toForecastAge, toHistoryAge } from './weather-request.ts';

const HISTORY = '/api/cz/backend/forecast-history';
const FORECAST = '/api/forecast/weather';
const OTHERS = [
  ...['/weather/forecast-history', '/api/cz/backend/forecast', '/api/weather/normals'],
  ...['/api/forecast/weather/forecast', '/api/forecast/weather/forecast/world'],
];
const period = { start_date: '2026-05-01', end_date: '2026-05-02' };

const square = (west: number, side: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 10],
      [west + side, 10],
      [west + side, 10 + side],
      [west, 10 + side],
      [west, 10],
    ],
  ],
});

/** Where the fake was asked for, by the first position. */
const whereOf = (request: unknown): unknown => {
  const { type, coordinates } = (request as { where: { type: string; coordinates: unknown[] } }).where;
  return type === 'Point' ? coordinates : (coordinates.flat(2) as unknown[])[0];
};

test('every address answers 400 with the documented message if both polygon_id and geometry are missing', async () => {
  const { post } = makeWeatherApp();
  for (const path of [HISTORY, FORECAST, ...OTHERS]) {
    for (const body of [{}, period, { ...period, geometry: null, polygon_id: '' }]) {
      const response = await post(path, body);
      assert.equal(response.status, 400, path);
      const { code, error } = await readError(response);
      assert.deepEqual([code, error], ['no-location', 'Geometry or polygon_id are required.'], path);
    }
  }
});

test('polygons, points and features of them are accepted, with or without heights', async () => {
  const { post, asked } = makeWeatherApp();
  const [ring] = FIELD.coordinates;
  const raised = { type: 'Polygon', coordinates: [ring!.map((position) => [...position, 12.5])] };
  const point = { type: 'Point', coordinates: [-122.4, 48.22, 100] };
  const wanted: unknown[] = [];
  for (const geometry of [
    FIELD,
    raised,
    { type: 'MultiPolygon', coordinates: [FIELD.coordinates] },
    { type: 'Feature', properties: { name: 'mine' }, geometry: FIELD },
    point,
    { type: 'Feature', properties: null, geometry: point },
  ]) {
    const response = await post(HISTORY, { ...period, geometry });
    assert.equal(response.status, 200, await response.clone().text());
    wanted.push(JSON.stringify(geometry).includes('Point') ? [-122.4, 48.22] : [-122.404, 48.216]);
  }
  const found = asked.map(([, request]) => whereOf(request) as [number, number]);
  for (const [i, [lon, lat]] of found.entries()) {
    const [x, y] = wanted[i] as [number, number];
    assert.ok(Math.abs(lon - x) < 1e-6 && Math.abs(lat - y) < 1e-6, `${i}: ${lon} ${lat}`);
  }
});

test('if both are passed, histories use polygon_id and forecasts use geometry', async () => {
  const { post, asked } = makeWeatherApp();
  const stored = await post('/api/render/cropper/', {
    type: 'Feature',
    properties: {},
    geometry: square(3, 1),
  });
  const { cropper_ref: polygon_id } = (await stored.json()) as { cropper_ref: string };
  const both = { ...period, polygon_id, geometry: { type: 'Point', coordinates: [50, 20] } };
  for (const [path, wanted] of [
    [HISTORY, [3, 10]],
    ['/weather/forecast-history', [3, 10]],
    ['/api/cz/backend/forecast', [3, 10]],
    [FORECAST, [50, 20]],
    ['/api/forecast/weather/forecast', [50, 20]],
  ] as const) {
    assert.equal((await post(path, both)).status, 200, path);
    assert.deepEqual(whereOf(asked.at(-1)?.[1]), wanted, path);
  }
  assert.equal((await post(FORECAST, { polygon_id })).status, 200);
  assert.deepEqual(whereOf(asked.at(-1)?.[1]), [3, 10]);
});

test('an invalid location is refused', async () => {
  const { post, asked } = makeWeatherApp();
  const bow = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  const crowd = Array.from({ length: 10_002 }, (_, i) => [i / 1e4, 0]);
  for (const [body, status, code, words] of [
    [{ polygon_id: 'f'.repeat(32) }, 404, 'unknown-area', /polygon_id/],
    [{ polygon_id: 'field 7' }, 404, 'unknown-area', /polygon_id/],
    [{ polygon_id: 7 }, 400, 'bad-polygon-id', /polygon_id must be a text/],
    [{ geometry: { type: 'Point', coordinates: [181, 0] } }, 400, 'bad-geometry', /longitude, latitude/],
    [{ geometry: { type: 'Point', coordinates: ['1', 2] } }, 400, 'bad-geometry', /Point/],
    [{ geometry: { type: 'LineString', coordinates: [] } }, 422, 'area-type', /Polygon/],
    [{ geometry: 'POINT(1 2)' }, 422, 'area-not-feature', /GeoJSON/],
    [{ geometry: { type: 'Polygon', coordinates: [bow] } }, 422, 'area-self-crossing', /crosses itself/],
    [{ geometry: { type: 'Polygon', coordinates: [crowd] } }, 422, 'area-vertices', /10000 positions/],
    [{ geometry: square(0, 20) }, 422, 'area-too-large', /at most 1000000 km²/],
  ] as const) {
    const response = await post(HISTORY, { ...period, ...body });
    const error = await readError(response);
    assert.deepEqual([response.status, error.code], [status, code], error.error);
    assert.match(error.error, words);
  }
  assert.deepEqual(asked, []);
});

const body = { geometry: FIELD, start_date: '2026-05-01', end_date: '2026-05-02' };

const ALL: readonly (readonly [path: string, more: object])[] = [
  ['/api/cz/backend/forecast-history', {}],
  ['/weather/forecast-history', { step: 'hour' }],
  ['/api/cz/backend/forecast', {}],
  ['/api/forecast/weather', {}],
  ['/api/forecast/weather/forecast', {}],
  ['/api/forecast/weather/forecast/world', {}],
  ['/api/weather/normals', {}],
];

const always = (answer: () => Promise<never | null>): Weather => ({
  readDays: answer,
  readHours: answer,
  readNormals: answer,
  readForecast: answer,
  readComingDays: answer,
});

test('the answer is 404 with advice if no source has data', async () => {
  const { post } = makeWeatherApp(always(async () => null));
  for (const [path, more] of ALL) {
    const response = await post(path, { ...body, ...more });
    assert.equal(response.status, 404, path);
    const { code, error } = await readError(response);
    assert.equal(code, 'no-weather', path);
    assert.match(error, /swath ingest weather.*Open-Meteo/);
  }
});

test('the answer is 503 with Retry-After if all sources fail, whatever the failures', async () => {
  for (const failure of [
    unavailable('weather-unavailable', 'No source answers.', { details: { retryAfterS: 30 } }),
    sourceBroken('source-broken', 'A chunk is damaged.'),
    timedOut('source-timeout', 'It took too long.'),
  ]) {
    const { post, lines } = makeWeatherApp(always(() => Promise.reject(failure)));
    for (const [path, more] of ALL) {
      const response = await post(path, { ...body, ...more });
      assert.equal(response.status, 503, path);
      assert.equal(response.headers.get('retry-after'), '30');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal((await readError(response)).code, 'weather-unavailable', path);
    }
    const causes = lines.filter((line) => 'text' in line && /source of weather/.test(String(line.text)));
    assert.equal(causes.length, ALL.length);
  }
});

test('a request whose client has disconnected is cancelled, not reported as a bug', async () => {
  const { signal } = new AbortController();
  const gone = AbortSignal.abort();
  const fail = () => Promise.reject(new DOMException('aborted', 'AbortError'));
  await assert.rejects(askWeather(fail, { signal: gone }), { code: 'cancelled' });
  await assert.rejects(askWeather(fail, { signal }), { name: 'AbortError' });
});

test('sources get a signal that aborts when the client disconnects', async () => {
  const { signal } = new AbortController();
  const seen: unknown[] = [];
  await askWeather(async (given) => seen.push(given), { signal });
  assert.deepEqual(seen, [signal]);
});

test('histories are cached for the configured time once their last day is final', () => {
  const from = '2026-01-01';
  const options = { nowMs: Date.parse('2026-06-20T12:00:00Z'), maxAgeS: 3_600 };
  assert.equal(toHistoryAge({ from, to: '2026-06-09' }, options), 3_600);
  assert.equal(toHistoryAge({ from, to: '2026-06-11' }, options), 600);
  assert.equal(toHistoryAge({ from, to: '2026-07-01' }, options), 600);
});

test('forecasts are cached for ten minutes, or less if so configured', () => {
  assert.equal(toForecastAge(3_600), 600);
  assert.equal(toForecastAge(60), 60);
});
