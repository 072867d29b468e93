/**
 * Compares sharpened pictures with the formulas computed by NumPy, from the planes of the files to the result:
 * `npm run node -- test/oracle/pansharpen/check-pansharpen.ts`. The panchromatic band has pixels of half the size, and its grid is
 * shifted by half of one, as Landsat's is. Needs a Python with NumPy. Prints a table and fails on a mismatch.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Grid } from '../../../src/geo/index.ts';
import type { ResampleMethod } from '../../../src/raster/index.ts';
import { loadKernels } from '../../../src/raster/index.ts';
import { putPlanes } from '../../../src/raster/testing/put-planes.ts';
import type { SceneFixture } from '../../../src/raster/testing/scene-fixture.ts';
import { warpFixture } from '../../../src/raster/testing/scene-fixture.ts';
import {
  makeIndexDetailSums,
  sharpenBand,
  sharpenComposite,
  sharpenIndex,
} from '../../../src/render/pansharpening/pansharpen.ts';
import { findPython } from '../tiff/find-python.ts';

/** Float32 numbers computed in several steps, against float64. */
const MAX_RELATIVE = 2e-6;
const WEIGHTS = [0.52, 0.25, 0.23];

const utm = (left: number, top: number, sizeM: number, width: number, height: number): Grid => ({
  epsg: 32_633,
  transform: [left, sizeM, 0, top, 0, -sizeM],
  width,
  height,
});
const bandGrid = utm(499_980, 5_200_020, 30, 90, 70);
const panGrid = utm(499_987.5, 5_200_012.5, 15, 179, 139);

let state = 77;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

/** Whole numbers with slopes, noise and a missing corner; NaN is what is missing. */
function makeScene(grid: Grid, bandCount: number): SceneFixture {
  const { width, height } = grid;
  const mask = new Uint8Array(width * height).map((_, i) =>
    Number(i % width > 12 || Math.floor(i / width) > 9),
  );
  const bands = Array.from({ length: bandCount }, (_, band) =>
    new Float32Array(width * height).map((_, i) => {
      const wave = Math.sin((i % width) / (7 + band)) + Math.cos(i / width / 11);
      return mask[i] === 1 ? Math.round(9000 + 600 * band + 1500 * wave + 2000 * random()) : Number.NaN;
    }),
  );
  return { grid, bands, mask };
}

const bandScene = makeScene(bandGrid, 3);
const panScene = makeScene(panGrid, 1);
const targets = [utm(500_101.3, 5_199_903.1, 14.2, 83, 61), utm(499_900.7, 5_200_071.9, 9.7, 130, 77)];
const methods = ['near', 'bilinear'] as const satisfies readonly ResampleMethod[];
const kernels = loadKernels();

/** All three results of a picture, and where there are some, as a renderer makes them. */
function sharpen(target: Grid, method: ResampleMethod) {
  const low = warpFixture(kernels, panScene, bandGrid, 'average');
  const bandMask = bandScene.mask!.map((has, i) => has & low.mask[i]!);
  const withLow = { grid: bandGrid, bands: [...bandScene.bands, low.bands[0]!], mask: bandMask };
  const up = warpFixture(kernels, withLow, target, method);
  const pan = warpFixture(kernels, panScene, target, method);
  const mask = up.mask.map((has, i) => has & pan.mask[i]!);
  const [first, second, third, panLow] = up.bands as [Float32Array, Float32Array, Float32Array, Float32Array];
  const index = first.map((value, i) => (third[i]! - value) / (third[i]! + value));
  const sums = makeIndexDetailSums();
  sums.add({ index, pan: pan.bands[0]!, low: panLow, mask });
  const detail = sums.finish();
  if (detail === null) throw new Error('the target misses the scene');
  const put = putPlanes(
    kernels,
    [pan.bands[0]!, panLow, first, second, third, Float32Array.from(second), index],
    mask,
  );
  const [panAt, lowAt, ...others] = put.at as [number, number, ...number[]];
  const planes = { panAt, lowAt, maskAt: put.maskAt, count: put.count };
  sharpenBand(kernels, others[3]!, planes);
  sharpenIndex(kernels, others[4]!, { ...planes, detail });
  const composite = { ...planes, bandsAt: others.slice(0, 3), weights: WEIGHTS, limits: null };
  sharpenComposite(kernels, put.allocate, composite);
  return { mask: put.mask(), results: [2, 3, 4, 5, 6].map((i) => put.plane(i)) };
}

const folder = mkdtempSync(join(tmpdir(), 'swath-pansharpen-'));
try {
  const write = (name: string, planes: readonly (Float32Array | Uint8Array)[]) =>
    writeFileSync(join(folder, name), Buffer.concat(planes.map((plane) => new Uint8Array(plane.buffer))));
  write('bands.raw', bandScene.bands);
  write('pan.raw', panScene.bands);
  const jobs = targets.flatMap((target, t) =>
    methods.map((method) => ({ name: `${t}-${method}`, target, method })),
  );
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify({ bandGrid, panGrid, weights: WEIGHTS, jobs }));
  const script = fileURLToPath(new URL('numpy_pansharpen.py', import.meta.url));
  console.log(execFileSync(findPython(), [script, folder], { encoding: 'utf8' }).trim());

  const names = ['first', 'second', 'third', 'band', 'index'];
  let bad = 0;
  for (const { name, target, method } of jobs) {
    const { mask, results } = sharpen(target, method);
    const stored = new Float32Array(new Uint8Array(readFileSync(join(folder, `${name}.raw`))).buffer);
    const otherMask = mask.reduce((sum, has, i) => sum + Number(Number.isNaN(stored[i]!) === (has === 1)), 0);
    const worst = results.map((plane, p) =>
      plane.reduce((max, value, i) => {
        const wanted = stored[p * mask.length + i]!;
        const scale = Math.max(Math.abs(wanted), p === 4 ? 1 : 0);
        return mask[i] === 1 && !Number.isNaN(wanted) ? Math.max(max, Math.abs(value - wanted) / scale) : max;
      }, 0),
    );
    const isGood = otherMask === 0 && worst.every((part) => part <= MAX_RELATIVE);
    if (!isGood) bad++;
    const valid = mask.reduce((sum, has) => sum + has, 0);
    const shown = worst.map((part, p) => `${names[p]} ${part.toExponential(1)}`).join(', ');
    console.log(
      `${isGood ? 'ok' : 'MISMATCH'} ${name}: ${valid} of ${mask.length} px, mask<> ${otherMask}, ${shown}`,
    );
  }
  console.log(`${jobs.length} pictures, ${bad} mismatches`);
  process.exitCode = bad === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
