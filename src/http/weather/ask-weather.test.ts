import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken, timedOut, unavailable } from '../../errors.ts';
import type { Weather } from '../../weather/index.ts';
import { readError } from '../testing/make-test-app.ts';
import { askWeather } from './answer-weather.ts';
import { FIELD, makeWeatherApp } from './testing/make-weather-app.ts';

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

test('where no source has anything the answer is 404, and says what can be done', async () => {
  const { post } = makeWeatherApp(always(async () => null));
  for (const [path, more] of ALL) {
    const response = await post(path, { ...body, ...more });
    assert.equal(response.status, 404, path);
    const { code, error } = await readError(response);
    assert.equal(code, 'no-weather', path);
    assert.match(error, /swath ingest weather.*Open-Meteo/);
  }
});

test('where all sources fail the answer is 503 with Retry-After, whatever failed', async () => {
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

test('a request whose client has gone is cancelled, and no bug', async () => {
  const { signal } = new AbortController();
  const gone = AbortSignal.abort();
  const fail = () => Promise.reject(new DOMException('aborted', 'AbortError'));
  await assert.rejects(askWeather(fail, { signal: gone }), { code: 'cancelled' });
  await assert.rejects(askWeather(fail, { signal }), { name: 'AbortError' });
});

test('sources are told when the client goes', async () => {
  const { signal } = new AbortController();
  const seen: unknown[] = [];
  await askWeather(async (given) => seen.push(given), { signal });
  assert.deepEqual(seen, [signal]);
});
