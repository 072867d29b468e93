import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClimate } from '../climate/climate.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { HOUR_MS, spots } from '../setting.ts';
import { forecastHours } from './forecast-hours.ts';
import type { LocalHours } from './local-hours.ts';
import { localHours } from './local-hours.ts';

const climate = makeClimate(WORLD_SEED);
const location = { ...spots.farm, heightM: 12 };
const runs = Array.from({ length: 120 }, (_, i) => Date.UTC(2026, 0, 1) + i * 54 * HOUR_MS);
const count = 180;
const pairs = runs.map((runMs) => ({
  forecast: forecastHours(climate, { location, runMs, count }),
  truth: localHours(climate, { location, startMs: runMs, count }),
}));

/** Mean error over all runs at lead times from one hour to another. */
function meanError(name: keyof LocalHours, from: number, until: number): number {
  let sum = 0;
  for (const { forecast, truth } of pairs) {
    for (let lead = from; lead < until; lead++) sum += Math.abs(forecast[name][lead]! - truth[name][lead]!);
  }
  return sum / (pairs.length * (until - from));
}

test('a run starts with the truth, and its errors grow with the lead time', () => {
  for (const { forecast, truth } of pairs) {
    for (const name of Object.keys(truth) as (keyof LocalHours)[]) {
      assert.ok(Math.abs(forecast[name][0]! - truth[name][0]!) < 1e-6, name);
    }
  }
  for (const name of [
    'temperatureC',
    'dewPointC',
    'windMs',
    'rainMm',
    'cloudiness',
    'radiationMj',
  ] as const) {
    const [soon, later, last] = [meanError(name, 1, 12), meanError(name, 48, 72), meanError(name, 144, 180)];
    assert.ok(soon < later && later < last, `${name}: ${soon}, ${later}, ${last}`);
  }
  assert.ok(meanError('temperatureC', 1, 12) < 0.4);
  const week = meanError('temperatureC', 144, 180);
  assert.ok(week > 1 && week < 3.5, `${week} °C after a week`);
});

test('every hour of a forecast is possible weather', () => {
  for (const { forecast } of pairs) {
    for (const [i, celsius] of forecast.temperatureC.entries()) {
      assert.ok(celsius > -35 && celsius < 48);
      assert.ok(forecast.dewPointC[i]! <= celsius + 1e-6);
      assert.ok(forecast.humidity[i]! > 0 && forecast.humidity[i]! <= 1);
      assert.ok(forecast.cloudiness[i]! >= 0 && forecast.cloudiness[i]! <= 1);
      assert.ok(forecast.rainMm[i]! >= 0 && forecast.rainMm[i]! < 150);
      assert.ok(forecast.windMs[i]! > 0 && forecast.windMs[i]! < 60);
      assert.ok(forecast.radiationMj[i]! >= 0 && forecast.radiationMj[i]! < 4.3);
      assert.ok(forecast.snowDepthCm[i]! >= 0);
    }
  }
});

test('a run is the same whenever it is requested; the next one has other errors', () => {
  const request = { location, runMs: runs[7]!, count };
  assert.deepEqual(forecastHours(makeClimate(WORLD_SEED), request), pairs[7]!.forecast);
  assert.deepEqual(
    forecastHours(climate, { ...request, count: 72 }).rainMm,
    pairs[7]!.forecast.rainMm.slice(0, 72),
  );
  const next = forecastHours(climate, { ...request, runMs: request.runMs + 6 * HOUR_MS });
  assert.notEqual(next.temperatureC[100], pairs[7]!.forecast.temperatureC[106]);
});
