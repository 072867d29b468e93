import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from '../testing/make-test-app.ts';
import { FIELD, makeWeatherApp } from './testing/make-weather-app.ts';

const FORECAST = '/api/forecast/weather/';
const here = { geometry: FIELD };

test('a day that is not whole has temperatures only, and what is not known is left out', async () => {
  const response = await makeWeatherApp().post(FORECAST, here);
  assert.deepEqual(await response.json(), [
    {
      Date: '2026-06-01',
      Temp_air_min: 9,
      Temp_air_max: 17.6543,
      Temp_land_min: 11,
      Temp_land_max: 14,
    },
    {
      Date: '2026-06-02',
      Temp_air_min: 8,
      Temp_air_max: 18,
      Snow_depth: 0,
      Rain: { '2h': 0, '5h': 0.5, '8h': 1, '11h': 1, '14h': 1, '17h': 1, '20h': 1.25 },
      Windspeed: { '2h': 1, '5h': 2, '8h': 3, '11h': 4, '14h': 5, '17h': 6, '20h': 7, '23h': 8 },
    },
  ]);
  assert.equal(response.headers.get('x-weather-day'), 'UTC+02:00');
  assert.equal(response.headers.get('x-weather-run'), '2026-06-01T06:00:00Z');
  assert.equal(response.headers.get('cache-control'), 'private, max-age=60');
});

test('the newer addresses pad the names of hours', async () => {
  const { post } = makeWeatherApp();
  for (const path of ['forecast', 'forecast/', 'forecast/world', 'forecast/world/']) {
    const [, day] = (await (await post(`${FORECAST}${path}`, here)).json()) as { Windspeed: object }[];
    assert.deepEqual(Object.keys(day!.Windspeed), [
      ...['02h', '05h', '08h', '11h', '14h', '17h', '20h', '23h'],
    ]);
  }
});

test('full asks for 180 hours instead of 72', async () => {
  const { post, asked } = makeWeatherApp();
  for (const full of [undefined, null, false, 'false', true, 'true', 1])
    assert.equal((await post(FORECAST, { ...here, full })).status, 200);
  const hours = asked.map(([, request]) => (request as { hours: number }).hours);
  assert.deepEqual(hours, [72, 72, 72, 72, 180, 180, 180]);
  const wrong = await post(FORECAST, { ...here, full: 'all' });
  assert.deepEqual([wrong.status, (await readError(wrong)).code], [400, 'bad-full']);
});

test('days without anything known of rain and wind have neither', async () => {
  const { post } = makeWeatherApp({
    readForecast: async () => ({
      lineage: { source: 'a', runMs: null, method: 'interpolated', correctedToM: null },
      days: [
        {
          date: '2026-06-02',
          airMin: 8,
          airMax: 18,
          landMin: 7,
          landMax: null,
          details: { humidity: 70, snowDepth: null, rain: [], wind: [null, null] },
        },
      ],
    }),
  });
  const [day] = (await (await post(FORECAST, here)).json()) as object[];
  assert.deepEqual(Object.keys(day!), [
    ...['Date', 'Temp_air_min', 'Temp_air_max', 'Temp_land_min', 'Rel_humidity'],
  ]);
});

test('days to come have the fields of the history, humidity and cloudiness', async () => {
  const { post, asked } = makeWeatherApp();
  const path = '/api/cz/backend/forecast/';
  const response = await post(path, { ...here, days: '7' });
  const [day] = (await response.json()) as Record<string, unknown>[];
  assert.deepEqual(Object.keys(day!), [
    ...['date', 'temperature_min', 'temperature_max', 'vapour_pressure', 'wind_speed', 'rainfall'],
    ...['show_depth', 'hardening_index', 'temp_critical', 'humidity', 'cloudiness'],
  ]);
  assert.deepEqual([day!.humidity, day!.cloudiness], [81, null]);
  assert.equal(response.headers.get('x-weather-day'), 'UTC-08:00');
  assert.equal((await post(path, here)).status, 200);
  const counts = asked.map(([, request]) => (request as { days: number }).days);
  assert.deepEqual(counts, [7, 14]);
  for (const days of [0, 15, 1.5, -1, 'many', []]) {
    const refused = await post(path, { ...here, days });
    assert.equal(refused.status, 400);
    const { code, error } = await readError(refused);
    assert.equal(code, 'bad-days');
    assert.match(error, /days must be/);
  }
  const table = await post(path, here, { headers: { accept: 'text/csv' } });
  assert.match(await table.text(), /^date,.*,temp_critical,humidity,cloudiness\r\n2026-01-31,/);
});

test('normals are of the stored years, by day of the year', async () => {
  const { post } = makeWeatherApp();
  const response = await post('/api/weather/normals', here);
  assert.deepEqual(await response.json(), {
    first_year: 2016,
    last_year: 2025,
    days: [{ day: '05-02', years: 10, temperature_min: 6.5, temperature_max: 15.25, rainfall: null }],
  });
  assert.equal(response.headers.get('x-weather-source'), 'grid:era5');
  const table = await post('/api/weather/normals/', here, { headers: { accept: 'text/csv' } });
  assert.equal(
    await table.text(),
    'day,years,temperature_min,temperature_max,rainfall\r\n05-02,10,6.5,15.25,\r\n',
  );
});
