/**
 * Asks NumPy and SciPy whether the arithmetic of stacks is right: `npm run oracle stack`. Random scenes with holes become
 * one picture by each operation of src/stack, and random masks grow and get distances to their edges; judge_stack.py
 * compares every pixel.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Allocate } from '../../../src/raster/index.ts';
import { loadKernels } from '../../../src/raster/index.ts';
import type {
  PixelSums,
  RatedScene,
  ScenePlanes,
  WithCounts,
  WithIndexes,
} from '../../../src/stack/index.ts';
import {
  dilateMask,
  distanceToEdge,
  makeBestPixels,
  makeBlend,
  makeFirstFit,
  makePixelCount,
  makePixelDeviation,
  makePixelMean,
  stackMedoid,
  stackPercentile,
} from '../../../src/stack/index.ts';
import type { PlainScene } from '../../../src/stack/testing/plain-stack.ts';
import type { StackRecipe } from '../../../src/stack/testing/put-scenes.ts';
import { makeRandom, makeStack, put, putScenes } from '../../../src/stack/testing/put-scenes.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';

const PACKAGES = ['numpy==2.4.6', 'scipy==1.17.1'];
const PERCENTS = [0, 10, 37.5, 90, 100];
/** From where on the values of a scene are opaque, for blends. */
const OPAQUE_AT = 0.6;

const kernels = loadKernels();

const STACKS: readonly StackRecipe[] = [
  { seed: 1, sceneCount: 10, channelCount: 3, count: 20_001, clearShare: 0.7, kind: 'fractions' },
  { seed: 2, sceneCount: 10, channelCount: 3, count: 20_001, clearShare: 0.7, kind: 'whole' },
  { seed: 3, sceneCount: 1, channelCount: 4, count: 1_003, clearShare: 0.5, kind: 'fractions' },
  { seed: 4, sceneCount: 2, channelCount: 1, count: 5_000, clearShare: 0.9, kind: 'fractions' },
  { seed: 5, sceneCount: 64, channelCount: 2, count: 3_333, clearShare: 0.4, kind: 'fractions' },
  { seed: 6, sceneCount: 37, channelCount: 4, count: 2_048, clearShare: 0.05, kind: 'whole' },
  { seed: 7, sceneCount: 23, channelCount: 1, count: 4_095, clearShare: 1, kind: 'fractions' },
];
const MASKS = [
  { seed: 8, width: 150, height: 110, share: 0.001 },
  { seed: 9, width: 97, height: 130, share: 0.02 },
  { seed: 10, width: 128, height: 64, share: 0.5 },
  { seed: 11, width: 143, height: 101, share: 0.999 },
  { seed: 12, width: 33, height: 17, share: 1 },
  { seed: 13, width: 33, height: 17, share: 0 },
];
const RADII = [0.5, 1, Math.SQRT2, 2.9, 5, 13, 40];

/** The same scenes with some values that are not a number. */
function withGaps(scenes: readonly PlainScene[], seed: number): readonly PlainScene[] {
  const random = makeRandom(seed);
  const gaps = (plane: Float32Array) => plane.map((value) => (random() < 0.02 ? Number.NaN : value));
  return scenes.map(({ channels, mask, values }) => ({
    channels: channels.map(gaps),
    mask,
    values: gaps(values),
  }));
}

type Made = ScenePlanes & Partial<WithCounts & WithIndexes>;
type Operation = (allocate: Allocate, scenes: readonly RatedScene[], size: StackRecipe) => Made;

const addAll = (sums: PixelSums, scenes: readonly ScenePlanes[]): Made => {
  for (const scene of scenes) sums.add(scene);
  return sums.finish();
};

const bestBy =
  (wins: 'highest' | 'lowest'): Operation =>
  (allocate, scenes, { count, channelCount }) => {
    const best = makeBestPixels(kernels, allocate, { count, channelCount, wins });
    for (const [i, scene] of scenes.entries()) best.add(scene, i);
    return best.finish();
  };

const percentile =
  (percent: number): Operation =>
  (allocate, scenes, { count }) =>
    stackPercentile(kernels, allocate, { scenes, count, percent });

const OPERATIONS: Readonly<Record<string, Operation>> = {
  median: percentile(50),
  ...Object.fromEntries(PERCENTS.map((percent) => [`percentile ${percent}`, percentile(percent)])),
  mean: (allocate, scenes, size) => addAll(makePixelMean(kernels, allocate, size), scenes),
  stddev: (allocate, scenes, size) => addAll(makePixelDeviation(kernels, allocate, size), scenes),
  count: (allocate, scenes, size) => addAll(makePixelCount(kernels, allocate, size), scenes),
  medoid: (allocate, scenes, { count }) => stackMedoid(kernels, allocate, { scenes, count }),
  highest: bestBy('highest'),
  lowest: bestBy('lowest'),
  first: (allocate, scenes, size) => {
    const fit = makeFirstFit(kernels, allocate, size);
    for (const [i, scene] of scenes.entries()) fit.add(scene, i);
    return fit.finish();
  },
  blend: (allocate, scenes, size) => {
    const blend = makeBlend(kernels, allocate, size);
    for (const [i, scene] of scenes.entries())
      blend.add({ ...scene, alphasAt: scene.valuesAt, opaqueAt: OPAQUE_AT }, i);
    return blend.finish();
  },
};

if (!hasPython()) {
  console.error('This check needs python3.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-stack-'));
try {
  const write = (name: string, at: number, byteLength: number) =>
    writeFileSync(join(folder, name), new Uint8Array(kernels.buffer(), at, byteLength));
  for (const recipe of STACKS) {
    const { seed, count } = recipe;
    const scenes = withGaps(makeStack(recipe), seed);
    const planes = scenes.flatMap(({ channels, values, mask }) => [...channels, values, mask]);
    writeFileSync(
      join(folder, `${seed}.scenes`),
      Buffer.concat(planes.map(({ buffer }) => new Uint8Array(buffer))),
    );
    for (const [name, operate] of Object.entries(OPERATIONS)) {
      const allocate = kernels.begin();
      const made = operate(allocate, putScenes(kernels, allocate, scenes), recipe);
      for (const [i, at] of made.channelsAt.entries()) write(`${seed}.${name}.channel${i}`, at, 4 * count);
      write(`${seed}.${name}.mask`, made.maskAt, count);
      if (made.countsAt !== undefined) write(`${seed}.${name}.counts`, made.countsAt, 2 * count);
      if (made.indexesAt !== undefined) write(`${seed}.${name}.indexes`, made.indexesAt, 2 * count);
    }
  }
  for (const { seed, width, height, share } of MASKS) {
    const random = makeRandom(seed);
    const mask = new Uint8Array(width * height).map(() => Number(random() < share));
    writeFileSync(join(folder, `${seed}.mask`), mask);
    for (const [i, radiusPx] of RADII.entries()) {
      const allocate = kernels.begin();
      const maskAt = put(kernels, allocate, mask);
      const size = { maskAt, width, height };
      for (const isOutsideUnset of [false, true]) {
        const at = distanceToEdge(kernels, allocate, { ...size, maxPx: radiusPx, isOutsideUnset });
        write(`${seed}.distance${i}.${Number(isOutsideUnset)}`, at, 4 * mask.length);
      }
      dilateMask(kernels, allocate, { ...size, radiusPx });
      write(`${seed}.dilated${i}`, maskAt, mask.length);
    }
  }
  const jobs = {
    stacks: STACKS,
    operations: Object.keys(OPERATIONS),
    opaqueAt: OPAQUE_AT,
    masks: MASKS,
    radii: RADII,
  };
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(jobs));
  const bin = await installPython('swath-oracle-stack', PACKAGES, console.log);
  const script = fileURLToPath(new URL('judge_stack.py', import.meta.url));
  process.exitCode = spawnSync(join(bin, 'python'), [script, folder], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
