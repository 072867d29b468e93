import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Allocate } from '../raster/index.ts';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import type { PixelSums, RatedScene, ScenePlanes, WithCounts, WithIndexes } from './index.ts';
import {
  MAX_STACK,
  makeBestPixels,
  makeFirstFit,
  makePixelCount,
  makePixelDeviation,
  makePixelMean,
  makeRoom,
  NO_SCENE,
  stackMedoid,
  stackPercentile,
} from './index.ts';
import type { Observation } from './testing/plain-stack.ts';
import { bestOf, deviationOf, listClear, meanOf, medoidOf, percentileOf } from './testing/plain-stack.ts';
import type { StackRecipe } from './testing/put-scenes.ts';
import { makeStack, put, putScenes, readPlanes } from './testing/put-scenes.ts';

const kernels = loadKernels();

const anyRecipe: fc.Arbitrary<StackRecipe> = fc.record({
  seed: fc.nat(),
  sceneCount: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 64 })),
  channelCount: fc.integer({ min: 1, max: 4 }),
  count: fc.integer({ min: 1, max: 67 }),
  clearShare: fc.constantFrom(0, 0.03, 0.5, 0.9, 1),
  kind: fc.constantFrom('whole', 'fractions', 'odd'),
});

type Made = ScenePlanes & Partial<WithCounts & WithIndexes>;
type Make = (allocate: Allocate, scenes: readonly RatedScene[], recipe: StackRecipe) => Made;

/** What a pixel should be; null where it is masked. */
interface Wanted {
  readonly channels: readonly number[];
  readonly number?: number;
  readonly index?: number;
}
type WantedOf = (clear: readonly Observation[]) => Wanted | null;

/** Compares each pixel of random stacks with the reference. */
function compare(
  make: Make,
  wantedOf: WantedOf,
  isEqual: (got: number, wanted: number) => boolean = Object.is,
) {
  fc.assert(
    fc.property(anyRecipe, (recipe) => {
      const stack = makeStack(recipe);
      const allocate = kernels.begin();
      const made = make(allocate, putScenes(kernels, allocate, stack), recipe);
      const got = readPlanes(kernels, made, recipe.count);
      for (let i = 0; i < recipe.count; i++) {
        const wanted = wantedOf(listClear(stack, i));
        assert.equal(got.mask[i], Number(wanted !== null));
        if (made.indexesAt !== undefined) assert.equal(got.indexes[i], wanted?.index ?? NO_SCENE);
        if (made.countsAt !== undefined) assert.equal(got.counts[i], wanted?.number ?? 0);
        for (const [channel, plane] of got.channels.entries()) {
          const value = wanted?.channels[channel] ?? 0;
          // The words cost more than the comparison.
          if (!isEqual(plane[i]!, Math.fround(value))) assert.fail(`${plane[i]} is not ${value}`);
        }
      }
    }),
    // Each case has some thirty pixels, so each reduction is compared in twenty thousand of them.
    { numRuns: casesOf(600) },
  );
}

/** One number for each channel of the clear scenes. */
const byChannel =
  (reduce: (values: readonly number[]) => number): WantedOf =>
  (clear) =>
    clear.length === 0
      ? null
      : {
          channels: clear[0]!.channels.map((_, i) => reduce(clear.map(({ channels }) => channels[i]!))),
          number: clear.length,
        };

/** A scene that is chosen from the clear ones. */
const byChoice =
  (choose: (clear: readonly Observation[]) => Observation): WantedOf =>
  (clear) => {
    if (clear.length === 0) return null;
    const { channels, index } = choose(clear);
    return { channels, index, number: clear.length };
  };

for (const percent of [50, 0, 100, 25, 37.3]) {
  test(`property: percentile ${percent} of each pixel is taken over its clear scenes`, () => {
    compare(
      (allocate, scenes, { count }) => stackPercentile(kernels, allocate, { scenes, count, percent }),
      byChannel((values) => percentileOf(values, percent)),
    );
  });
}

test('property: the medoid is the scene nearest to all others, the first of equal ones', () => {
  compare(
    (allocate, scenes, { count }) => stackMedoid(kernels, allocate, { scenes, count }),
    byChoice(medoidOf),
  );
});

/** Adds all scenes to sums. */
const addAll = (sums: PixelSums, scenes: readonly ScenePlanes[]): Made => {
  for (const scene of scenes) sums.add(scene);
  return sums.finish();
};

test('property: the mean of each pixel is taken over its clear scenes', () => {
  compare(
    (allocate, scenes, size) => addAll(makePixelMean(kernels, allocate, size), scenes),
    byChannel(meanOf),
  );
});

test('property: the standard deviation of each pixel is taken over its clear scenes, also small ones of large numbers', () => {
  compare(
    (allocate, scenes, size) => addAll(makePixelDeviation(kernels, allocate, size), scenes),
    byChannel(deviationOf),
    (got, wanted) => Object.is(got, wanted) || Math.abs(got - wanted) <= 1e-6 * wanted,
  );
});

test('property: the count of each pixel is the number of its clear scenes', () => {
  compare(
    (allocate, scenes, size) => addAll(makePixelCount(kernels, allocate, size), scenes),
    (clear) => (clear.length === 0 ? null : { channels: [clear.length], number: clear.length }),
  );
});

for (const [wins, sign] of [
  ['highest', 1],
  ['lowest', -1],
] as const) {
  test(`property: the scene with the ${wins} value wins, the first of equal ones, and NaN never`, () => {
    compare(
      (allocate, scenes, { count, channelCount }) => {
        const best = makeBestPixels(kernels, allocate, { count, channelCount, wins });
        for (const [i, scene] of scenes.entries()) best.add(scene, i);
        return best.finish();
      },
      (clear) => byChoice((rated) => bestOf(rated, sign))(clear.filter(({ value }) => !Number.isNaN(value))),
    );
  });
}

test('property: the first clear scene fills a pixel, and the number of empty pixels is right after each scene', () => {
  compare(
    (allocate, scenes, size) => {
      const fit = makeFirstFit(kernels, allocate, size);
      for (const [i, scene] of scenes.entries()) {
        const emptyPx = fit.add(scene, i);
        const { mask } = readPlanes(kernels, fit.finish(), size.count);
        assert.equal(emptyPx, mask.filter((has) => has === 0).length);
      }
      return fit.finish();
    },
    byChoice((clear) => clear[0]!),
  );
});

test('property: a first scene in the memory of the picture becomes the picture', () => {
  compare(
    (allocate, scenes, size) => {
      const fit = makeFirstFit(kernels, allocate, size);
      const room = fit.room();
      assert.ok(room !== null);
      const [first, ...others] = scenes;
      const memory = new Uint8Array(kernels.buffer());
      const move = (at: number, byteLength: number): number => {
        const to = room(byteLength);
        memory.copyWithin(to, at, at + byteLength);
        return to;
      };
      const channelsAt = first!.channelsAt.map((at) => move(at, 4 * size.count));
      fit.add({ channelsAt, maskAt: move(first!.maskAt, size.count) }, 0);
      assert.equal(fit.room(), null);
      assert.deepEqual(fit.finish().channelsAt, channelsAt);
      for (const [i, scene] of others.entries()) fit.add(scene, i + 1);
      return fit.finish();
    },
    byChoice((clear) => clear[0]!),
  );
});

test('property: index counts equal counting one by one', () => {
  const anyRun = fc.record({
    index: fc.constantFrom(0, 1, 7, 300, NO_SCENE - 1, NO_SCENE),
    length: fc.nat(40),
  });
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 12 }), (runs) => {
      const indexes = runs.flatMap(({ index, length }) => Array<number>(length).fill(index));
      const allocate = kernels.begin();
      const indexesAt = put(kernels, allocate, new Uint8Array(Uint16Array.from(indexes).buffer));
      const tableAt = allocate(4 * (NO_SCENE + 1));
      new Uint8Array(kernels.buffer(), tableAt, 4 * (NO_SCENE + 1)).fill(0);
      const past = kernels.run.countIndexes(indexesAt, indexes.length, tableAt);
      const counted = [...new Uint32Array(kernels.buffer(), tableAt, past)];
      const wanted = indexes.filter((index) => index !== NO_SCENE);
      assert.equal(past, wanted.length === 0 ? 0 : Math.max(...wanted) + 1);
      assert.deepEqual(
        counted.flatMap((count, index) => (count === 0 ? [] : [[index, count]])),
        [...new Set(wanted)]
          .toSorted((a, b) => a - b)
          .map((index) => [index, wanted.filter((one) => one === index).length]),
      );
    }),
    { numRuns: casesOf(300) },
  );
});

test('the memory of a picture refuses planes that do not fit', () => {
  const allocate = kernels.begin();
  const own = makeRoom(allocate, { count: 20, channelCount: 1 }).begin();
  own(80);
  own(20);
  assert.throws(() => own(20), { code: 'stack-room' });
});

test('a scene without a mask is clear wherever its channels are numbers', () => {
  const allocate = kernels.begin();
  const values = Float32Array.of(1, Number.NaN, 3);
  const scene = { channelsAt: [put(kernels, allocate, values)], maskAt: 0 };
  const fit = makeFirstFit(kernels, allocate, { count: 3, channelCount: 1 });
  assert.equal(fit.add(scene, 7), 1);
  assert.deepEqual(readPlanes(kernels, fit.finish(), 3).indexes, [7, NO_SCENE, 7]);
});

test('an index is limited to 16 bits', () => {
  const allocate = kernels.begin();
  const scene = { channelsAt: [put(kernels, allocate, Float32Array.of(1))], maskAt: 0 };
  const fit = makeFirstFit(kernels, allocate, { count: 1, channelCount: 1 });
  for (const index of [-1, 0.5, NO_SCENE])
    assert.throws(() => fit.add(scene, index), { code: 'stack-index' });
  fit.add(scene, NO_SCENE - 1);
  assert.deepEqual(readPlanes(kernels, fit.finish(), 1).indexes, [NO_SCENE - 1]);
});

test('stacks that the kernels cannot hold are refused', () => {
  const allocate = kernels.begin();
  const sceneOf = (channels: number) => ({
    channelsAt: Array<number>(channels).fill(allocate(64)),
    maskAt: 0,
  });
  const median = (scenes: readonly ScenePlanes[], percent = 50) =>
    stackPercentile(kernels, allocate, { scenes, count: 1, percent });
  assert.throws(() => median([]), { code: 'stack-scenes' });
  assert.throws(() => median(Array.from({ length: MAX_STACK + 1 }, () => sceneOf(1))), {
    code: 'stack-scenes',
  });
  assert.throws(() => median([sceneOf(0)]), { code: 'stack-channels' });
  assert.throws(() => median([sceneOf(5)]), { code: 'stack-channels' });
  assert.throws(() => median([sceneOf(2), sceneOf(3)]), { code: 'stack-channels' });
  for (const percent of [-1, 101, Number.NaN])
    assert.throws(() => median([sceneOf(1)], percent), { code: 'stack-percent' });
});
