import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addThreshold, moveThreshold, toStep } from './plan-order.ts';

test('a threshold moves as far as its neighbours', () => {
  assert.deepEqual(moveThreshold([0.1, 0.3, 0.5], 1, 0.4, 0.01), [0.1, 0.4, 0.5]);
  assert.deepEqual(moveThreshold([0.1, 0.3, 0.5], 1, 9, 0.01), [0.1, 0.49, 0.5]);
  assert.deepEqual(moveThreshold([0.1, 0.3, 0.5], 0, -9, 0.01), [-9, 0.3, 0.5]);
  assert.equal(moveThreshold([0.1], 0, Number.NaN, 0.01), null);
});

test('a new threshold divides the widest class', () => {
  assert.deepEqual(addThreshold([0.2, 0.3], { min: 0, max: 1 }), [0.2, 0.3, 0.65]);
  assert.deepEqual(addThreshold([5], { min: 0, max: 1 }), [0.5, 5]);
});

test('a step is a round number of about a hundredth of the range', () => {
  assert.equal(toStep({ min: -1, max: 1 }), 0.01);
  assert.equal(toStep({ min: -25, max: 0 }), 0.1);
});
