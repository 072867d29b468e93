import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from '../testing/make-test-app.ts';
import { DAY, FIELD, LINEAGE, makeWeatherApp } from './testing/make-weather-app.ts';

const HISTORY = '/api/cz/backend/forecast-history/';
const may = { geometry: FIELD, start_date: '2026-05-01', end_date: '2026-05-31' };

test('a day has exactly the nine fields of the interface, as numbers or null', async () => {
  const { post, asked } = makeWeatherApp();
  for (const path of [
    HISTORY,
    HISTORY.slice(0, -1),
    '/weather/forecast-history',
    '/weather/forecast-history/',
  ]) {
    const response = await post(path, may);
    assert.equal(response.status, 200, path);
    assert.deepEqual(await response.json(), [
      {
        date: '2026-01-31',
        temperature_min: -4.1235,
        temperature_max: 3.5,
        vapour_pressure: 5.25,
        wind_speed: 2.75,
        rainfall: 0,
        show_depth: 12.5,
        hardening_index: 1.25,
        temp_critical: -13.5,
      },
    ]);
  }
  assert.equal(asked.length, 4);
  const [method, request] = asked[0]!;
  assert.equal(method, 'readDays');
  assert.deepEqual(
    { ...(request as object), where: null },
    { where: null, from: '2026-05-01', to: '2026-05-31', derived: [], baseTemperature: 10 },
  );
});

test('the key may be in the query, and the body may have any content type', async () => {
  const { call } = makeWeatherApp();
  const response = await call(`${HISTORY}?api_key=a-key-for-tests-only`, {
    method: 'POST',
    key: null,
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify(may),
  });
  assert.equal(response.status, 200);
  assert.equal((await call(HISTORY, { method: 'POST', key: null, body: '{}' })).status, 401);
});

test('fields adds the requested fields, as a list or separated by commas', async () => {
  const { post, asked } = makeWeatherApp();
  for (const fields of [
    ['growing_degree_days', 'water_balance', 'humidity', 'cloudiness', 'growing_degree_sum'],
    'growing_degree_days, water_balance,humidity,cloudiness,growing_degree_sum,',
  ]) {
    const response = await post(HISTORY, { ...may, fields, base_temperature: '5' });
    const [day] = (await response.json()) as Record<string, unknown>[];
    assert.deepEqual(Object.keys(day!).slice(9), [
      ...['growing_degree_days', 'water_balance', 'humidity', 'cloudiness', 'growing_degree_sum'],
    ]);
    assert.deepEqual(Object.values(day!).slice(9), [0, null, 81, null, null]);
  }
  for (const [, request] of asked) {
    const { derived, baseTemperature } = request as { derived: unknown; baseTemperature: unknown };
    assert.deepEqual(derived, ['growingDegreeDays', 'waterBalance', 'growingDegreeSum']);
    assert.equal(baseTemperature, 5);
  }
});

test('step=hour returns hours with the known values', async () => {
  const { post, asked } = makeWeatherApp();
  const response = await post(HISTORY, { ...may, step: 'hour' });
  assert.deepEqual(await response.json(), [
    { time: '2026-05-01T00:00:00Z', temperature: 7.25, wind_speed_10m: 3, rainfall: null },
    { time: '2026-05-01T01:00:00Z', temperature: 7, wind_speed_10m: null, rainfall: 0.5 },
  ]);
  assert.equal(asked[0]?.[0], 'readHours');
  assert.equal(response.headers.get('x-weather-source'), 'grid:era5');
  assert.equal(response.headers.get('x-weather-day'), null);
});

test('Accept: text/csv returns a table, with empty cells for unknown values', async () => {
  const { post } = makeWeatherApp();
  const headers = { accept: 'text/csv' };
  const days = await post(HISTORY, { ...may, fields: 'cloudiness,humidity' }, { headers });
  assert.equal(days.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(
    await days.text(),
    'date,temperature_min,temperature_max,vapour_pressure,wind_speed,rainfall,show_depth,hardening_index,temp_critical,cloudiness,humidity\r\n' +
      '2026-01-31,-4.1235,3.5,5.25,2.75,0,12.5,1.25,-13.5,,81\r\n',
  );
  const hours = await post(HISTORY, { ...may, step: 'hour' }, { headers });
  assert.match(
    await hours.text(),
    /^time,temperature,wind_speed_10m,rainfall\r\n2026-05-01T00:00:00Z,7.25,3,\r\n/,
  );
});

test('headers name the source of an answer, and browsers may read them', async () => {
  const { headers } = await makeWeatherApp().post(HISTORY, may);
  const own = Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-weather-')));
  assert.deepEqual(own, {
    'x-weather-source': 'grid:era5',
    'x-weather-run': '2026-06-01T06:00:00Z',
    'x-weather-age': '21600',
    'x-weather-method': 'interpolated',
    'x-weather-day': 'UTC-08:00',
    'x-weather-elevation': '232',
  });
  const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? [];
  for (const name of Object.keys(own)) assert.ok(exposed.includes(name), name);
  assert.match(headers.get('server-timing') ?? '', /^weather;dur=[\d.]+, total;dur=[\d.]+$/);
});

test('headers handle an unknown run, a half-hour time zone and odd names', async () => {
  const lineage = { ...LINEAGE, runMs: null, correctedToM: null, source: 'station:Málaga\n' } as const;
  const { headers } = await makeWeatherApp({
    readDays: async () => ({ days: [DAY], utcOffsetHours: 5.5, lineage }),
  }).post(HISTORY, may);
  const own = Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-weather-')));
  assert.deepEqual(own, {
    'x-weather-source': 'station:M?laga?',
    'x-weather-method': 'interpolated',
    'x-weather-day': 'UTC+05:30',
  });
});

test('an answer that the client already has is 304', async () => {
  const { post } = makeWeatherApp();
  const first = await post(HISTORY, may);
  const etag = first.headers.get('etag') ?? '';
  assert.equal(first.headers.get('cache-control'), 'private, max-age=60');
  assert.equal(first.headers.get('vary'), 'x-api-key, accept');
  const again = await post(HISTORY, may, { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, await again.text()], [304, '']);
  assert.equal(again.headers.get('x-weather-source'), 'grid:era5');
  const table = await post(HISTORY, may, { headers: { 'if-none-match': etag, accept: 'text/csv' } });
  assert.equal(table.status, 200);
});

test('invalid input is refused with a code and a message that names the parameter', async () => {
  const { post, asked } = makeWeatherApp();
  for (const [body, code, words] of [
    [{ ...may, start_date: undefined }, 'bad-start-date', /^start_date must be a date .*YYYY-MM-DD/],
    [{ ...may, start_date: '2026-02-30' }, 'bad-start-date', /start_date/],
    [{ ...may, end_date: '31.05.2026' }, 'bad-end-date', /^end_date must be a date/],
    [{ ...may, end_date: 20260531 }, 'bad-end-date', /end_date/],
    [{ ...may, end_date: '2026-04-30' }, 'dates-reversed', /2026-05-01 is later than end_date 2026-04-30/],
    [{ ...may, start_date: '2016-05-01' }, 'period-too-long', /3683 days; the limit is 3660 days/],
    [{ ...may, step: 'hour', start_date: '2025-05-01' }, 'period-too-long', /limit is 366 days/],
    [{ ...may, fields: ['rain'] }, 'bad-fields', /"rain"; known are growing_degree_days, /],
    [{ ...may, fields: 'growing_degre_days' }, 'bad-fields', /did you mean growing_degree_days\?/],
    [{ ...may, fields: [7] }, 'bad-fields', /fields/],
    [{ ...may, fields: {} }, 'bad-fields', /fields/],
    [{ ...may, fields: ['humidity'], step: 'hour' }, 'bad-fields', /fields are those of days/],
    [{ ...may, base_temperature: 41 }, 'bad-base-temperature', /from -20 to 40/],
    [{ ...may, base_temperature: 'warm' }, 'bad-base-temperature', /base_temperature/],
    [{ ...may, step: 'month' }, 'bad-step', /step must be one of day, hour/],
    [[may], 'bad-body', /object/],
    ['{', 'bad-json', /JSON/],
  ] as const) {
    const response = await post(HISTORY, body);
    assert.equal(response.status, 400, JSON.stringify(body));
    const error = await readError(response);
    assert.equal(error.code, code, JSON.stringify(body));
    assert.match(error.error, words);
  }
  assert.deepEqual(asked, []);
});

test('ten years of days or a year of hours are within the limits', async () => {
  const { post } = makeWeatherApp();
  assert.equal((await post(HISTORY, { ...may, start_date: '2016-05-24' })).status, 200);
  assert.equal((await post(HISTORY, { ...may, start_date: '2025-05-31', step: 'hour' })).status, 200);
});

const FORECAST = '/api/forecast/weather/';
const here = { geometry: FIELD };

test('an incomplete day has only temperatures, and unknown values are omitted', async () => {
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

test('the newer addresses pad hour names', async () => {
  const { post } = makeWeatherApp();
  for (const path of ['forecast', 'forecast/', 'forecast/world', 'forecast/world/']) {
    const [, day] = (await (await post(`${FORECAST}${path}`, here)).json()) as { Windspeed: object }[];
    assert.deepEqual(Object.keys(day!.Windspeed), [
      ...['02h', '05h', '08h', '11h', '14h', '17h', '20h', '23h'],
    ]);
  }
});

test('full returns 180 hours instead of 72', async () => {
  const { post, asked } = makeWeatherApp();
  for (const full of [undefined, null, false, 'false', true, 'true', 1])
    assert.equal((await post(FORECAST, { ...here, full })).status, 200);
  const hours = asked.map(([, request]) => (request as { hours: number }).hours);
  assert.deepEqual(hours, [72, 72, 72, 72, 180, 180, 180]);
  const wrong = await post(FORECAST, { ...here, full: 'all' });
  assert.deepEqual([wrong.status, (await readError(wrong)).code], [400, 'bad-full']);
});

test('days without known rain and wind omit both', async () => {
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

test('future days have the fields of the history, humidity and cloudiness', async () => {
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

test('normals are computed from the stored years, by day of the year', async () => {
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
