import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset, Scene } from '../catalog/index.ts';
import { toScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import { planChannelSample } from './intensity/find-contrast.ts';
import { makeMeasureIntensity } from './intensity/measure-intensity.ts';
import type { RenderOptions } from './pictures/plan-picture.ts';
import { defaultOptions } from './pictures/testing/default-options.ts';
import { planTile } from './pictures/testing/plan-tile.ts';
import type { TestImage } from './pixels/testing/compute-plan.ts';
import { computePlan, makeTestTools } from './pixels/testing/compute-plan.ts';
import { DEFAULT_LIMITS } from './plan/plan-inputs.ts';

const sensor = sensorByAbbreviation('S1');
assert.ok(sensor);

const SIDE = 1024;
const EMPTY_ROWS = 150;
const tableOf = (factor: number) => ({
  lines: [0, 500, 1023],
  pixels: [0, 300, 1023],
  values: [400, 500, 700, 420, 510, 730, 450, 560, 800].map((value) => value * factor),
});

/** VV says the column of each pixel and VH its row, from 1; the first rows are empty. */
const images: Record<string, TestImage> = {
  VV: { pixels: fill((column, row) => (row < EMPTY_ROWS ? 0 : column + 1)), width: SIDE, height: SIDE },
  VH: { pixels: fill((_, row) => row + 1), width: SIDE, height: SIDE },
};

function fill(value: (column: number, row: number) => number): Uint16Array {
  return new Uint16Array(SIDE * SIDE).map((_, i) => value(i % SIDE, Math.floor(i / SIDE)));
}

function makeRadarScene(more: Partial<Scene> = {}): Scene {
  const [asset] = Object.values(makeScene(21).assets) as [Asset];
  const file: Asset = { ...asset, scale: 1, offset: 0, overviews: [] };
  return toScene({
    ...makeScene(21, { assets: { VV: file, VH: file } }),
    viewId: `S1/${sensor!.sceneName.example}`,
    dataset: sensor!.dataset,
    calibration: {
      earthSunDistanceAu: null,
      bands: { VV: { sigmaNought: tableOf(1) }, VH: { sigmaNought: tableOf(1.5) } },
    },
    ...more,
  });
}

const scene = makeRadarScene();
/** Inside of the scene, at about its own resolution. */
const tile = { z: 14, x: 8331, y: 6055 };
const planOf = (bands: string, more: Partial<RenderOptions> = {}, of = scene) =>
  planTile({ sensor, bands, tile, options: { ...defaultOptions, method: 'near', ...more } }, of);
const calibrated = { calibrated: true };

/** Linear along the pixels and then between the lines, as the product's handbook has it. */
function interpolate({ lines, pixels, values }: ReturnType<typeof tableOf>, column: number, row: number) {
  const along = (nodes: number[], at: number): [number, number] => {
    const before = at < nodes[1]! ? 0 : 1;
    return [before, (at - nodes[before]!) / (nodes[before + 1]! - nodes[before]!)];
  };
  const [i, u] = along(pixels, column);
  const [j, v] = along(lines, row);
  const line = (k: number) => values[3 * k + i]! * (1 - u) + values[3 * k + i + 1]! * u;
  return line(j) * (1 - v) + line(j + 1) * v;
}

test('sigma nought is the stored number divided by the table at its place, squared, at every pixel', async () => {
  const stored = await computePlan(planOf('VV,VH,VH'), images);
  const sigma = await computePlan(planOf('VV,VH,VV/VH', { ...calibrated, isComposite: true }), images);
  assert.ok(stored && sigma);
  let compared = 0;
  for (let i = 0; i < 256 * 256; i += 37) {
    const column: number = stored[0]!.values[i]! - 1;
    const row: number = stored[1]!.values[i]! - 1;
    const isEmpty = row < EMPTY_ROWS;
    assert.equal(sigma[0]!.mask[i], isEmpty ? 0 : 1);
    const vh = ((row + 1) / interpolate(tableOf(1.5), column < 0 ? 0 : column, row)) ** 2;
    if (!isEmpty) {
      const vv = ((column + 1) / interpolate(tableOf(1), column, row)) ** 2;
      assert.ok(Math.abs(sigma[0]!.values[i]! / vv - 1) < 1e-5, `${sigma[0]!.values[i]} for ${vv}`);
      assert.ok(Math.abs(sigma[1]!.values[i]! / vh - 1) < 1e-5, `${sigma[1]!.values[i]} for ${vh}`);
      assert.ok(Math.abs(sigma[2]!.values[i]! / (vv / vh) - 1) < 1e-5);
      compared += 1;
    }
    assert.equal(sigma[2]!.mask[i], isEmpty ? 0 : 1, 'masked where either band is');
  }
  assert.ok(compared > 500 && compared < 1_700, `${compared} of 1,772 have data`);
});

test('the table is part of the plan, its plane is counted, and its contrast is measured on the same numbers', async () => {
  const plain = planOf('VV');
  const plan = planOf('VV', calibrated);
  assert.equal(plain.inputs[0]?.table, null);
  assert.deepEqual(plan.inputs[0]?.table?.values, tableOf(1));
  const { width, height } = plan.inputs[0]!.warp!.window;
  assert.equal(plan.bytes - plain.bytes, 4 * width * height + 4 * 256 * 256);

  const { sample } = planChannelSample(plan, 0, { scene, limits: DEFAULT_LIMITS.sample });
  assert.deepEqual([sample.grid.width, sample.grid.height], [1024, 1024]);
  const measure = makeMeasureIntensity(makeTestTools(images));
  const job = { sample, outlines: [], rule: { method: 'minmax' } as const };
  const { signal } = new AbortController();
  const [range] = await measure(job, { signal, cancelled: () => false, report: () => {} });
  assert.ok(range);
  assert.ok(Math.abs(range.min / (1 / interpolate(tableOf(1), 0, 1023)) ** 2 - 1) < 1e-5);
  assert.ok(Math.abs(range.max / (1024 / interpolate(tableOf(1), 1023, EMPTY_ROWS)) ** 2 - 1) < 1e-5);
});

test('a scene without its table is drawn as amplitude, and refused when calibrated', () => {
  const { calibration: _, ...bare } = scene;
  assert.equal(planOf('VV', {}, bare).inputs[0]?.rule, 'plain');
  assert.throws(() => planOf('VV', calibrated, bare), { code: 'no-calibration-table' });
});
