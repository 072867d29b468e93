import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changeClouds, countClouds, packClouds } from './day-clouds.ts';

/** Few values, so that the same come again; both zeros are one. */
const anyCloud = fc.option(fc.constantFrom(-0, 0, 0.1, 0.1 + Number.EPSILON, 5, 20, 99.99, 1e300));
const anyClouds = fc.array(anyCloud, { maxLength: 30 });
const anyLimit = fc.constantFrom(
  Number.NEGATIVE_INFINITY,
  -1,
  0,
  0.1,
  5,
  19.9,
  100,
  Number.POSITIVE_INFINITY,
);

test('property: clouds of a day are counted as one by one', () => {
  fc.assert(
    fc.property(
      anyClouds,
      anyLimit,
      anyLimit,
      fc.option(fc.uniqueArray(fc.constantFrom(0, 0.1, 5, 7))),
      (clouds, low, high, only) => {
        const bounds = only === null ? { low, high } : { low, high, only: new Set(only) };
        const matching = clouds.filter(
          (cloud) =>
            cloud !== null &&
            cloud >= low &&
            cloud <= high &&
            (only === null || only.some((one) => one === cloud)),
        );
        assert.equal(countClouds(packClouds(clouds), bounds), matching.length);
      },
    ),
  );
});

test('property: changed clouds are those of the scenes that remain', () => {
  fc.assert(
    fc.property(anyClouds, anyClouds, fc.nat(40), (before, came, leaving) => {
      const all = [...came, ...before];
      const [went, stayed] = [all.slice(0, leaving), all.slice(leaving)];
      assert.deepEqual(changeClouds(packClouds(before), { came, went }), packClouds(stayed));
    }),
  );
});

test('a cloud that the day does not have cannot be removed', () => {
  assert.equal(changeClouds(packClouds([1, 2]), { came: [3], went: [2, 2] }), null);
  assert.equal(changeClouds(packClouds([1, 2]), { came: [], went: [null] }), null);
  assert.deepEqual(changeClouds(packClouds([-0]), { came: [], went: [0] }), packClouds([]));
});
