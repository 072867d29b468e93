/** Indices of fields, as anyone asks the service for them, are those of the world but for the sensor's noise. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findBand, sensorByDataset } from '../../src/sensors/index.ts';
import { findTruth, toLocalPoint } from '../../world/demo/truth.ts';
import type { World } from '../../world/ground/world.ts';
import { expose } from '../../world/light/index.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { serveDemo } from '../support/serve-demo.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';
import { toSpectral } from '../world/see-product.ts';
import { openWorld } from '../world/shared-world.ts';
import { statedNoise } from '../world/stated-noise.ts';

interface Light {
  readonly B02: number;
  readonly B04: number;
  readonly B08: number;
}

/** The published formulas: Rouse 1974, Huete 1997. */
const INDICES: Readonly<Record<string, (light: Light) => number>> = {
  NDVI: ({ B04, B08 }) => (B08 - B04) / (B08 + B04),
  EVI: ({ B02, B04, B08 }) => (2.5 * (B08 - B04)) / (B08 + 6 * B04 - 7.5 * B02 + 1),
};

const BANDS = ['B02', 'B04', 'B08'] as const;
const CLEAR = { seed: 0, opaque: 0, cirrus: 0, haze: 0 };
const AT = Date.parse('2026-06-21T19:10:12Z');
/** Pixels between those that are compared. */
const EVERY = 23;
/** The writers' noise is never beyond 3.45 deviations. */
const FARTHEST = 3.46;
/** What a stored number is worth. */
const STEP = 1e-4;

const sensor = sensorByDataset(DEMO_SCENE.dataset)!;
const demo = serveDemo();
let world: World;
before(async () => {
  world = await openWorld();
});

async function readIndex(index: string, [lon, lat]: readonly [number, number]): Promise<number> {
  const scene = DEMO_SCENE.viewId.slice('S2L2A/'.length);
  const path = `/api/render/S2L2A/point/${scene}/${index}/${lat}/${lon}?CALIBRATE=1`;
  const answer = await fetch(demo.swath.url + path, { headers: { 'x-api-key': SERVICE_KEY } });
  assert.equal(answer.status, 200, path);
  return ((await answer.json()) as { index_value: number }).index_value;
}

/** How far an index may be off and how far it is on average, when its bands are as noisy as they are said to be. */
function spreadOf(compute: (light: Light) => number, light: Light): { farthest: number; deviation: number } {
  let [variance, farthest] = [0, 0];
  for (const name of BANDS) {
    const { dark, shot } = statedNoise('sentinel2l2a', { name, kind: 'reflective' });
    const noise = Math.sqrt(dark ** 2 + shot * Math.max(0, light[name]));
    const moved = (by: number): number => compute({ ...light, [name]: light[name] + by });
    const slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
    variance += slope ** 2 * (noise ** 2 + STEP ** 2 / 12);
    farthest += Math.abs(slope) * (FARTHEST * noise + 0.501 * STEP);
  }
  return { farthest, deviation: Math.sqrt(variance) };
}

/** Some pixels of fields: where they lie, and the light that the ground there sends back. */
async function surveyFields() {
  const { width, height, toDegrees } = demo.grid;
  const steps = (size: number) => Array.from({ length: Math.floor(size / EVERY) }, (_, i) => i * EVERY + 5.5);
  const pixels = steps(height).flatMap((y) => steps(width).map((x) => toDegrees([x, y])));
  const local = pixels.map((degrees) => toLocalPoint(...degrees));
  // pixels' centres lie on whole metres
  const survey = world.ground.survey({
    width: pixels.length,
    height: 1,
    sideM: 10,
    x: Float64Array.from(local, ({ x }) => Math.round(x)),
    y: Float64Array.from(local, ({ y }) => Math.round(y)),
  });
  const bands = BANDS.map((name) => toSpectral(findBand(sensor, name)!));
  const { planes } = expose(world, { survey, atMs: AT, bands, sky: CLEAR, level: 'surface' });
  const [blue, red, nir] = planes as [Float32Array, Float32Array, Float32Array];
  return pixels
    .map((degrees, i) => ({ degrees, light: { B02: blue[i]!, B04: red[i]!, B08: nir[i]! } }))
    .filter((_, i) => survey.fieldId[i] !== 0);
}

test('NDVI and EVI of fields match the world within the noise of their bands', async () => {
  const fields = await surveyFields();
  const offs: Readonly<Record<string, number[]>> = { NDVI: [], EVI: [] };
  for (const [i, { degrees, light }] of fields.entries()) {
    const point = toLocalPoint(...degrees);
    const truth = i === 0 ? findTruth(world, point, { sensor, atMs: AT, sky: null }) : null;
    for (const [index, compute] of Object.entries(INDICES)) {
      const wanted = compute(light);
      // what `swath demo truth` says is the same
      if (truth !== null) assert.ok(Math.abs(wanted - (truth.indices[index] ?? Number.NaN)) < 1e-5, index);
      const { farthest, deviation } = spreadOf(compute, light);
      const found = await readIndex(index, degrees);
      // a tenth more, because indices are not straight
      assert.ok(
        Math.abs(found - wanted) <= 1.1 * farthest,
        `${index} at ${degrees}: ${found}, not ${wanted}`,
      );
      offs[index]?.push((found - wanted) / deviation);
    }
  }
  for (const [index, all] of Object.entries(offs)) {
    assert.ok(all.length > 100, `${all.length} pixels`);
    const mean = all.reduce((sum, off) => sum + off, 0) / all.length;
    const spread = Math.sqrt(all.reduce((sum, off) => sum + off * off, 0) / all.length);
    assert.ok(Math.abs(mean) < 4 / Math.sqrt(all.length), `${index} is biased by ${mean} deviations`);
    assert.ok(Math.abs(spread - 1) < 4 / Math.sqrt(2 * all.length), `${index} spreads by ${spread}`);
  }
});
