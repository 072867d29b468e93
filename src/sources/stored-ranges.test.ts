import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRangeIndex } from './stored-ranges.ts';

/** Pseudo-random numbers with a fixed seed. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

test('a read is divided into stored and missing parts', () => {
  const index = makeRangeIndex();
  const [one, two, inner] = [
    { offset: 10, length: 10 },
    { offset: 20, length: 5 },
    { offset: 12, length: 2 },
  ];
  for (const range of [two, inner, one, one]) index.add(range);
  assert.deepEqual(index.planRead(11, 3), [{ offset: 11, length: 3, stored: one }]);
  assert.deepEqual(index.planRead(5, 30), [
    { offset: 5, length: 5, stored: null },
    { offset: 10, length: 10, stored: one },
    { offset: 20, length: 5, stored: two },
    { offset: 25, length: 10, stored: null },
  ]);
  index.remove(one);
  assert.deepEqual(index.planRead(12, 2), [{ offset: 12, length: 2, stored: inner }]);
  assert.deepEqual(index.planRead(10, 1), [{ offset: 10, length: 1, stored: null }]);
});

test('property: parts cover a read exactly, and each part that a range holds is stored', () => {
  const random = makeRandom(7);
  for (let round = 0; round < 200; round += 1) {
    const index = makeRangeIndex();
    const ranges = Array.from({ length: random(12) }, () => ({ offset: random(60), length: 1 + random(15) }));
    for (const range of ranges) index.add(range);
    const removed = ranges.splice(0, random(4));
    for (const range of removed) index.remove(range);
    const left = ranges.filter(
      ({ offset, length }) => !removed.some((one) => one.offset === offset && one.length === length),
    );
    const [offset, length] = [random(70), 1 + random(30)];
    let at = offset;
    for (const part of index.planRead(offset, length)) {
      assert.equal(part.offset, at);
      assert.ok(part.length > 0);
      for (let byte = at; byte < at + part.length; byte += 1) {
        const isStored = left.some((one) => byte >= one.offset && byte < one.offset + one.length);
        assert.equal(part.stored !== null, isStored, `byte ${byte} of round ${round}`);
      }
      if (part.stored !== null) {
        assert.ok(part.offset >= part.stored.offset);
        assert.ok(part.offset + part.length <= part.stored.offset + part.stored.length);
      }
      at += part.length;
    }
    assert.equal(at, offset + length);
  }
});
