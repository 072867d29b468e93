import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partOf, toContrast } from './handle-values.ts';

test('handle positions are values of the axis, rounded to what they can distinguish', () => {
  assert.deepEqual(toContrast({ min: 0, max: 4000 }, 0, 400), { min: 0, max: 4000 });
  assert.deepEqual(toContrast({ min: -1, max: 1 }, 100, 300), { min: -0.5, max: 0.5 });
  assert.deepEqual(toContrast({ min: 1 / 3, max: 2 / 3 }, 0, 400), { min: 0.3333, max: 0.6667 });
});

test('handles at one value leave no contrast', () => {
  assert.equal(toContrast({ min: 10_000, max: 10_001 }, 3, 4), null);
});

test('a value beyond the track is shown at its end', () => {
  const axis = { min: 100, max: 300 };
  assert.deepEqual(
    [50, 100, 150, 300, 900].map((value) => partOf(value, axis)),
    [0, 0, 0.25, 1, 1],
  );
  assert.equal(partOf(7, { min: 7, max: 7 }), 0);
});
