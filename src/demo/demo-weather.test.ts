import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { WeatherLocation, WeatherVariable } from '../weather/index.ts';
import { makeWeather, WEATHER_VARIABLES } from '../weather/index.ts';
import { makeDemoWeather } from './demo-weather.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'swath-demo-weather-'));
const folder = join(dataDir, 'demo');
mkdirSync(folder);
after(() => rmSync(dataDir, { recursive: true }));

const HOUR_MS = 3_600_000;
const nowMs = Date.parse('2026-11-17T13:20:00Z');
const provider = makeDemoWeather({
  config: { dataDir, cubes: null, sources: { folders: [] } },
  nowMs: () => nowMs,
});

const farm: WeatherLocation = { type: 'Point', coordinates: [-122.345, 48.095] };
const square = (west: number, south: number, side: number): WeatherLocation => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});
const variables = Object.keys(WEATHER_VARIABLES) as WeatherVariable[];
const ofDays: readonly WeatherVariable[] = [
  ...(['temperatureMin', 'temperatureMax', 'vapourPressure', 'relativeHumidity', 'windSpeed'] as const),
  ...(['precipitation', 'snowDepth', 'soilTemperature', 'cloudCover', 'radiation'] as const),
];
const history = {
  where: farm,
  from: '2026-05-01',
  to: '2026-05-31',
  utcOffsetHours: -8,
  variables,
  isHourly: false,
} as const;

test('days start at the midnight of the demo world, with one number per day in the units of answers', async () => {
  const { series, lineage } = (await provider.readHistory(history))!;
  assert.deepEqual(
    [series.stepHours, series.stepCount, series.utcOffsetHours, new Date(series.startMs).toISOString()],
    [24, 31, -8, '2026-05-01T08:00:00.000Z'],
  );
  assert.deepEqual(Object.keys(series.values).sort(), [...ofDays].sort());
  const limits = {
    temperatureMin: [-5, 20],
    temperatureMax: [5, 35],
    vapourPressure: [4, 25],
    relativeHumidity: [30, 100],
    windSpeed: [0.3, 20],
    precipitation: [0, 100],
    snowDepth: [0, 0],
    soilTemperature: [5, 30],
    cloudCover: [0, 100],
    radiation: [3, 33],
  } as const;
  for (const [name, [low, high]] of Object.entries(limits)) {
    const values = series.values[name as WeatherVariable]!;
    assert.equal(values.length, 31);
    assert.ok(
      values.every((value) => value >= low && value <= high),
      `${name}: ${Math.min(...values)} to ${Math.max(...values)}`,
    );
  }
  assert.ok(Math.max(...series.values.relativeHumidity!) > 1.5, 'percent');
  assert.equal(lineage.source, 'demo');
  assert.equal(lineage.method, 'interpolated');
  assert.ok(lineage.correctedToM! >= 0 && lineage.correctedToM! < 100);
});

test('the hours of the same days add up to them', async () => {
  const { series: days } = (await provider.readHistory(history))!;
  const { series: hours } = (await provider.readHistory({ ...history, isHourly: true }))!;
  assert.deepEqual(
    [hours.stepHours, hours.stepCount, hours.utcOffsetHours, hours.startMs],
    [1, 31 * 24, 0, days.startMs],
  );
  for (let day = 0; day < days.stepCount; day++) {
    const of = (name: WeatherVariable) => hours.values[name]!.subarray(24 * day, 24 * day + 24);
    const rain = of('precipitation').reduce((sum, mm) => sum + mm, 0);
    assert.ok(Math.abs(rain - days.values.precipitation![day]!) < 1e-9);
    assert.ok(Math.abs(Math.min(...of('temperature')) - days.values.temperatureMin![day]!) < 1e-9);
    assert.ok(Math.abs(Math.max(...of('temperature')) - days.values.temperatureMax![day]!) < 1e-9);
  }
});

test('a request for days of another clock returns hours that cover them', async () => {
  const { series } = (await provider.readHistory({
    ...history,
    utcOffsetHours: 5.5,
    variables: ['temperatureMin'],
  }))!;
  assert.equal(series.stepHours, 1);
  assert.equal(new Date(series.startMs).toISOString(), '2026-04-30T18:00:00.000Z');
  assert.equal(series.stepCount, 31 * 24 + 1);
  assert.deepEqual(Object.keys(series.values), ['temperature']);
});

test('a long series of hours equals the short ones in it', async () => {
  const long = (await provider.readHistory({ ...history, from: '2025-11-01', isHourly: true }))!.series;
  const short = (await provider.readHistory({ ...history, isHourly: true }))!.series;
  const offset = (short.startMs - long.startMs) / HOUR_MS;
  for (const name of Object.keys(short.values) as WeatherVariable[]) {
    assert.deepEqual(long.values[name]!.slice(offset), short.values[name], name);
  }
});

test('history ends before now, and starts with the climate', async () => {
  const open = { ...history, from: '2026-11-10', to: '2027-01-31' };
  const { series: days } = (await provider.readHistory(open))!;
  // 13:20 UTC is 05:20 of the 17th: the 16th is the last whole day
  assert.equal(days.stepCount, 7);
  const { series: hours } = (await provider.readHistory({ ...open, isHourly: true }))!;
  assert.equal(new Date(hours.startMs + hours.stepCount * HOUR_MS).toISOString(), '2026-11-17T13:00:00.000Z');
  assert.equal(await provider.readHistory({ ...history, from: '2026-11-17', to: '2026-11-20' }), null);
  const { series: all } = (await provider.readHistory({ ...history, from: '1900-01-01' }))!;
  assert.equal(new Date(all.startMs).toISOString(), '1980-09-02T08:00:00.000Z');
  assert.equal(await provider.readHistory({ ...history, from: '1950-01-01', to: '1960-01-01' }), null);
});

test('a forecast starts with the newest run and moves with the date', async () => {
  const read = async (at: string, hours = 180) =>
    (await provider.readForecast({ where: farm, hours, nowMs: Date.parse(at) }))!;
  for (const [at, run] of [
    ['2026-11-17T13:20:00Z', '2026-11-17T12:00:00.000Z'],
    ['2026-11-17T18:00:00Z', '2026-11-17T18:00:00.000Z'],
    ['2026-11-18T05:59:59Z', '2026-11-18T00:00:00.000Z'],
    ['2038-03-01T07:00:00Z', '2038-03-01T06:00:00.000Z'],
  ] as const) {
    const { series, lineage } = await read(at);
    assert.equal(new Date(series.startMs).toISOString(), run);
    assert.equal(lineage.runMs, series.startMs);
    assert.deepEqual([series.stepHours, series.stepCount, series.utcOffsetHours], [1, 180, 0]);
    for (const values of Object.values(series.values)) {
      assert.equal(values.length, 180);
      assert.ok(values.every(Number.isFinite));
    }
  }
  assert.equal((await read('2026-11-17T13:20:00Z', 72)).series.stepCount, 72);
  assert.equal((await read('2026-11-17T13:20:00Z', 1000)).series.stepCount, 180);
  const at = Date.parse('2026-11-17T13:20:00Z');
  assert.equal(await provider.readForecast({ where: farm, hours: 1, nowMs: at }), null);
});

test('forecast days start with today at any hour of the day', async () => {
  const readDates = async (wallClockMs: number) => {
    const onFailure = (_: string, error: unknown) => assert.fail(error as Error);
    const ask = { providers: [provider], heights: null, wallClockMs: () => wallClockMs, onFailure };
    const { days, utcOffsetHours } = (await makeWeather(ask).readComingDays({ where: farm, days: 3 }))!;
    return { dates: days.map(({ date }) => date), localMs: wallClockMs + utcOffsetHours * HOUR_MS };
  };
  const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  for (let hour = 0; hour < 24; hour++) {
    const { dates, localMs } = await readDates(Date.parse('2026-11-17T00:20:00Z') + hour * HOUR_MS);
    const expected = [0, 24, 48].map((later) => toDate(localMs + later * HOUR_MS));
    assert.deepEqual(dates, expected, `${hour} h UTC`);
  }
});

test('a past forecast was right about its first hours', async () => {
  const runMs = Date.parse('2026-05-12T12:00:00Z');
  const { series } = (await provider.readForecast({ where: farm, hours: 180, nowMs: runMs }))!;
  const past = (await provider.readHistory({ ...history, isHourly: true }))!.series;
  const offset = (runMs - past.startMs) / HOUR_MS;
  const errors = series.values.temperature!.map((celsius, lead) =>
    Math.abs(celsius - past.values.temperature![offset + lead]!),
  );
  assert.ok(Math.max(...errors.subarray(0, 3)) < 0.5);
  assert.ok(Math.max(...errors.subarray(72)) > 0.5, 'and not about the last');
});

test('an area has the weather of its centre and mean height', async () => {
  const [west, south] = [-121.9, 48.3];
  const of = async (where: WeatherLocation) => (await provider.readHistory({ ...history, where }))!;
  const area = await of(square(west, south, 0.02));
  const point = await of({ type: 'Point', coordinates: [west + 0.01, south + 0.01] });
  const [mean, middle] = [area.lineage.correctedToM!, point.lineage.correctedToM!];
  assert.ok(mean > 100 && Math.abs(mean - middle) < 150, `${mean} m around ${middle} m`);
  for (const [i, celsius] of area.series.values.temperatureMax!.entries()) {
    const expected = point.series.values.temperatureMax![i]! - 0.0065 * (mean - middle);
    assert.ok(Math.abs(celsius - expected) < 0.05, `${celsius}, not ${expected}`);
  }
});

test('there is no weather outside the demo world, and none without the demo', async () => {
  const outside = [
    { type: 'Point', coordinates: [30.5, 50.4] },
    { type: 'Point', coordinates: [-121.3, 48.2] },
    square(-121.6, 48.2, 0.3),
  ] as const;
  for (const where of outside) {
    assert.equal(await provider.readHistory({ ...history, where }), null);
    assert.equal(await provider.readForecast({ where, hours: 72, nowMs }), null);
  }
  rmSync(folder, { recursive: true });
  try {
    assert.equal(await provider.readHistory(history), null);
    assert.equal(await provider.readForecast({ where: farm, hours: 72, nowMs }), null);
  } finally {
    mkdirSync(folder);
  }
});

test('a cancelled request ends', async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(provider.readHistory({ ...history, isHourly: true, signal }), { name: 'AbortError' });
});
