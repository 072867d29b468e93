import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_CALLBACK_ATTEMPTS, makeSendingTurns, planCallbackRetry } from './callback-sender.ts';

test('a callback has five attempts, about 10 s, 1 min, 5 min and 30 min apart', () => {
  assert.equal(MAX_CALLBACK_ATTEMPTS, 5);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((attempts) => planCallbackRetry(attempts, 10_000, 0.5)),
    [10_000, 60_000, 300_000, 1_800_000, null, null],
  );
  assert.deepEqual([planCallbackRetry(1, 10_000, 0), planCallbackRetry(1, 10_000, 1)], [8_000, 12_000]);
});

test('an owner has at most four callbacks in flight', () => {
  const turns = makeSendingTurns({ perMinute: 100, nowMs: () => 0 });
  for (let i = 0; i < 3; i += 1) turns.begin('a');
  turns.begin('b');
  assert.deepEqual(turns.findBusy(), []);
  turns.begin('a');
  assert.deepEqual(turns.findBusy(), ['a']);
  turns.end('a');
  assert.deepEqual(turns.findBusy(), []);
});

test('an owner can start only a limited number of callbacks per minute, whatever their outcome', () => {
  let nowMs = 0;
  const turns = makeSendingTurns({ perMinute: 3, nowMs: () => nowMs });
  for (let i = 0; i < 3; i += 1) {
    turns.begin('a');
    turns.end('a');
    nowMs += 1_000;
  }
  assert.deepEqual(turns.findBusy(), ['a']);
  nowMs = 59_999;
  assert.deepEqual(turns.findBusy(), ['a']);
  nowMs = 60_000;
  assert.deepEqual(turns.findBusy(), [], 'the first was begun a minute ago');
  turns.begin('a');
  assert.deepEqual(turns.findBusy(), ['a']);
});
