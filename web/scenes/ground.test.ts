import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box } from './footprint.ts';
import { planGround, toBboxText, toBoundsPath } from './ground.ts';

const SCENE: Box = [2, 42, 3, 43];

test('the ground is the part of the scene in view, or the whole scene if all of it is in view', () => {
  assert.deepEqual(planGround(SCENE, [2.2, 42.5, 2.4, 42.6]), { box: [2.2, 42.5, 2.4, 42.6], isPart: true });
  assert.deepEqual(planGround(SCENE, [2.5, 41, 9, 44]), { box: [2.5, 42, 3, 43], isPart: true });
  assert.deepEqual(planGround(SCENE, [0, 40, 9, 44]), { box: SCENE, isPart: false });
  assert.deepEqual(planGround(SCENE, null), { box: SCENE, isPart: false });
});

test('the ground is the whole scene if the view shows nothing of it', () => {
  assert.deepEqual(planGround(SCENE, [4, 42, 5, 43]), { box: SCENE, isPart: false });
});

test('a map that was dragged around the world shows the same ground', () => {
  const { box, isPart } = planGround(SCENE, [362.2, 42.5, 362.4, 42.6]);
  assert.ok(isPart && Math.abs(box[0] - 2.2) < 1e-9 && Math.abs(box[2] - 2.4) < 1e-9, box.join());
});

test('boxes are written as the interface reads them, across the antimeridian too', () => {
  assert.equal(toBboxText([2.2, 42.5, 2.4, 42.6]), '2.2,42.5,2.4,42.6');
  assert.equal(toBoundsPath([2.2, 42.5, 2.4, 42.6]), '2.2;2.4;4326/42.6;42.5;4326');
  assert.equal(toBboxText([179, -1, 181, 1]), '179,-1,-179,1');
  assert.equal(toBoundsPath([179, -1, 181, 1]), '179;-179;4326/1;-1;4326');
});
