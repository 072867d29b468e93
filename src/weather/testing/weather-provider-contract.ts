import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwathError } from '../../errors.ts';
import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import { DAY_MS } from '../../units.ts';
import type { HistoryRequest, ProvidedWeather, WeatherProvider } from '../weather-provider.ts';
import type { WeatherSeries, WeatherVariable } from '../weather-series.ts';
import { WEATHER_VARIABLES } from '../weather-series.ts';

const HOUR_MS = 3_600_000;

/** Days, both included. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** A provider with weather that is known. */
export interface ProviderUnderTest {
  readonly provider: WeatherProvider;
  /** What the provider believes to be now. */
  readonly nowMs: number;
  readonly point: PointGeometry;
  /** An area with the point in it. */
  readonly area: AreaGeometry;
  /** Where the provider has nothing; null for one that has weather everywhere. */
  readonly outside: PointGeometry | null;
  /** Days of which everything is known. */
  readonly days: Days;
  /** Days of which hours or days of some variables are not known. */
  readonly daysWithGaps: Days;
  /** Days of which nothing is known. */
  readonly unknownDays: Days;
  /** The value of a step that begins at this time, at the point; NaN for a gap, null if it need not be there. */
  readonly expect: (variable: WeatherVariable, timeMs: number, stepHours: 1 | 24) => number | null;
  /** How far values may be from what is expected; 0.02 if it is left out. */
  readonly tolerance?: number;
  readonly stop: () => Promise<void>;
}

/** No weather of Earth is outside, in the units of `WEATHER_VARIABLES`. */
const RANGES: Readonly<Record<WeatherVariable, readonly [min: number, max: number]>> = {
  temperature: [-90, 60],
  temperatureMin: [-90, 60],
  temperatureMax: [-90, 60],
  dewPoint: [-100, 40],
  vapourPressure: [0, 80],
  relativeHumidity: [0, 101],
  windSpeed: [0, 100],
  precipitation: [0, 2_000],
  snowDepth: [0, 5_000],
  soilTemperature: [-90, 90],
  cloudCover: [0, 100],
  // A whole day without clouds near the pole has 45 MJ.
  radiation: [0, 50],
};

const ALL = Object.keys(WEATHER_VARIABLES) as WeatherVariable[];

/** What every provider of weather must do; each test has a provider of its own. */
export function testWeatherProvider(name: string, make: () => Promise<ProviderUnderTest>): void {
  const contract = (what: string, check: (subject: ProviderUnderTest) => Promise<void>): void => {
    test(`${name}: ${what}`, async () => {
      const subject = await make();
      try {
        await check(subject);
      } finally {
        await subject.stop();
      }
    });
  };

  contract('a history is a series of steps in our units', async (subject) => {
    const { series, lineage } = await readHistory(subject, subject.days);
    checkSeries(series);
    checkValues(series, subject);
    assert.ok(Object.keys(series.values).length > 0);
    assert.ok(lineage.source.startsWith(`${subject.provider.name}:`), lineage.source);
    assert.ok(lineage.correctedToM === null || Number.isFinite(lineage.correctedToM));
  });

  contract('a history has all the days that were asked for, at any offset', async (subject) => {
    for (const utcOffsetHours of [0, 2, -8, 5.5]) {
      const { series } = await readHistory(subject, subject.days, { utcOffsetHours });
      checkSeries(series);
      const fromMs = Date.parse(subject.days.from) - utcOffsetHours * HOUR_MS;
      const toMs = Date.parse(subject.days.to) + DAY_MS - utcOffsetHours * HOUR_MS;
      assert.ok(series.startMs <= fromMs, `${utcOffsetHours} h: begins late`);
      assert.ok(
        series.startMs + series.stepCount * series.stepHours * HOUR_MS >= toMs,
        `${utcOffsetHours} h`,
      );
      if (series.stepHours === 24) assert.equal(series.utcOffsetHours, utcOffsetHours);
      checkValues(series, subject);
    }
  });

  contract('hours are hours if they are needed', async (subject) => {
    const found = await subject.provider.readHistory(toRequest(subject, subject.days, { isHourly: true }));
    if (found !== null) assert.equal(found.series.stepHours, 1);
  });

  contract('gaps are NaN, never 0, and what is not known at all is absent', async (subject) => {
    const { series } = await readHistory(subject, subject.daysWithGaps);
    checkSeries(series);
    const gaps = checkValues(series, subject);
    assert.ok(gaps > 0, 'no gap seen');
  });

  contract('temperatures alone can be read', async (subject) => {
    const { series } = await readHistory(subject, subject.days, {
      variables: ['temperature', 'temperatureMin', 'temperatureMax'],
    });
    assert.ok('temperature' in series.values || 'temperatureMin' in series.values);
    checkValues(series, subject);
  });

  contract('an area has about the weather of a point in it', async (subject) => {
    const there = await readHistory(subject, subject.days);
    const { series } = await readHistory(subject, subject.days, { where: subject.area });
    checkSeries(series);
    assert.equal(series.startMs, there.series.startMs);
    assert.deepEqual(Object.keys(series.values).sort(), Object.keys(there.series.values).sort());
    for (const variable of ['temperature', 'temperatureMin', 'temperatureMax', 'dewPoint'] as const) {
      for (const [i, value] of (series.values[variable] ?? []).entries()) {
        const point = there.series.values[variable]![i]!;
        assert.equal(Number.isNaN(value), Number.isNaN(point), `${variable}: a gap in one of them`);
        assert.ok(!(Math.abs(value - point) > 5), `${variable}: ${value} and ${point}`);
      }
    }
  });

  contract('days and locations without weather are null', async (subject) => {
    assert.equal(await subject.provider.readHistory(toRequest(subject, subject.unknownDays)), null);
    if (subject.outside === null) return;
    const where = subject.outside;
    assert.equal(await subject.provider.readHistory(toRequest(subject, subject.days, { where })), null);
    const { nowMs } = subject;
    assert.equal(await subject.provider.readForecast({ where, hours: 72, nowMs }), null);
  });

  contract('a forecast is a series of hours from its run to beyond now', async (subject) => {
    const { nowMs, point: where } = subject;
    for (const hours of [72, 180]) {
      const found = await subject.provider.readForecast({ where, hours, nowMs });
      assert.ok(found !== null);
      const { series, lineage } = found;
      checkSeries(series);
      checkValues(series, subject);
      assert.equal(series.stepHours, 1);
      assert.ok(series.startMs <= nowMs && series.startMs > nowMs - 3 * DAY_MS, 'begins in the past');
      assert.ok(series.startMs + series.stepCount * HOUR_MS > nowMs, 'reaches beyond now');
      assert.ok(series.stepCount <= hours);
      if (lineage.runMs !== null) assert.equal(series.startMs, lineage.runMs);
    }
  });

  contract('a forecast may begin before its run, with what earlier runs said', async (subject) => {
    const { provider, nowMs, point: where } = subject;
    const [run, fromMs] = [await provider.readForecast({ where, hours: 72, nowMs }), nowMs - DAY_MS / 2];
    const wholeMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
    const found = await provider.readForecast({ where, hours: 72, fromMs: wholeMs, nowMs });
    checkSeries(found!.series);
    checkValues(found!.series, subject);
    assert.equal(found!.series.startMs, Math.min(wholeMs, run!.series.startMs));
    const end = ({ startMs, stepCount }: WeatherSeries): number => startMs + stepCount * HOUR_MS;
    assert.equal(end(found!.series), end(run!.series));
    assert.deepEqual(found!.lineage, run!.lineage);
    assert.ok(!found!.series.values.temperature!.some(Number.isNaN), 'no gap between runs');
  });

  contract('a caller that left is told so, and others are not disturbed', async (subject) => {
    const { provider, nowMs, point: where, days } = subject;
    const gone = AbortSignal.abort();
    const isCancelled = ({ tag }: SwathError) => tag === 'cancelled';
    await assert.rejects(provider.readHistory(toRequest(subject, days, { signal: gone })), isCancelled);
    await assert.rejects(provider.readForecast({ where, hours: 72, nowMs, signal: gone }), isCancelled);
    await readHistory(subject, days);
    const again = provider.readHistory(toRequest(subject, days, { signal: gone }));
    await assert.rejects(again, isCancelled, 'also when the answer is in memory');
    const leaving = new AbortController();
    const others = { variables: ['temperature', 'temperatureMin', 'temperatureMax'] } as const;
    const left = provider.readHistory(toRequest(subject, days, { ...others, signal: leaving.signal }));
    const other = provider.readHistory(toRequest(subject, days, others));
    leaving.abort();
    // It may have been ready before.
    await left.catch((error: SwathError) => assert.ok(isCancelled(error)));
    assert.ok((await other) !== null);
  });

  contract('equal requests have equal answers', async (subject) => {
    const one = await readHistory(subject, subject.days);
    assert.deepEqual(await readHistory(subject, subject.days), one);
  });
}

const toRequest = (
  { point }: ProviderUnderTest,
  { from, to }: Days,
  more: Partial<HistoryRequest> = {},
): HistoryRequest => ({
  where: point,
  from,
  to,
  utcOffsetHours: 0,
  variables: ALL,
  isHourly: false,
  ...more,
});

async function readHistory(
  subject: ProviderUnderTest,
  days: Days,
  more: Partial<HistoryRequest> = {},
): Promise<ProvidedWeather> {
  const found = await subject.provider.readHistory(toRequest(subject, days, more));
  assert.ok(found !== null, `nothing from ${days.from} to ${days.to}`);
  return found;
}

/** Steps begin where they must, and each variable has one number for each. */
function checkSeries({ stepHours, startMs, stepCount, utcOffsetHours, values }: WeatherSeries): void {
  assert.ok(Number.isInteger(stepCount) && stepCount > 0);
  if (stepHours === 1) assert.equal(utcOffsetHours, 0);
  const offsetMs = stepHours === 1 ? 0 : utcOffsetHours * HOUR_MS;
  assert.equal(
    (startMs + offsetMs) % (stepHours * HOUR_MS),
    0,
    'a step begins at a whole hour or at midnight',
  );
  for (const [variable, numbers] of Object.entries(values) as [WeatherVariable, Float64Array][]) {
    assert.ok(numbers instanceof Float64Array);
    assert.equal(numbers.length, stepCount, variable);
    const [min, max] = RANGES[variable];
    assert.ok(
      numbers.every((value) => Number.isNaN(value) || (value >= min && value <= max)),
      `${variable} is outside of ${min} to ${max}`,
    );
    assert.ok(
      numbers.some((value) => !Number.isNaN(value)),
      `${variable} is all gaps`,
    );
  }
}

/** Compares with what is expected, and counts the gaps. */
function checkValues(
  { values, startMs, stepHours }: WeatherSeries,
  { expect, tolerance = 0.02 }: ProviderUnderTest,
): number {
  let gaps = 0;
  for (const [variable, numbers] of Object.entries(values) as [WeatherVariable, Float64Array][]) {
    for (const [i, value] of numbers.entries()) {
      const timeMs = startMs + i * stepHours * HOUR_MS;
      const expected = expect(variable, timeMs, stepHours);
      if (expected === null) continue;
      if (Number.isNaN(value)) gaps += 1;
      const isRight = Number.isNaN(expected) ? Number.isNaN(value) : Math.abs(value - expected) <= tolerance;
      assert.ok(isRight, `${variable} at ${new Date(timeMs).toISOString()}: ${value}, not ${expected}`);
    }
  }
  return gaps;
}
