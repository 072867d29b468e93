import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toForecastDays } from './forecast-days.ts';
import type { WeatherSeries } from './weather-series.ts';

const RUN = Date.parse('2026-11-16T00:00:00Z');

/** A model of steps of some hours: 181 hours, half a millimetre an hour. */
function makeForecast(stepHours: number, startMs = RUN): WeatherSeries {
  const steps = (value: (hour: number) => number): Float64Array =>
    new Float64Array(181).map((_, hour) => (hour % stepHours === 0 ? value(hour) : Number.NaN));
  return {
    stepHours: 1,
    startMs,
    stepCount: 181,
    utcOffsetHours: 0,
    values: {
      temperature: steps((hour) => 10 + hour / 10),
      soilTemperature: steps((hour) => 8 + hour / 20),
      relativeHumidity: steps(() => 70),
      windSpeed: steps((hour) => 3 + hour / 100),
      snowDepth: steps(() => 0),
      precipitation: new Float64Array(181).map((_, hour) =>
        hour % stepHours === stepHours - 1 ? stepHours / 2 : Number.NaN,
      ),
    },
  };
}

test('a forecast of three days has all details', () => {
  for (const stepHours of [1, 3]) {
    const days = toForecastDays(makeForecast(stepHours), 72, RUN);
    assert.deepEqual(
      days.map(({ date, details }) => [date, details !== null]),
      [
        ['2026-11-16', true],
        ['2026-11-17', true],
        ['2026-11-18', true],
      ],
    );
    const [first, second] = days;
    assert.equal(first!.airMin, 10);
    assert.ok(Math.abs(first!.airMax - 12.1) < 1e-9);
    assert.equal(first!.landMin, 8);
    // The first mark is the start of the run; rain is counted from there on, over all days.
    assert.deepEqual(first!.details!.rain, [0, 1.5, 3, 4.5, 6, 7.5, 9, 10.5]);
    assert.deepEqual(second!.details!.rain, [12, 13.5, 15, 16.5, 18, 19.5, 21, 22.5]);
    assert.equal(second!.details!.wind[0], 3.24);
    assert.equal(first!.details!.humidity, 70);
    assert.equal(first!.details!.snowDepth, 0);
  }
});

test('180 hours make eight days', () => {
  const days = toForecastDays(makeForecast(3), 180, RUN);
  assert.equal(days.length, 8);
  assert.equal(days.at(-1)!.date, '2026-11-23');
  assert.equal(days.filter(({ details }) => details !== null).length, 3);
});

test('a morning run has no details for its incomplete first day, and days before today are omitted', () => {
  const detailsOf = (hour: number): readonly boolean[] => {
    const start = RUN + hour * 3_600_000;
    return toForecastDays(makeForecast(3, start), 72, start).map(({ details }) => details !== null);
  };
  // Eight hours of the last day are too few, fourteen are not.
  assert.deepEqual(detailsOf(6), [false, true, true]);
  assert.deepEqual(detailsOf(12), [false, true, true, false]);
  const later = toForecastDays(makeForecast(3), 72, RUN + 30 * 3_600_000);
  assert.equal(later[0]!.date, '2026-11-17');
  assert.deepEqual(later[0]!.details!.rain[0], 12);
});

test('rain is null from its first unknown value on, and other missing values are null', () => {
  const { values, ...rest } = makeForecast(3);
  const { soilTemperature: _soil, relativeHumidity: _humidity, ...others } = values;
  const precipitation = values.precipitation!.map((sum, hour) => (hour > 12 && hour < 24 ? Number.NaN : sum));
  const days = toForecastDays({ ...rest, values: { ...others, precipitation } }, 72, RUN);
  assert.deepEqual(days[0]!.details!.rain, [0, 1.5, 3, 4.5, 6, null, null, null]);
  assert.equal(days[1]!.details!.rain[0], null);
  assert.equal(days[0]!.details!.humidity, null);
  assert.equal(days[0]!.landMin, null);
});

test('if a model has dew points, the humidity is derived from them', () => {
  const { values, ...rest } = makeForecast(3);
  const { relativeHumidity: _humidity, ...others } = values;
  const days = toForecastDays({ ...rest, values: { ...others, dewPoint: values.temperature! } }, 72, RUN);
  assert.equal(days[0]!.details!.humidity, 100);
});
