import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../units.ts';
import { describeDays, gatherDays, parseDay, toUtcOffset } from './daily-weather.ts';
import { toVapourPressure, WIND_2M_OF_10M } from './physics.ts';
import type { WeatherSeries, WeatherVariable } from './weather-series.ts';

const FIRST = parseDay('2026-01-10');

function hoursOf(
  count: number,
  values: Partial<Record<WeatherVariable, (hour: number) => number>>,
): WeatherSeries {
  return {
    stepHours: 1,
    startMs: FIRST * DAY_MS,
    stepCount: count,
    utcOffsetHours: 0,
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, new Float64Array(count).map((_, i) => value(i))]),
    ),
  };
}

const span = (days: number, utcOffsetHours = 0) => ({
  firstDay: FIRST,
  lastDay: FIRST + days - 1,
  utcOffsetHours,
});

test('hours become days of the local clock', () => {
  const hours = hoursOf(72, { temperature: (i) => i, precipitation: () => 0.5 });
  const utc = gatherDays(hours, span(3));
  assert.deepEqual([...utc.values.temperatureMin!], [0, 24, 48]);
  assert.deepEqual([...utc.values.temperatureMax!], [23, 47, 71]);
  assert.deepEqual([...utc.values.precipitation!], [12, 12, 12]);
  // Three hours ahead of UTC the first day began before the series did, by less than what a gap may be.
  const east = gatherDays(hours, span(3, 3));
  assert.deepEqual([...east.values.temperatureMin!], [0, 21, 45]);
  assert.equal(east.startMs, FIRST * DAY_MS - 3 * HOUR_MS);
  const far = gatherDays(hours, span(3, 8));
  assert.deepEqual([...far.values.temperatureMin!], [Number.NaN, 16, 40]);
});

test('uncovered days are gaps; models with steps of three and six hours cover them', () => {
  const every = (step: number) => (i: number) => (i % step === 0 ? i : Number.NaN);
  for (const step of [1, 3, 6])
    assert.equal(gatherDays(hoursOf(24, { temperature: every(step) }), span(1)).values.temperatureMin![0], 0);
  assert.ok(
    Number.isNaN(gatherDays(hoursOf(24, { temperature: every(8) }), span(1)).values.temperatureMin![0]),
  );
  const morning = hoursOf(24, { temperature: (i) => (i < 12 ? 5 : Number.NaN) });
  assert.ok(Number.isNaN(gatherDays(morning, span(1)).values.temperatureMax![0]));
});

test('vapour pressure is the mean over the hours, from the dew point or the humidity', () => {
  const temperature = (i: number): number => 10 + (i % 24) / 4;
  const dewPoint = (i: number): number => 2 + (i % 24) / 8;
  let sum = 0;
  for (let i = 0; i < 24; i++) sum += toVapourPressure(dewPoint(i)) / 24;
  const byDew = gatherDays(hoursOf(24, { temperature, dewPoint }), span(1));
  assert.ok(Math.abs(byDew.values.vapourPressure![0]! - sum) < 1e-9);
  const relativeHumidity = (i: number): number =>
    (100 * toVapourPressure(dewPoint(i))) / toVapourPressure(temperature(i));
  const byHumidity = gatherDays(hoursOf(24, { temperature, relativeHumidity }), span(1));
  assert.ok(Math.abs(byHumidity.values.vapourPressure![0]! - sum) < 1e-9);
});

test('extremes of periods are preferred to extremes of single hours', () => {
  const hours = hoursOf(48, {
    temperature: () => 10,
    temperatureMin: (i) => (i < 24 && i % 6 === 5 ? 7 : Number.NaN),
  });
  assert.deepEqual([...gatherDays(hours, span(2)).values.temperatureMin!], [7, 10]);
});

const days = (count: number, values: WeatherSeries['values']): WeatherSeries => ({
  stepHours: 24,
  startMs: FIRST * DAY_MS,
  stepCount: count,
  utcOffsetHours: 0,
  values,
});

const OPTIONS = {
  fromDay: FIRST,
  hardeningBefore: 0,
  seasonStart: '08-01',
  latitude: 50,
  elevation: 100,
  derived: [],
  baseTemperature: 5,
} as const;

test('a day without temperatures is omitted, any other missing value is null', () => {
  const described = describeDays(
    days(3, {
      temperatureMin: Float64Array.of(1, Number.NaN, 3),
      temperatureMax: Float64Array.of(9, 10, 11),
      precipitation: Float64Array.of(0, 2, Number.NaN),
      windSpeed: Float64Array.of(5, 5, 5),
    }),
    OPTIONS,
  );
  assert.deepEqual(
    described.map(({ date, rainfall, snowDepth }) => ({ date, rainfall, snowDepth })),
    [
      { date: '2026-01-10', rainfall: 0, snowDepth: null },
      { date: '2026-01-12', rainfall: null, snowDepth: null },
    ],
  );
  assert.equal(described[0]!.windSpeed, 5 * WIND_2M_OF_10M);
});

test('hardening does not depend on the window, and is unknown if its season is unknown', () => {
  const columns = {
    temperatureMin: new Float64Array(30).map((_, i) => 2 - (i % 7)),
    temperatureMax: new Float64Array(30).map((_, i) => 8 - (i % 5)),
  };
  const all = describeDays(days(30, columns), OPTIONS);
  const late = describeDays(days(30, columns), { ...OPTIONS, fromDay: FIRST + 20 });
  assert.deepEqual(late, all.slice(20));
  assert.ok(all[29]!.hardeningIndex! > 0.5);
  const unknown = describeDays(days(30, columns), { ...OPTIONS, hardeningBefore: null });
  assert.equal(unknown[29]!.hardeningIndex, null);
  assert.equal(unknown[29]!.criticalTemperature, null);
  const restarted = describeDays(days(30, columns), {
    ...OPTIONS,
    hardeningBefore: null,
    seasonStart: '01-20',
  });
  assert.equal(restarted[9]!.hardeningIndex, null);
  assert.ok(restarted[10]!.hardeningIndex! > 0);
});

test('only the requested derived fields are returned', () => {
  const [first, second, third] = describeDays(
    days(3, {
      temperatureMin: Float64Array.of(8, 10, 12),
      temperatureMax: Float64Array.of(18, 20, 22),
      vapourPressure: Float64Array.of(9, 9, 9),
      windSpeed: Float64Array.of(3, 3, 3),
      precipitation: Float64Array.of(5, 0, Number.NaN),
    }),
    {
      ...OPTIONS,
      derived: [
        'growingDegreeDays',
        'growingDegreeSum',
        'waterBalance',
        'waterBalanceSum',
        'referenceEvapotranspiration',
      ],
    },
  );
  assert.deepEqual([first!.derived.growingDegreeDays, second!.derived.growingDegreeSum], [8, 18]);
  assert.equal(first!.derived.waterBalance, 5 - first!.derived.referenceEvapotranspiration!);
  assert.equal(second!.derived.waterBalanceSum, first!.derived.waterBalance! + second!.derived.waterBalance!);
  assert.equal(third!.derived.waterBalanceSum, null);
  const plain = describeDays(
    days(1, { temperatureMin: Float64Array.of(8), temperatureMax: Float64Array.of(18) }),
    OPTIONS,
  );
  assert.deepEqual(plain[0]!.derived, {});
});

test('the local clock follows the meridian', () => {
  assert.deepEqual([0, 7.4, 7.6, 31, -75, 179, 540].map(toUtcOffset), [0, 0, 1, 2, -5, 12, -12]);
  for (const bad of ['2026-02-30', '2026-2-3', 'today', ''])
    assert.throws(() => parseDay(bad), { code: 'bad-days' });
});
