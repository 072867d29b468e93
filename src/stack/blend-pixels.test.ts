import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { makeBlend, NO_SCENE } from './index.ts';
import { blendOf, listClear } from './testing/plain-stack.ts';
import { makeStack, put, putScenes, readPlanes } from './testing/put-scenes.ts';

const kernels = loadKernels();

/** Equal as float32, but for the last two digits of 24. */
const isNear = (got: number, wanted: number): boolean =>
  Object.is(got, wanted) || Math.abs(got - wanted) <= 2 ** -22 * Math.abs(wanted);

test('property: each scene covers the next with the remaining opacity', () => {
  const anyRecipe = fc.record({
    seed: fc.nat(),
    sceneCount: fc.integer({ min: 1, max: 8 }),
    channelCount: fc.integer({ min: 1, max: 4 }),
    count: fc.integer({ min: 1, max: 67 }),
    clearShare: fc.constantFrom(0.03, 0.5, 1),
    // Fractions here are -0.25 to 0.75, whole numbers 0 to 4: opacities of both signs, and many opaque pixels.
    kind: fc.constantFrom('whole' as const, 'fractions' as const),
  });
  fc.assert(
    fc.property(anyRecipe, fc.constantFrom(0.5, 1, 3), (recipe, opaqueAt) => {
      const stack = makeStack(recipe);
      const allocate = kernels.begin();
      const scenes = putScenes(kernels, allocate, stack);
      const blend = makeBlend(kernels, allocate, recipe);
      let openPx = recipe.count;
      for (const [i, scene] of scenes.entries())
        openPx = blend.add({ ...scene, alphasAt: scene.valuesAt, opaqueAt }, i);
      const got = readPlanes(kernels, blend.finish(), recipe.count);
      let wantedOpenPx = 0;
      for (let i = 0; i < recipe.count; i++) {
        const wanted = blendOf(listClear(stack, i), opaqueAt);
        if (wanted.weight < 1) wantedOpenPx += 1;
        assert.equal(got.mask[i], Number(wanted.weight > 0));
        assert.equal(got.indexes[i], wanted.index ?? NO_SCENE);
        for (const [channel, plane] of got.channels.entries()) {
          const value = wanted.channels[channel] ?? 0;
          assert.ok(isNear(plane[i]!, Math.fround(value)), `${plane[i]} is not ${value}`);
        }
      }
      assert.equal(openPx, wantedOpenPx);
    }),
    { numRuns: casesOf(1500) },
  );
});

test('a pixel of one scene stays unchanged, however faint', () => {
  const values = Float32Array.of(0.1, 1 / 3, 12_345.678, -7e-5, Number.POSITIVE_INFINITY);
  const alphas = Float32Array.of(1e-6, 0.3, 1 / 7, 0.999, 0.5);
  const allocate = kernels.begin();
  const scene = {
    channelsAt: [put(kernels, allocate, values)],
    maskAt: 0,
    alphasAt: put(kernels, allocate, alphas),
    opaqueAt: 1,
  };
  const blend = makeBlend(kernels, allocate, { count: values.length, channelCount: 1 });
  assert.equal(blend.add(scene, 3), values.length);
  const got = readPlanes(kernels, blend.finish(), values.length);
  assert.deepEqual(got.channels[0], values);
  assert.deepEqual(got.indexes, [3, 3, 3, 3, 3]);
});

test('a distance at the limit is opaque for every feather width', () => {
  for (let widthPx = 1; widthPx <= 200; widthPx++) {
    const allocate = kernels.begin();
    const scene = { channelsAt: [put(kernels, allocate, Float32Array.of(1))], maskAt: 0, opaqueAt: widthPx };
    const alphasAt = put(kernels, allocate, Float32Array.of(widthPx));
    assert.equal(
      makeBlend(kernels, allocate, { count: 1, channelCount: 1 }).add({ ...scene, alphasAt }, 0),
      0,
    );
  }
});
