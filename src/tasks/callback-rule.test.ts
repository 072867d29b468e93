import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CALLBACK_ATTEMPTS, planCallbackRetry } from './callback-rule.ts';

test('five attempts, about 10 s, 1 min, 5 min and 30 min apart', () => {
  assert.equal(MAX_CALLBACK_ATTEMPTS, 5);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((attempts) => planCallbackRetry(attempts, 10_000, 0.5)),
    [10_000, 60_000, 300_000, 1_800_000, null, null],
  );
  assert.deepEqual([planCallbackRetry(1, 10_000, 0), planCallbackRetry(1, 10_000, 1)], [8_000, 12_000]);
});
