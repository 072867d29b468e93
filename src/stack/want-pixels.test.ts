import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadKernels } from '../raster/index.ts';
import { casesOf } from '../testing/test-size.ts';
import { NO_SCENE, wantPixels } from './index.ts';
import { makeRandom, put } from './testing/put-scenes.ts';

const kernels = loadKernels();

test('property: unmarked pixels without a scene, or with a later one, are wanted', () => {
  const input = fc.record({
    seed: fc.nat(),
    count: fc.integer({ min: 1, max: 67 }),
    index: fc.constantFrom(0, 1, 3, 40_000, NO_SCENE - 1),
    hasIndexes: fc.boolean(),
    hasMarks: fc.boolean(),
  });
  fc.assert(
    fc.property(input, ({ seed, count, index, hasIndexes, hasMarks }) => {
      const random = makeRandom(seed);
      const some = [0, 1, 2, 3, 4, 39_999, 40_000, 40_001, NO_SCENE - 1, NO_SCENE];
      const indexes = new Uint16Array(count).map(() => some[Math.floor(some.length * random())]!);
      const marks = new Uint8Array(count).map(() => Math.max(0, Math.floor(4 * random()) - 1));
      const allocate = kernels.begin();
      const words = new Uint8Array(indexes.buffer);
      const { wantedAt, pixels } = wantPixels(kernels, allocate, {
        indexesAt: hasIndexes ? put(kernels, allocate, words) : null,
        marksAt: hasMarks ? put(kernels, allocate, marks) : null,
        index,
        count,
      });
      const wanted = Array.from(marks, (mark, i) =>
        Number((!hasIndexes || indexes[i]! > index) && (!hasMarks || mark === 0)),
      );
      assert.deepEqual([...new Uint8Array(kernels.buffer(), wantedAt, count)], wanted);
      assert.equal(pixels, wanted.filter((bit) => bit === 1).length);
    }),
    { numRuns: casesOf(1000) },
  );
});
