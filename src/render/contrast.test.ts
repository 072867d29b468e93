import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../test/support/make-scene.ts';
import { toScene } from '../catalog/index.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import type { BandContrastJob, ComputedContrastJob } from './contrast.ts';
import { makeFindContrast } from './contrast.ts';
import type { Pool } from './pool/index.ts';
import { planTile } from './testing/plan-tile.ts';
import { usualOptions } from './testing/usual-options.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const asset = Object.values(makeScene(21).assets)[0];
assert.ok(asset);
const file = { ...asset, beside: ['.ovr'] as const };
const scene = toScene(makeScene(21, { assets: { B04: file, B08: file }, cloudPercent: 4 }));
const planOf = (bands: string, options = usualOptions) =>
  planTile({ sensor, bands, tile: { z: 14, x: 8331, y: 6055 }, options }, scene);
const plan = planOf('B04');
const asker = { owner: 'me', signal: new AbortController().signal };

function makeDeps(store: Map<string, { min: number; max: number }> | 'broken') {
  const jobs: (BandContrastJob & ComputedContrastJob)[] = [];
  const forgotten: unknown[] = [];
  const pool = {
    async run({ kind, input }: { kind: string; input: BandContrastJob & ComputedContrastJob }) {
      jobs.push(input);
      const range = { min: 1, max: 2 };
      const output =
        kind === 'band-contrast'
          ? range
          : input.sample.tree.outputs.map((_, i) => ({ min: i, max: i + 10 * jobs.length }));
      return { output, queuedMs: 0 };
    },
  } as unknown as Pool;
  const contrasts = {
    find: async (key: string) => (store === 'broken' ? null : (store.get(key) ?? null)),
    async put(key: string, range: { min: number; max: number }) {
      if (store === 'broken') throw new Error('disk full');
      store.set(key, range);
    },
  };
  const findContrast = makeFindContrast({
    store: contrasts,
    pool,
    timeoutMs: 1_000,
    onForgotten: (error) => forgotten.push(error),
  });
  return { findContrast, jobs, forgotten };
}

test('a contrast is measured once, on the same files the picture is drawn from', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  assert.deepEqual(await findContrast({ plan, scene }, asker), [{ min: 1, max: 2 }]);
  await findContrast({ plan, scene }, asker);
  assert.equal(jobs.length, 1);
  const [stretch] = plan.stretches;
  assert.ok(stretch?.kind === 'band');
  assert.deepEqual(jobs[0]?.sample, stretch.sample);
  assert.deepEqual(stretch.sample.beside, ['.ovr']);
});

test('a range that is given is taken, and nothing is measured', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  const fixed = planOf('NDVI', { ...usualOptions, range: { min: 5, max: 9 } });
  assert.deepEqual(await findContrast({ plan: fixed, scene }, asker), [{ min: 5, max: 9 }]);
  assert.equal(jobs.length, 0);
});

test('a range that cannot be stored is still right', async () => {
  const { findContrast, forgotten } = makeDeps('broken');
  assert.deepEqual(await findContrast({ plan, scene }, asker), [{ min: 1, max: 2 }]);
  assert.equal(forgotten.length, 1);
});

test('expressions of a picture are measured in one job, once for every spelling of them', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  const composite = { ...usualOptions, isComposite: true };
  const ranges = await findContrast({ plan: planOf('B08/B04,NDVI,B04', composite), scene }, asker);
  assert.deepEqual(ranges, [
    { min: 0, max: 20 },
    { min: 1, max: 21 },
    // A band has its own contrast, also beside expressions.
    { min: 1, max: 2 },
  ]);
  assert.equal(jobs.length, 2);
  assert.deepEqual(
    await findContrast({ plan: planOf('B8 / RED,(nir-B4)/(B08 + B04),B4', composite), scene }, asker),
    ranges,
  );
  assert.equal(jobs.length, 2);
});

test('calibrated numbers have a contrast of their own', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  const calibrated = { ...usualOptions, calibrated: true };
  await findContrast({ plan: planOf('B08-B04'), scene }, asker);
  await findContrast({ plan: planOf('B08-B04', calibrated), scene }, asker);
  await findContrast({ plan: planOf('B04', calibrated), scene }, asker);
  await findContrast({ plan, scene }, asker);
  assert.equal(jobs.length, 4);
});
