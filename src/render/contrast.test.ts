import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeScene } from '../../test/support/make-scene.ts';
import { toScene } from '../catalog/index.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import type { ContrastJob } from './contrast.ts';
import { makeFindContrast } from './contrast.ts';
import { planTile } from './plan-tile.ts';
import type { Pool } from './pool/index.ts';

const sensor = sensorByAbbreviation('S2');
assert.ok(sensor);
const asset = Object.values(makeScene(21).assets)[0];
assert.ok(asset);
const scene = toScene(makeScene(21, { assets: { B04: { ...asset, beside: ['.ovr'] } }, cloudPercent: 4 }));
const plan = planTile(
  {
    sensor,
    viewId: scene.viewId,
    bands: 'B04',
    tile: { z: 14, x: 8331, y: 6055 },
    options: { format: 'auto', method: 'bilinear', range: null },
  },
  scene,
);
const asker = { owner: 'me', signal: new AbortController().signal };

function makeDeps(store: Map<string, { min: number; max: number }> | 'broken') {
  const jobs: ContrastJob[] = [];
  const forgotten: unknown[] = [];
  const pool = {
    async run({ input }: { input: ContrastJob }) {
      jobs.push(input);
      return { output: { min: 1, max: 2 }, queuedMs: 0 };
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
  assert.deepEqual(await findContrast(plan, asker), [{ min: 1, max: 2 }]);
  await findContrast(plan, asker);
  assert.equal(jobs.length, 1);
  const [channel] = plan.channels;
  assert.ok(channel);
  const { stretch: _, warp: __, contrastRead, ...band } = channel;
  assert.deepEqual(jobs[0]?.channel, { ...band, read: contrastRead });
  assert.deepEqual(jobs[0]?.channel.beside, ['.ovr']);
});

test('a range that is given is taken, and nothing is measured', async () => {
  const { findContrast, jobs } = makeDeps(new Map());
  const fixed = {
    ...plan,
    channels: plan.channels.map((one) => ({ ...one, stretch: { kind: 'fixed' as const, min: 5, max: 9 } })),
  };
  assert.deepEqual(await findContrast(fixed, asker), [{ min: 5, max: 9 }]);
  assert.equal(jobs.length, 0);
});

test('a range that cannot be stored is still right', async () => {
  const { findContrast, forgotten } = makeDeps('broken');
  assert.deepEqual(await findContrast(plan, asker), [{ min: 1, max: 2 }]);
  assert.equal(forgotten.length, 1);
});
