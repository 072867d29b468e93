import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../../catalog/index.ts';
import { toScene } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import type { ContrastRange } from '../../numbers/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { sensorByAbbreviation } from '../../sensors/index.ts';
import { defaultOptions } from '../pictures/testing/default-options.ts';
import { planTile } from '../pictures/testing/plan-tile.ts';
import { DEFAULT_LIMITS } from '../plan/plan-inputs.ts';
import { makeFindContrast } from './find-contrast.ts';
import type { IntensityJob, IntensityJobs } from './measure-intensity.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const asset = Object.values(makeScene(21).assets)[0];
assert.ok(asset);
const file = { ...asset, sidecars: ['.ovr'] as const };
const scene = toScene(makeScene(21, { assets: { B04: file, B08: file }, cloudPercent: 4 }));
const planOf = (bands: string, options = defaultOptions) =>
  planTile({ sensor, bands, tile: { z: 14, x: 8331, y: 6055 }, options }, scene);
const plan = planOf('B04');

function makeDeps(
  store: Map<string, ContrastRange> | 'broken',
  found: readonly (ContrastRange | null)[] | null = null,
) {
  const jobs: IntensityJob[] = [];
  const counts: unknown[] = [];
  const forgotten: unknown[] = [];
  const pool = makeRunnerHere<IntensityJobs>({
    'cloud-cover'(input) {
      counts.push(input);
      return 12;
    },
    intensity(input) {
      jobs.push(input);
      return found ?? [{ min: 1, max: 1 + jobs.length }];
    },
  });
  const contrasts = {
    find: async (key: string) => (store === 'broken' ? null : (store.get(key) ?? null)),
    async put(key: string, range: { min: number; max: number }) {
      if (store === 'broken') throw new Error('disk full');
      store.set(key, range);
    },
  };
  const findContrast = makeFindContrast({
    limits: DEFAULT_LIMITS,
    store: contrasts,
    pool,
    onForgotten: (error) => forgotten.push(error),
  });
  return { findContrast, jobs, counts, forgotten };
}

test('a contrast is measured once, on the same files the picture is drawn from', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  assert.deepEqual(await findContrast({ plan, scene }, aTicket), [{ min: 1, max: 2 }]);
  await findContrast({ plan, scene }, aTicket);
  assert.equal(jobs.length, 1);
  const [input] = jobs[0]!.sample.inputs;
  const { warp: _, ...drawn } = plan.inputs[0]!;
  assert.deepEqual({ ...drawn, warp: input!.warp }, input);
  assert.deepEqual(input!.sidecars, ['.ovr']);
  assert.deepEqual(jobs[0]!.rule, { method: 'cc', lowPercent: 2, highPercent: 98, cloudPercent: 4 });
});

test('a given range is used, and nothing is measured', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  const fixed = planOf('NDVI', { ...defaultOptions, range: { min: 5, max: 9 } });
  assert.deepEqual(await findContrast({ plan: fixed, scene }, aTicket), [{ min: 5, max: 9 }]);
  assert.equal(jobs.length, 0);
});

test('a range that cannot be stored is still correct', async () => {
  const { findContrast, forgotten } = makeDeps('broken');
  assert.deepEqual(await findContrast({ plan, scene }, aTicket), [{ min: 1, max: 2 }]);
  assert.equal(forgotten.length, 1);
});

test('an expression has its own contrast, whatever its neighbours and its spelling', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  const composite = { ...defaultOptions, isComposite: true };
  const find = (bands: string, options = defaultOptions) =>
    findContrast({ plan: planOf(bands, options), scene }, aTicket);
  const ranges = await find('B08/B04,NDVI,B04', composite);
  assert.equal(new Set(ranges.map(({ max }) => max)).size, 3);
  assert.deepEqual(
    jobs.map(({ sample }) => sample.inputs.map(({ band }) => band)),
    [['B08', 'B04'], ['B08', 'B04'], ['B04']],
  );
  assert.deepEqual(await find('B8 / RED,(nir-B4)/(B08 + B04),B4', composite), ranges);
  assert.deepEqual(await find('B04,NDVI*1,NIR/RED', composite), [ranges[2], ranges[1], ranges[0]]);
  assert.deepEqual(await find('B08/B04'), [ranges[0]]);
  assert.deepEqual(await find('B04'), [ranges[2]]);
  assert.equal(jobs.length, 3);
});

test('clouds are counted once for a scene with a mask, for all its bands', async () => {
  const masked: Scene = { ...scene, cloudMask: { kind: 'polygons', href: 'clouds.gml', epsg: asset.epsg } };
  const store = new Map<string, ContrastRange>();
  const first = makeDeps(store);
  const find = ({ findContrast }: typeof first, bands: string) => {
    const tile = { z: 14, x: 8331, y: 6055 };
    const planned = planTile({ sensor, bands, tile, options: defaultOptions }, masked);
    return findContrast({ plan: planned, scene: masked }, aTicket);
  };
  await find(first, 'B04');
  await find(first, 'B08');
  await find(first, 'B04');
  assert.equal(first.counts.length, 1);
  assert.deepEqual(
    first.jobs.map(({ rule }) => rule.method === 'cc' && rule.cloudPercent),
    [12, 12],
  );
  // Another node finds what this one has stored.
  const other = makeDeps(store);
  await find(other, 'B08/B04');
  assert.deepEqual([other.jobs.length, other.counts.length], [1, 0]);
});

test('without data a band is refused, and an expression gets any range, remembered unless it has no input at all', async () => {
  const empty = makeDeps(new Map(), [null]);
  await assert.rejects(empty.findContrast({ plan, scene }, aTicket), { tag: 'unsupported', code: 'no-data' });
  for (const [found, jobCount] of [
    [[null], 1],
    [[], 2],
  ] as const) {
    const { findContrast, jobs } = makeDeps(new Map(), found);
    for (const _ of [1, 2]) {
      assert.deepEqual(await findContrast({ plan: planOf('B08/B04'), scene }, aTicket), [{ min: 0, max: 1 }]);
    }
    assert.equal(jobs.length, jobCount);
  }
});

test('calibrated numbers have their own contrast', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  const calibrated = { ...defaultOptions, calibrated: true };
  await findContrast({ plan: planOf('B08-B04'), scene }, aTicket);
  await findContrast({ plan: planOf('B08-B04', calibrated), scene }, aTicket);
  await findContrast({ plan: planOf('B04', calibrated), scene }, aTicket);
  await findContrast({ plan, scene }, aTicket);
  assert.equal(jobs.length, 4);
});
