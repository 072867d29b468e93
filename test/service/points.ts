/** Values at points of the demo scene, requested as a client would, compared with its files and the truth they were made from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sensorByDataset } from '../../src/sensors/index.ts';
import { findShot } from '../../world/demo/ask-truth.ts';
import { planSet } from '../../world/demo/plan-set.ts';
import { findTruth, toLocalPoint } from '../../world/demo/truth.ts';
import { toDay } from '../../world/setting.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import { readDemoPixel } from '../support/demo-grid.ts';
import { serveDemo } from '../support/serve-demo.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';
import { openWorld } from '../world/shared-world.ts';
import { statedNoise } from '../world/stated-noise.ts';

const [ABBREVIATION = '', ...NAME] = DEMO_SCENE.viewId.split('/');

const demo = serveDemo();

type Pair = [x: number, y: number];
const ask = (bands: string, [lon, lat]: Pair, query = '') =>
  fetch(
    `${demo.swath.url}/api/render/${ABBREVIATION}/point/${NAME.join('/')}/${bands}/${lat.toFixed(8)}/${lon.toFixed(8)}${query}`,
    { headers: { 'x-api-key': SERVICE_KEY } },
  );

async function readValue(bands: string, pixel: Pair, query = ''): Promise<number | null> {
  const response = await ask(bands, demo.grid.toDegrees(pixel), query);
  assert.equal(response.status, 200, await response.clone().text());
  const body = (await response.json()) as { index_value: number | null };
  assert.deepEqual(Object.keys(body), ['index_value']);
  return body.index_value;
}

/** Centres of pixels all over the scene. */
const somePixels = (count: number): Pair[] =>
  Array.from({ length: count }, (_, i) => [
    Math.floor(((i * 0.618034) % 1) * demo.grid.width) + 0.5,
    Math.floor(((i + 0.5) / count) * demo.grid.height) + 0.5,
  ]);

test('stored numbers of bands at every resolution equal those of the files', async () => {
  for (const pixel of somePixels(12)) {
    for (const band of ['B04', 'B11', 'B01', 'SCL']) {
      const stored = await readDemoPixel(demo.swath.dataDir, band, pixel);
      const value = await readValue(band, pixel);
      // In both files 0 is where nothing was measured.
      assert.equal(value ?? 0, stored, `${band} at ${pixel}`);
    }
  }
});

test('calibrated values match the truth of the demo world, apart from noise and rounding', async () => {
  const sensor = sensorByDataset(DEMO_SCENE.dataset)!;
  const world = await openWorld();
  const day = toDay('2026-06-21');
  const point = toLocalPoint(...demo.grid.toDegrees([demo.grid.width / 2, demo.grid.height / 2]));
  const shot = findShot(planSet('standard', world.climate), { dataset: DEMO_SCENE.dataset, day, point })!;
  const see = (where: typeof point) => findTruth(world, where, { sensor, atMs: shot.atMs, sky: shot.sky });
  const finest = ['B02', 'B03', 'B04', 'B08'];
  let compared = 0;
  for (const pixel of somePixels(20)) {
    const truth = see(toLocalPoint(...demo.grid.toDegrees(pixel)));
    if (truth.cloud !== 'none') continue;
    for (const name of finest) {
      const is = truth.bands.find((band) => band.name === name)!.surface;
      const { dark, shot } = statedNoise(DEMO_SCENE.dataset, { name, kind: 'reflective' });
      const value = await readValue(name, pixel, '?CALIBRATE=1');
      // The writers' noise is never beyond 3.45 deviations, and numbers are stored in ten-thousandths.
      const slack = 3.46 * Math.sqrt(dark ** 2 + shot * is) + 0.501e-4 + 1e-6;
      assert.ok(value !== null && Math.abs(value - is) <= slack, `${name} at ${pixel}: ${value}, not ${is}`);
      compared += 1;
    }
    const [red, nir] = [await readValue('B04', pixel), await readValue('B08', pixel)] as [number, number];
    const index = await readValue('NDVI', pixel);
    assert.ok(Math.abs(index! - (nir - red) / (nir + red)) < 1e-6);
  }
  assert.ok(compared >= 40, `only ${compared} values were compared`);
});

test('a point outside the scene is 404', async () => {
  for (const position of [
    demo.grid.toDegrees([-0.5, 100]),
    demo.grid.toDegrees([100, demo.grid.height + 0.5]),
    [2.95, 42.7],
  ]) {
    assert.equal((await ask('B04', position as Pair)).status, 404);
  }
});
