import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownHeights } from './join-models.ts';
import { JOIN_REACH_PX, joinModels } from './join-models.ts';

interface Surface {
  readonly height: (x: number, y: number) => number;
  readonly isKnown: (x: number, y: number) => boolean;
}

function makeHeights(width: number, height: number, surface: Surface, at = { x: 0, y: 0 }): KnownHeights {
  const values = new Float32Array(width * height);
  const mask = new Uint8Array(width * height);
  for (let i = 0; i < values.length; i++) {
    const [x, y] = [at.x + (i % width), at.y + Math.floor(i / width)];
    if (!surface.isKnown(x, y)) continue;
    values[i] = surface.height(x, y);
    mask[i] = 1;
  }
  return { width, height, values, mask };
}

/** The same hill in both models, 7 m higher in the upper one. */
const hill = (x: number, y: number): number => 100 + 20 * Math.sin(x / 9) + 15 * Math.cos(y / 7);
const upper: Surface = { height: (x, y) => hill(x, y) + 7, isKnown: (x) => x < 40 };
const lower: Surface = { height: hill, isKnown: () => true };

test('where models meet, the lower one is shifted to the upper one and fades to its own heights', () => {
  const joined = makeHeights(80, 30, upper);
  assert.equal(joinModels(joined, makeHeights(80, 30, lower)), false);
  const row = 15 * 80;
  const shiftAt = (x: number): number => joined.values[row + x]! - hill(x, 15);
  for (let x = 0; x < 40; x++) assert.ok(Math.abs(shiftAt(x) - 7) < 1e-4, 'heights of the upper model stay');
  assert.ok(Math.abs(shiftAt(40) - 7) < 0.01, 'no step at the border');
  for (let x = 41; x < 80; x++) assert.ok(shiftAt(x) <= shiftAt(x - 1) + 1e-4, 'the shift never grows');
  for (let x = 40 + JOIN_REACH_PX; x < 80; x++)
    assert.ok(Math.abs(shiftAt(x)) < 1e-4, 'nothing beyond the reach');
  assert.ok(joined.mask.every((known) => known === 1));
});

test('a void inside the upper model is filled from the lower one without a rim', () => {
  const isVoid = (x: number, y: number): boolean => Math.hypot(x - 20, y - 20) < 5;
  const joined = makeHeights(40, 40, { ...upper, isKnown: (x, y) => !isVoid(x, y) });
  joinModels(joined, makeHeights(40, 40, lower));
  for (const [i, value] of joined.values.entries()) {
    const [x, y] = [i % 40, Math.floor(i / 40)];
    assert.ok(Math.abs(value - upper.height(x, y)) < (isVoid(x, y) ? 3.5 : 1e-4), `${x} ${y}: ${value}`);
  }
});

test('ground that neither model knows stays unknown', () => {
  const joined = makeHeights(50, 10, upper);
  assert.equal(joinModels(joined, makeHeights(50, 10, { ...lower, isKnown: (x) => x !== 45 })), true);
  assert.deepEqual(
    Array.from({ length: 10 }, (_, y) => joined.mask[y * 50 + 45]),
    new Array(10).fill(0),
  );
});

test('models that only touch are joined unchanged', () => {
  const joined = makeHeights(50, 10, upper);
  joinModels(joined, makeHeights(50, 10, { ...lower, isKnown: (x) => x >= 40 }));
  assert.equal(joined.values[44], Math.fround(hill(44, 0)));
});

test('a pixel depends on no other beyond the reach: windows of any size agree to the bit', () => {
  const whole = makeHeights(90, 60, upper);
  joinModels(whole, makeHeights(90, 60, lower));
  const at = { x: 30, y: 10 };
  const [width, height] = [50, 44];
  const part = makeHeights(width, height, upper, at);
  joinModels(part, makeHeights(width, height, lower, at));
  for (let y = JOIN_REACH_PX; y < height - JOIN_REACH_PX; y++) {
    for (let x = JOIN_REACH_PX; x < width - JOIN_REACH_PX; x++) {
      assert.equal(part.values[y * width + x], whole.values[(at.y + y) * 90 + at.x + x]);
    }
  }
});
