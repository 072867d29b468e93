/** Weather of the demo world: days and hours of the past, days to come, forecasts in steps of three hours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spots } from '../../../world/setting.ts';
import type { Ring } from '../areas.ts';
import { keepArea } from '../areas.ts';
import { call } from '../service.ts';
import { locate } from '../terrain.ts';

const HISTORY = '/api/cz/backend/forecast-history/';
const FORECAST = '/api/forecast/weather/';
const DAY_MS = 86_400_000;

const FIELDS = [
  ...['date', 'temperature_min', 'temperature_max', 'vapour_pressure', 'wind_speed', 'rainfall'],
  ...['show_depth', 'hardening_index', 'temp_critical'],
];

type Day = Readonly<Record<string, number>> & { readonly date: string };
type ForecastDay = Readonly<
  Record<string, number> & { Date: string; Rain?: Record<string, number>; Windspeed?: Record<string, number> }
>;

/** A square kilometre around a spot. */
function ringOf(spot: { readonly x: number; readonly y: number }): Ring {
  const [lon, lat] = locate(spot);
  const [dx, dy] = [0.0067, 0.0045];
  return [
    [lon - dx, lat - dy],
    [lon + dx, lat - dy],
    [lon + dx, lat + dy],
    [lon - dx, lat + dy],
    [lon - dx, lat - dy],
  ];
}

const toArea = (spot: { readonly x: number; readonly y: number }) => ({
  type: 'Polygon',
  coordinates: [ringOf(spot)],
});

const farm = toArea(spots.farm);
const summit = toArea(spots.summit);
const may = { start_date: '2026-05-01', end_date: '2026-05-31' };

async function askOk(path: string, body: object, accept = '*/*'): Promise<Response> {
  const response = await call(path, { body, headers: { accept } });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return response;
}

const askDays = async (body: object, path = HISTORY) => (await (await askOk(path, body)).json()) as Day[];

const askForecast = async (body: object, path = FORECAST) =>
  (await (await askOk(path, body)).json()) as ForecastDay[];

/** Asks for what must be refused; gives its code and sentence. */
async function askRefused(
  path: string,
  status: number,
  body: object,
): Promise<{ code: string; error: string }> {
  const response = await call(path, { body });
  assert.equal(response.status, status, await response.clone().text());
  return (await response.json()) as { code: string; error: string };
}

/** Days in a row, as dates. */
const datesFrom = (first: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(first) + i * DAY_MS).toISOString().slice(0, 10),
  );

const isNear = (left: number | undefined, right: number, error: number): boolean =>
  left !== undefined && Math.abs(left - right) <= error;

test('weather forecast-history: one object for each day, with exactly the fields of the interface', async () => {
  const days = await askDays({ geometry: farm, ...may });
  assert.deepEqual(
    days.map(({ date }) => date),
    datesFrom('2026-05-01', 31),
  );
  for (const day of days) {
    assert.deepEqual(Object.keys(day), FIELDS);
    for (const name of FIELDS.slice(1)) assert.equal(typeof day[name], 'number', `${day.date} ${name}`);
    assert.ok(day.temperature_min! > -20 && day.temperature_min! < day.temperature_max!, day.date);
    assert.ok(day.temperature_max! < 40 && day.vapour_pressure! > 2 && day.vapour_pressure! < 35, day.date);
    assert.ok(day.wind_speed! > 0 && day.rainfall! >= 0 && day.show_depth! >= 0, day.date);
  }
  assert.deepEqual(await askDays({ geometry: farm, ...may }, '/weather/forecast-history'), days);
});

test('weather hardening_index: the index of winter wheat does not depend on the requested days', async () => {
  const winter = await askDays({ geometry: farm, start_date: '2025-11-01', end_date: '2026-02-28' });
  const january = await askDays({ geometry: farm, start_date: '2026-01-10', end_date: '2026-01-20' });
  const same = winter.filter(({ date }) => january.some((day) => day.date === date));
  assert.deepEqual(january, same);
  for (const { hardening_index: index, temp_critical: critical, date } of winter) {
    assert.ok(index! >= 0 && index! <= 2, date);
    assert.ok(isNear(critical, -6 * (1 + index!), 1e-3), `${date}: ${critical}`);
  }
  assert.ok(winter.some(({ hardening_index: index }) => index! > 0.5));
});

test('weather start_date, end_date: YYYY-MM-DD, in order', async () => {
  for (const [dates, code] of [
    [{ start_date: '2026/05/01' }, 'bad-start-date'],
    [{ end_date: '2026-02-30' }, 'bad-end-date'],
    [{ end_date: '2026-04-30' }, 'dates-reversed'],
    [{ start_date: '2015-05-01' }, 'period-too-long'],
  ] as const)
    assert.equal((await askRefused(HISTORY, 400, { geometry: farm, ...may, ...dates })).code, code);
  assert.equal(
    (await askDays({ geometry: farm, start_date: '2026-05-07', end_date: '2026-05-07' })).length,
    1,
  );
});

test('weather polygon_id: a stored area; if both are passed, the history uses it and the forecast uses geometry', async () => {
  const polygon_id = await keepArea(ringOf(spots.summit));
  const [low, high] = [
    await askDays({ geometry: farm, ...may }),
    await askDays({ geometry: summit, ...may }),
  ];
  assert.notDeepEqual(low, high);
  assert.deepEqual(await askDays({ polygon_id, ...may }), high);
  assert.deepEqual(await askDays({ polygon_id, geometry: farm, ...may }), high);
  const coming = await askForecast({ geometry: farm });
  assert.deepEqual(await askForecast({ polygon_id, geometry: farm }), coming);
  assert.notDeepEqual(await askForecast({ polygon_id }), coming);
  const { code } = await askRefused(HISTORY, 404, { polygon_id: '0'.repeat(32), ...may });
  assert.equal(code, 'unknown-area');
});

test('weather required: polygon_id or geometry', async () => {
  for (const path of [FORECAST, HISTORY, `${FORECAST}forecast/`])
    assert.equal((await askRefused(path, 400, may)).error, 'Geometry or polygon_id are required.');
});

test('weather geometry: a Polygon, a Feature, a Point', async () => {
  const area = await askDays({ geometry: farm, ...may });
  const feature = { type: 'Feature', properties: {}, geometry: farm };
  assert.deepEqual(await askDays({ geometry: feature, ...may }), area);
  const point = await askDays({ geometry: { type: 'Point', coordinates: locate(spots.farm) }, ...may });
  // Within a square kilometre of farmland the weather is nearly the same.
  for (const [i, day] of point.entries())
    assert.ok(isNear(day.temperature_max, area[i]!.temperature_max!, 0.5), day.date);
  assert.equal(
    (await askRefused(HISTORY, 404, { geometry: { type: 'Point', coordinates: [10, 10] }, ...may })).code,
    'no-weather',
  );
});

test('weather forecast: three days of temperatures, and three-hour steps for complete days', async () => {
  const response = await askOk(FORECAST, { geometry: farm });
  const days = (await response.json()) as ForecastDay[];
  assert.ok(days.length >= 3 && days.length <= 4, `${days.length} days`);
  assert.deepEqual(
    days.map(({ Date: date }) => date),
    datesFrom(days[0]!.Date, days.length),
  );
  // Today on the clock two hours ahead of UTC, even if the run began yesterday.
  const now = Date.parse(response.headers.get('date') ?? '');
  assert.equal(days[0]!.Date, new Date(now + 2 * 3_600_000).toISOString().slice(0, 10));
  for (const day of days) {
    assert.ok(day.Temp_air_min! < day.Temp_air_max!, day.Date);
    assert.ok(day.Temp_land_min! <= day.Temp_land_max!, day.Date);
  }
  const whole = days.filter(({ Rain }) => Rain !== undefined);
  assert.ok(whole.length >= 2);
  for (const day of whole) {
    for (const name of ['Rel_humidity', 'Snow_depth']) assert.equal(typeof day[name], 'number', name);
    assert.ok(day.Rel_humidity! > 5 && day.Rel_humidity! <= 100);
  }
});

const HOURS = [2, 5, 8, 11, 14, 17, 20, 23];

test('weather Rain, Windspeed: keyed 2h to 23h; rain since the start of the model', async () => {
  const whole = (await askForecast({ geometry: farm, full: true })).filter(({ Rain }) => Rain !== undefined);
  let before = 0;
  for (const { Rain, Windspeed } of whole) {
    assert.deepEqual(
      Object.keys(Rain!),
      HOURS.map((hour) => `${hour}h`),
    );
    assert.deepEqual(
      Object.keys(Windspeed!),
      HOURS.map((hour) => `${hour}h`),
    );
    for (const value of Object.values(Rain!)) {
      assert.ok(value >= before, `${value} mm after ${before} mm`);
      before = value;
    }
    assert.ok(Object.values(Windspeed!).every((speed) => speed >= 0 && speed < 50));
  }
});

test('weather full: 180 hours instead of 72', async () => {
  const [short, long] = [
    await askForecast({ geometry: farm }),
    await askForecast({ geometry: farm, full: 'true' }),
  ];
  // Seven and a half days from the run on; days that are over, and a last one of less than half a day, are left out.
  assert.ok(long.length >= 7 && long.length <= 9, `${long.length} days`);
  assert.ok(short.length <= 4);
  // The last of the short ones is not whole there.
  assert.deepEqual(long.slice(0, short.length - 1), short.slice(0, -1));
});

test('weather forecast/world: the same with padded hour names', async () => {
  const plain = await askForecast({ geometry: farm });
  const toPadded = (values: Record<string, number>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name.padStart(3, '0'), value]));
  for (const path of [`${FORECAST}forecast/`, `${FORECAST}forecast/world/`]) {
    const padded = await askForecast({ geometry: farm }, path);
    assert.equal(padded.length, plain.length);
    for (const [i, day] of padded.entries()) {
      const own = plain[i]!;
      if (own.Rain !== undefined) assert.deepEqual(day.Rain, toPadded(own.Rain));
      assert.equal(day.Temp_air_max, own.Temp_air_max);
    }
  }
});

test('weather api_key: required', async () => {
  for (const path of [HISTORY, FORECAST])
    assert.equal((await call(path, { body: { geometry: farm, ...may }, apiKey: null })).status, 401);
});

test('weather days: the forecast starts today and has at most 14 days', async () => {
  const path = '/api/cz/backend/forecast/';
  const response = await askOk(path, { geometry: farm, days: 3 });
  const days = (await response.json()) as Day[];
  const [, sign, hours] = /^UTC([+-])(\d\d):00$/.exec(response.headers.get('x-weather-day') ?? '') ?? [];
  const offsetMs = Number(`${sign}${hours}`) * 3_600_000;
  const today = new Date(Date.parse(response.headers.get('date') ?? '') + offsetMs)
    .toISOString()
    .slice(0, 10);
  assert.deepEqual(
    days.map(({ date }) => date),
    datesFrom(today, 3),
  );
  for (const day of days) {
    assert.deepEqual(Object.keys(day), [...FIELDS, 'humidity', 'cloudiness']);
    assert.ok(day.humidity! > 0 && day.humidity! <= 100 && day.cloudiness! >= 0 && day.cloudiness! <= 100);
  }
  assert.equal((await askRefused(path, 400, { geometry: farm, days: 15 })).code, 'bad-days');
});

test('weather fields: growing degree days, evapotranspiration and water balance', async () => {
  const days = await askDays({
    geometry: farm,
    ...may,
    base_temperature: 5,
    fields: [
      ...['growing_degree_days', 'growing_degree_sum', 'reference_evapotranspiration'],
      ...['water_balance', 'water_balance_sum', 'humidity', 'cloudiness'],
    ],
  });
  let [degrees, water] = [0, 0];
  for (const day of days) {
    const warmth = Math.max(0, (day.temperature_min! + day.temperature_max!) / 2 - 5);
    assert.ok(isNear(day.growing_degree_days, warmth, 1e-3), `${day.date}: ${day.growing_degree_days}`);
    const evaporated = day.reference_evapotranspiration!;
    assert.ok(evaporated > 0 && evaporated < 12, `${day.date}: ${evaporated} mm`);
    assert.ok(isNear(day.water_balance, day.rainfall! - evaporated, 1e-3), day.date);
    degrees += day.growing_degree_days!;
    water += day.water_balance!;
    assert.ok(isNear(day.growing_degree_sum, degrees, 0.01) && isNear(day.water_balance_sum, water, 0.01));
  }
  const { error } = await askRefused(HISTORY, 400, { geometry: farm, ...may, fields: 'humidty' });
  assert.match(error, /did you mean humidity/);
});

test('weather step: hours in UTC', async () => {
  const body = { geometry: farm, start_date: '2026-05-07', end_date: '2026-05-08', step: 'hour' };
  const hours = (await (await askOk(HISTORY, body)).json()) as { time: string; temperature: number }[];
  assert.equal(hours.length, 48);
  const times = hours.map(({ time }) => Date.parse(time));
  assert.ok(times.every((time, i) => i === 0 || time - times[i - 1]! === 3_600_000));
  assert.ok(hours.every(({ temperature }) => temperature > -10 && temperature < 35));
});

test('weather CSV: the same numbers as a table', async () => {
  const days = await askDays({ geometry: farm, ...may });
  const response = await askOk(HISTORY, { geometry: farm, ...may }, 'text/csv');
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
  const [names, ...rows] = (await response.text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  assert.deepEqual(names, FIELDS);
  assert.deepEqual(
    rows,
    days.map((day) => FIELDS.map((name) => String(day[name]))),
  );
});

test('weather normals: means of the stored years by day of the year', async () => {
  const response = await askOk('/api/weather/normals', { geometry: farm });
  const { first_year, last_year, days } = (await response.json()) as {
    first_year: number;
    last_year: number;
    days: { day: string; years: number; temperature_min: number; temperature_max: number }[];
  };
  assert.ok(first_year <= last_year && days.length >= 365);
  assert.deepEqual(
    days.map(({ day }) => day),
    days.map(({ day }) => day).toSorted(),
  );
  const meanOf = (month: string): number => {
    const own = days.filter(({ day }) => day.startsWith(month));
    return own.reduce((sum, { temperature_max: max }) => sum + max, 0) / own.length;
  };
  assert.ok(meanOf('07') > meanOf('01') + 5, 'summer is warmer than winter');
});

test('weather headers: they name the source of an answer and its age', async () => {
  for (const [path, body] of [
    [HISTORY, { geometry: farm, ...may }],
    [FORECAST, { geometry: farm }],
    ['/api/cz/backend/forecast/', { geometry: farm }],
  ] as const) {
    const { headers } = await askOk(path, body);
    assert.match(headers.get('x-weather-source') ?? '', /demo/);
    assert.match(headers.get('x-weather-method') ?? '', /^(mean of cells|interpolated)$/);
    assert.match(headers.get('x-weather-day') ?? '', /^UTC[+-]\d\d:\d\d$/);
    assert.match(headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
    const etag = headers.get('etag') ?? '';
    const again = await call(path, { body, headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304, path);
  }
  const { headers } = await askOk(FORECAST, { geometry: farm });
  assert.match(headers.get('x-weather-run') ?? '', /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/);
  const age = Number(headers.get('x-weather-age'));
  assert.ok(age >= 0 && age < 2 * 86_400, `${age} s`);
});
