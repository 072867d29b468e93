import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changeTally, countClouds, toTally } from './cloud-tally.ts';

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

test('property: clouds of a tally are counted as one by one', () => {
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
        assert.equal(countClouds(toTally(clouds), bounds), matching.length);
      },
    ),
  );
});

test('property: a changed tally is that of what is there afterwards', () => {
  fc.assert(
    fc.property(anyClouds, anyClouds, fc.nat(40), (before, came, leaving) => {
      const all = [...came, ...before];
      const [went, stayed] = [all.slice(0, leaving), all.slice(leaving)];
      assert.deepEqual(changeTally(toTally(before), { came, went }), toTally(stayed));
    }),
  );
});

test('what a tally does not hold cannot go', () => {
  assert.equal(changeTally(toTally([1, 2]), { came: [3], went: [2, 2] }), null);
  assert.equal(changeTally(toTally([1, 2]), { came: [], went: [null] }), null);
  assert.deepEqual(changeTally(toTally([-0]), { came: [], went: [0] }), toTally([]));
});
