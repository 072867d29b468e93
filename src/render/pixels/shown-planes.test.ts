import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { paintPlanes } from '../../color/index.ts';
import type { ContrastRange } from '../../numbers/index.ts';
import { loadKernels, makeComputeBands } from '../../raster/index.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { planTile } from '../pictures/testing/plan-tile.ts';
import type { InputPlan } from '../plan/render-plan.ts';
import { toShownPlanes } from './shown-planes.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const scene = toScene(makeScene(21));
const kernels = loadKernels();
const compute = makeComputeBands(kernels);

/** Paints bands whose pixels count from a number on, with masks of their own, and counts the passes. */
function paint(bands: string, { first = 900, range }: { first?: number; range: ContrastRange }) {
  const tile = { z: 14, x: 8331, y: 6055 };
  const plan = planTile({ sensor: sensor!, bands, tile, options: defaultOptions }, scene);
  const allocate = kernels.begin();
  const count = 256 * 256;
  const warped = plan.inputs.map((_: InputPlan, input) => {
    const [valuesAt, maskAt] = [allocate(4 * count), allocate(count)];
    new Float32Array(kernels.buffer(), valuesAt, count).forEach((_value, i, all) => {
      all[i] = first + (i % 4_000) + input;
    });
    new Uint8Array(kernels.buffer(), maskAt, count).forEach((_value, i, all) => {
      all[i] = i % 7 === input ? 0 : 1;
    });
    return { valuesAt, maskAt, secondAt: 0 };
  });
  let passes = 0;
  const counted: typeof compute = (...work) => {
    passes += 1;
    return compute(...work);
  };
  const contrast = plan.tree.outputs.map(() => range);
  const shown = toShownPlanes(plan, { warped, contrast }, { kernels, compute: counted, allocate });
  const { rgbaAt } = paintPlanes(kernels, allocate, shown);
  return { pixels: new Uint8Array(kernels.buffer(), rgbaAt, 4 * count).slice(), passes };
}

test('bands whose offset is subtracted need no computing pass, and look as if computed', () => {
  const range = { min: 100, max: 2_900 };
  const shown = paint('B04,B03,B02', { range });
  assert.equal(shown.passes, 0);
  assert.deepEqual([...shown.pixels.subarray(12, 16)], [0, 0, 0, 255]);
  for (let i = 0; i < 256 * 256; i += 1) {
    const isMasked = i % 7 < 3;
    const levels = [0, 1, 2].map((input) => {
      const value = Math.max(1, 900 + (i % 4_000) + input - 1_000);
      return Math.min(255, Math.max(0, Math.floor(((value - 100) * 255) / 2_800 + 0.5)));
    });
    const wanted = isMasked ? [0, 0, 0, 0] : [...levels, 255];
    assert.deepEqual([...shown.pixels.subarray(4 * i, 4 * i + 4)], wanted, `pixel ${i}`);
  }
});

test('a band is computed if the contrast would show its lower bound of 1', () => {
  const { pixels, passes } = paint('B04', { range: { min: 0, max: 2 } });
  assert.equal(passes, 1);
  // 901 less 1000 is 1, which is half of 2.
  assert.deepEqual([...pixels.subarray(4, 8)], [128, 128, 128, 255]);
});

test('a band shown three times is one plane', () => {
  const { pixels } = paint('B04,B04,B04', { range: { min: 100, max: 2_900 } });
  const at = 4 * 1_501;
  assert.equal(pixels[at], pixels[at + 1]);
  assert.equal(pixels[at], pixels[at + 2]);
});
