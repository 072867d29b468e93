import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeProjection } from '../../src/proj/index.ts';
import { makeClimate } from '../climate/climate.ts';
import type { Ground } from '../ground/ground.ts';
import { makeGround } from '../ground/index.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { toPalette } from '../light/index.ts';
import { epsg, frame, spots, toDay } from '../setting.ts';
import {
  RELIEF_COUNT,
  RELIEF_ROWS,
  RELIEF_SPACING_M,
  RELIEF_STEP_M,
  reliefHeightM,
} from './relief-height.ts';
import { makeWorldWeather } from './world-weather.ts';

const weather = makeWorldWeather();
// some seconds of work, so every test here looks at the same ground
let ground: Ground;
before(() => {
  ground = makeGround({ seed: WORLD_SEED, climate: makeClimate(WORLD_SEED) });
});

/** Points a side, and the blur of each, whose mean height stands for a location's. */
const SAMPLES = 6;
const BLUR_M = 320;

test('the recorded heights match the ground', () => {
  const inside = (metres: number): number => Math.min(frame.sizeM - 1, Math.max(1, metres));
  const meanAround = (column: number, row: number): number => {
    let sum = 0;
    for (let i = 0; i < SAMPLES * SAMPLES; i++) {
      const east = ((i % SAMPLES) + 0.5) / SAMPLES - 0.5;
      const south = (Math.floor(i / SAMPLES) + 0.5) / SAMPLES - 0.5;
      const [x, y] = [(column + east) * RELIEF_SPACING_M, (row + south) * RELIEF_SPACING_M];
      sum += ground.heightAt(inside(x), inside(y), BLUR_M);
    }
    return sum / (SAMPLES * SAMPLES);
  };
  const columns = Array.from({ length: RELIEF_COUNT }, (_, i) => i);
  const rows = columns.map((row) =>
    columns
      .map((column) =>
        Math.round(meanAround(column, row) / RELIEF_STEP_M)
          .toString(36)
          .padStart(2, '0'),
      )
      .join(''),
  );
  assert.deepEqual(RELIEF_ROWS, rows);
  for (const { x, y } of [spots.farm, spots.town, spots.shore, spots.flood]) {
    assert.ok(Math.abs(reliefHeightM(x, y) - ground.heightAt(x, y)) < 12, `at ${x} ${y}`);
  }
  assert.ok(reliefHeightM(spots.summit.x, spots.summit.y) > 1800);
});

test('there is snow where scenes show it, and none where they do not', () => {
  const pixelM = RELIEF_SPACING_M;
  const width = 27;
  const indices = Array.from({ length: width * width }, (_, i) => i);
  const x = Float64Array.from(indices, (i) => (2 * (i % width) + 1) * pixelM);
  const y = Float64Array.from(indices, (i) => (2 * Math.floor(i / width) + 1) * pixelM);
  const survey = ground.survey({ width, height: width, sideM: pixelM, x, y });
  let [white, bare, right] = [0, 0, 0];
  for (const date of ['2025-12-20', '2026-02-10', '2026-04-15', '2026-06-21', '2026-08-17']) {
    const { snow } = ground.paint(survey, toDay(date), toPalette([]));
    for (const i of indices) {
      const location = { x: x[i]!, y: y[i]!, heightM: reliefHeightM(x[i]!, y[i]!) };
      const depthCm = weather.days({ location, firstDay: toDay(date), count: 1 }).snowDepthCm[0]!;
      // crowns hide most of the snow in a forest
      if (snow[i]! > 0.2 && location.heightM > 0) {
        white++;
        if (depthCm > 2) right++;
      } else if (snow[i]! < 0.02 && location.heightM > 0) {
        bare++;
        if (depthCm < 10) right++;
      }
    }
  }
  assert.ok(white > 200 && bare > 200, `${white} white and ${bare} bare`);
  // Slopes that face south or shed their snow are barer than a level ground of their height.
  assert.ok(right / (white + bare) > 0.97, `${right} of ${white + bare}`);
});

test('only locations in the world have weather', () => {
  const { forward } = makeProjection(epsg, 4326);
  const locate = (x: number, y: number) => {
    const [longitude, latitude] = forward(frame.west + x, frame.north - y);
    return weather.locate(longitude, latitude);
  };
  const far = frame.sizeM;
  for (const [x, y] of [
    [1, 1],
    [far - 1, 1],
    [1, far - 1],
    [far - 1, far - 1],
  ] as const) {
    const location = locate(x, y)!;
    assert.ok(Math.hypot(location.x - x, location.y - y) < 0.01);
    assert.ok(location.heightM >= 0 && location.heightM < 3000);
  }
  for (const [x, y] of [
    [-1, 50_000],
    [50_000, -1],
    [far + 1, 50_000],
    [50_000, far + 1],
  ] as const) {
    assert.equal(locate(x, y), null);
  }
  assert.equal(weather.locate(30.5, 50.4), null);
});

test('years far ahead have weather and forecasts too', () => {
  const location = weather.locate(-122.35, 48.3)!;
  const runMs = Date.UTC(2061, 6, 4, 18);
  const { temperatureC } = weather.forecast({ location, runMs, count: 180 });
  assert.ok(temperatureC.every((celsius) => celsius > 0 && celsius < 40));
});
