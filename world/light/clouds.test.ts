import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame } from '../setting.ts';
import type { CloudPlanes } from './clouds.ts';
import { hangClouds, makeCloudField } from './clouds.ts';
import type { SkyPlan } from './exposure.ts';
import { boxOf } from './lattice.ts';
import { toSunRay } from './sun.ts';
import { makeLevelSurvey, makeLocations } from './testing/test-light.ts';

const morning = toSunRay({ elevationDeg: 35, azimuthDeg: 135 });

function hang(
  plan: SkyPlan,
  square: { left: number; top: number; sideM: number; size: number },
): CloudPlanes {
  const survey = makeLevelSurvey(makeLocations(square), 0);
  return hangClouds({
    survey,
    box: boxOf(survey.locations),
    plan,
    field: makeCloudField(plan),
    ray: morning,
  });
}

const whole = { left: 0, top: 0, sideM: frame.sizeM / 366, size: 366 };
const share = (mask: Uint8Array): number => mask.reduce((sum, value) => sum + value, 0) / mask.length;

test('clouds cover as much of the world as planned', () => {
  for (const [seed, opaque] of [
    [1, 0.03],
    [2, 0.1],
    [3, 0.35],
    [4, 0.6],
    [5, 0.9],
  ] as const) {
    const { opaque: mask } = hang({ seed, opaque, cirrus: 0, haze: 0 }, whole);
    assert.ok(Math.abs(share(mask) - opaque) < 0.03, `${share(mask)} for ${opaque}`);
  }
  const { cirrus } = hang({ seed: 6, opaque: 0, cirrus: 0.25, haze: 0 }, whole);
  assert.ok(Math.abs(share(cirrus) - 0.25) < 0.03, `${share(cirrus)} of cirrus`);
});

test('a clear sky has neither clouds nor shadows, an overcast one no gap', () => {
  const clear = hang({ seed: 1, opaque: 0, cirrus: 0, haze: 0 }, whole);
  assert.equal(share(clear.opaque) + share(clear.cirrus) + share(clear.shadow), 0);
  assert.equal(clear.opacity, undefined);
  assert.equal(share(hang({ seed: 1, opaque: 1, cirrus: 0, haze: 0 }, whole).opaque), 1);
});

test('shadows are on the side of the clouds away from the sun', () => {
  const plan = { seed: 2, opaque: 0.2, cirrus: 0, haze: 0 };
  const { sideM, size } = { sideM: 60, size: 400 };
  const { opaque, shadow } = hang(plan, { left: 40_000, top: 40_000, sideM, size });
  const throwPx = (makeCloudField(plan).baseM * morning.tanZenith) / sideM;
  const margin = Math.ceil(throwPx);
  /** Share of the shadows that have a cloud so many pixels off towards the sun. */
  const meetings = (pixels: number): number => {
    let [met, seen] = [0, 0];
    for (let row = margin; row < size - margin; row++) {
      for (let col = margin; col < size - margin; col++) {
        if (shadow[row * size + col] === 0) continue;
        seen++;
        const towardsRow = row + Math.round(morning.toY * pixels);
        const towardsCol = col + Math.round(morning.toX * pixels);
        met += opaque[towardsRow * size + towardsCol]!;
      }
    }
    assert.ok(seen > 1000);
    return met / seen;
  };
  assert.ok(meetings(throwPx) > 0.9, `${meetings(throwPx)} have one towards the sun`);
  assert.ok(meetings(-throwPx) < 0.4, `${meetings(-throwPx)} have one away from it`);
});

test('two pictures of one moment have the same clouds where they overlap', () => {
  const plan = { seed: 9, opaque: 0.4, cirrus: 0.3, haze: 0 };
  const left = hang(plan, { left: 30_000, top: 40_000, sideM: 20, size: 200 });
  const right = hang(plan, { left: 31_000, top: 40_600, sideM: 20, size: 200 });
  for (let row = 0; row < 150; row++) {
    for (let col = 0; col < 150; col++) {
      const [a, b] = [(row + 30) * 200 + col + 50, row * 200 + col];
      assert.equal(left.opacity![a], right.opacity![b]);
      assert.equal(left.shade![a], right.shade![b]);
      assert.equal(left.veil![a], right.veil![b]);
    }
  }
});
