import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePause } from './make-pause.ts';

test('a long loop that awaits its pauses lets others go on', async () => {
  let isAnswered = false;
  setImmediate(() => {
    isAnswered = true;
  });
  const pause = makePause();
  const endMs = performance.now() + 10_000;
  while (!isAnswered && performance.now() < endMs) await pause();
  assert.ok(isAnswered);
});
