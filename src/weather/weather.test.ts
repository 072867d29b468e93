import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooLarge, unavailable } from '../errors.ts';
import { DAY_MS } from '../units.ts';
import { parseDay } from './daily-weather.ts';
import { makeWeather } from './weather.ts';
import type { HistoryRequest, WeatherProvider } from './weather-provider.ts';
import type { WeatherSeries } from './weather-series.ts';

const FIELD = { type: 'Point', coordinates: [30, 50] } as const;
const NOW = Date.parse('2026-11-16T10:00:00Z');

/** Days of a provider from one day on, colder by the day. */
function days(from: string, count: number): WeatherSeries {
  return {
    stepHours: 24,
    startMs: parseDay(from) * DAY_MS,
    stepCount: count,
    utcOffsetHours: 0,
    values: {
      temperatureMin: new Float64Array(count).map((_, i) => 3 - i / 20),
      temperatureMax: new Float64Array(count).map((_, i) => 9 - i / 20),
      precipitation: new Float64Array(count).fill(1),
    },
  };
}

function makeProvider(name: string, changes: Partial<WeatherProvider> = {}) {
  const requests: HistoryRequest[] = [];
  const provider: WeatherProvider = {
    name,
    async readHistory(request) {
      requests.push(request);
      const count = parseDay(request.to) - parseDay(request.from) + 1;
      const lineage = { source: name, runMs: null, method: 'interpolated', correctedToM: null } as const;
      return { series: days(request.from, count), lineage };
    },
    readForecast: async () => null,
    ...changes,
  };
  return { provider, requests };
}

function makeService(...providers: readonly WeatherProvider[]) {
  const failures: string[] = [];
  const weather = makeWeather({
    providers,
    heights: null,
    wallClockMs: () => NOW,
    onFailure: (name) => failures.push(name),
  });
  return { weather, failures };
}

const WINDOW = { where: FIELD, from: '2026-02-10', to: '2026-02-20' } as const;

test('hardening starts with the season, whichever days are requested', async () => {
  const { provider, requests } = makeProvider('one');
  const { weather } = makeService(provider);
  const all = await weather.readDays({ ...WINDOW, from: '2025-08-01' });
  const some = await weather.readDays(WINDOW);
  assert.equal(requests[1]!.from, '2025-08-01');
  assert.equal(requests[1]!.utcOffsetHours, 2);
  assert.equal(some!.days.length, 11);
  assert.deepEqual(some!.days, all!.days.slice(-11));
  assert.ok(some!.days[0]!.hardeningIndex! > 0);
});

test('hardening is null when the start of the season is unknown', async () => {
  const { provider } = makeProvider('one', {
    readHistory: async () => ({
      series: days('2026-01-01', 60),
      lineage: { source: 'one', runMs: null, method: 'interpolated', correctedToM: null },
    }),
  });
  const answer = await makeService(provider).weather.readDays(WINDOW);
  assert.equal(answer!.days.length, 20);
  assert.equal(answer!.days[0]!.date, '2026-02-10');
  assert.equal(answer!.days[0]!.hardeningIndex, null);
});

test('providers are tried in order, past those that fail or have no data', async () => {
  const { provider: first } = makeProvider('first', {
    readHistory: async () => {
      throw unavailable('weather-unavailable', 'away');
    },
  });
  const { provider: second } = makeProvider('second', { readHistory: async () => null });
  const { provider: third } = makeProvider('third', {
    // Only days before those that are asked for.
    readHistory: async () => ({
      series: days('2025-08-01', 30),
      lineage: { source: 'third', runMs: null, method: 'interpolated', correctedToM: null },
    }),
  });
  const { provider: fourth } = makeProvider('fourth');
  const { weather, failures } = makeService(first, second, third, fourth);
  assert.equal((await weather.readDays(WINDOW))!.lineage.source, 'fourth');
  assert.deepEqual(failures, ['first']);
  await assert.rejects(makeService(first, second).weather.readDays(WINDOW), { code: 'weather-unavailable' });
  assert.equal(await makeService(second, third).weather.readDays(WINDOW), null);
});

test('a request that is too large is not passed to the next provider', async () => {
  const { provider } = makeProvider('one', {
    readHistory: async () => {
      throw tooLarge('too-many-cells', 'too large');
    },
  });
  const { provider: second, requests } = makeProvider('second');
  await assert.rejects(makeService(provider, second).weather.readDays(WINDOW), { code: 'too-many-cells' });
  assert.equal(requests.length, 0);
});

/** A run of the morning, in hours. */
const RUN = Date.parse('2026-11-16T00:00:00Z');
const forecasting = (hours: number): Partial<WeatherProvider> => ({
  readForecast: async () => ({
    series: {
      stepHours: 1,
      startMs: RUN,
      stepCount: hours + 1,
      utcOffsetHours: 0,
      values: {
        temperature: new Float64Array(hours + 1).map((_, i) => 5 + (i % 24)),
        precipitation: new Float64Array(hours + 1).fill(0.1),
      },
    },
    lineage: { source: 'model', runMs: RUN, method: 'interpolated', correctedToM: null },
  }),
});

test('a forecast comes from the first provider that has one', async () => {
  const { provider: none } = makeProvider('none');
  const { provider: model } = makeProvider('model', forecasting(72));
  const { weather } = makeService(none, model);
  const forecast = await weather.readForecast({ where: FIELD, hours: 72 });
  assert.equal(forecast!.lineage.runMs, RUN);
  assert.equal(forecast!.days[0]!.date, '2026-11-16');
  assert.equal(forecast!.days[0]!.airMin, 5);
  assert.equal(await makeService(none).weather.readForecast({ where: FIELD, hours: 72 }), null);
});

test('forecast days are days of the local clock', async () => {
  const { provider } = makeProvider('model', forecasting(384));
  const answer = await makeService(provider).weather.readComingDays({ where: FIELD, days: 14 });
  assert.equal(answer!.days.length, 14);
  assert.equal(answer!.days[0]!.date, '2026-11-16');
  assert.ok(Math.abs(answer!.days[1]!.rainfall! - 2.4) < 1e-9);
  assert.equal(answer!.utcOffsetHours, 2);
  // Hardening goes on from that of yesterday.
  const before = await makeService(provider).weather.readDays({
    where: FIELD,
    from: '2026-11-15',
    to: '2026-11-15',
  });
  assert.ok(answer!.days[0]!.hardeningIndex! < before!.days[0]!.hardeningIndex!, 'warm days undo it');
  const { provider: young } = makeProvider('model', { ...forecasting(384), readHistory: async () => null });
  const unknown = await makeService(young).weather.readComingDays({ where: FIELD, days: 1 });
  assert.equal(unknown!.days[0]!.hardeningIndex, null);
});

test('hours are returned with gaps as null', async () => {
  const { provider } = makeProvider('model', {
    readHistory: async () => ({
      series: {
        stepHours: 1,
        startMs: RUN,
        stepCount: 4,
        utcOffsetHours: 0,
        values: {
          temperature: Float64Array.of(1, 2, Number.NaN, 4),
          precipitation: Float64Array.of(0, Number.NaN, Number.NaN, 1),
        },
      },
      lineage: { source: 'model', runMs: null, method: 'interpolated', correctedToM: null },
    }),
  });
  const answer = await makeService(provider).weather.readHours({
    where: FIELD,
    from: '2026-11-16',
    to: '2026-11-16',
  });
  assert.deepEqual(answer!.hours, [
    { time: '2026-11-16T00:00Z', temperature: 1, precipitation: 0 },
    { time: '2026-11-16T01:00Z', temperature: 2, precipitation: null },
    { time: '2026-11-16T03:00Z', temperature: 4, precipitation: 1 },
  ]);
  // A provider of days has no hours.
  const { provider: daily } = makeProvider('daily');
  assert.equal(
    await makeService(daily).weather.readHours({ where: FIELD, from: '2026-11-16', to: '2026-11-16' }),
    null,
  );
});

test('normals are means of the same days over all years', async () => {
  const first = parseDay('2024-01-01');
  const count = parseDay('2025-12-31') - first + 1;
  const yearOf = (i: number): number => new Date((first + i) * DAY_MS).getUTCFullYear();
  const { provider } = makeProvider('stored', {
    readExtent: async () => ({ from: '2024-01-01', to: '2025-12-31' }),
    readHistory: async () => ({
      series: {
        stepHours: 24,
        startMs: first * DAY_MS,
        stepCount: count,
        utcOffsetHours: 0,
        values: {
          temperatureMin: new Float64Array(count).map((_, i) => (yearOf(i) === 2024 ? 2 : 4)),
          temperatureMax: new Float64Array(count).map((_, i) => (yearOf(i) === 2024 ? 10 : 14)),
          precipitation: new Float64Array(count).fill(Number.NaN),
        },
      },
      lineage: { source: 'stored', runMs: null, method: 'interpolated', correctedToM: null },
    }),
  });
  const normals = await makeService(provider).weather.readNormals({ where: FIELD });
  assert.deepEqual([normals!.firstYear, normals!.lastYear], [2024, 2025]);
  assert.equal(normals!.days.length, 366);
  assert.deepEqual(normals!.days[120], {
    day: '04-30',
    years: 2,
    temperatureMin: 3,
    temperatureMax: 12,
    rainfall: null,
  });
  assert.equal(normals!.days[59]!.day, '02-29');
  const { provider: none } = makeProvider('none');
  assert.equal(await makeService(none).weather.readNormals({ where: FIELD }), null);
});
