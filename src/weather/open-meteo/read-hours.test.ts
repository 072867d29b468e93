import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../units.ts';
import { planHourlyVariables } from './hours-request.ts';
import { joinSteps, toSteps } from './read-hours.ts';

const gap = Number.NaN;
const variables = planHourlyVariables('archive', null, ['temperature', 'precipitation']);

/** A location with three hours of temperature and precipitation. */
const location = (temperature: number[], precipitation: number[], elevationM: number | null = 10) => ({
  elevationM,
  values: [Float64Array.from(temperature), Float64Array.from(precipitation)],
});

const request = {
  api: 'archive',
  model: null,
  locations: [
    [0, 0],
    [0, 60],
  ],
  variables,
  startMs: 0,
  endMs: 3 * HOUR_MS,
} as const;

test('the mean of locations is weighted by latitude, over those with a value', () => {
  const { values, elevationM } = toSteps(
    [location([3, 3, gap], [0, 3, 6], 30), location([9, gap, gap], [0, 9, gap], 60)],
    request,
    2,
  );
  // The cosine of 60° is a half: weights of 2/3 and 1/3.
  assert.ok(Math.abs(values.temperature![0]! - 5) < 1e-9);
  assert.equal(values.temperature![1], 3);
  assert.equal(values.temperature!.length, 2);
  assert.ok(Math.abs(elevationM! - 40) < 1e-9);
});

test('sums are assigned to the step they cover, and the last one is a gap if no hour follows it', () => {
  const answers = [location([1, 2, 3], [10, 11, 12]), location([1, 2, 3], [10, 11, 12], null)];
  const three = toSteps(answers, request, 3);
  assert.deepEqual([...three.values.temperature!], [1, 2, 3]);
  assert.deepEqual([...three.values.precipitation!], [11, 12, gap]);
  assert.equal(three.elevationM, null, 'one of them is not known');
  assert.deepEqual([...toSteps(answers, request, 2).values.precipitation!], [11, 12]);
});

test('parts are joined into one series, with gaps where no part has a value', () => {
  const part = (hour: number, temperature: number[], elevationM: number | null) => ({
    startMs: hour * HOUR_MS,
    stepCount: temperature.length,
    values: {
      temperature: Float64Array.from(temperature),
      snowDepth: new Float64Array(temperature.length).fill(gap),
    },
    elevationM,
  });
  const joined = joinSteps([part(0, [1, 2, 3], null), part(2, [gap, 5], 70), part(6, [9], 80)], HOUR_MS, 4);
  assert.deepEqual([...joined.values.temperature!], [2, 3, 5, gap]);
  assert.equal('snowDepth' in joined.values, false, 'what is not known at all is absent');
  assert.equal(joined.elevationM, 70);
  assert.deepEqual(joinSteps([], 0, 4).values, {});
});
