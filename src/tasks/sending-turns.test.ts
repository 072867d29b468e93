import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSendingTurns } from './sending-turns.ts';

test('an owner has at most four callbacks under way', () => {
  const turns = makeSendingTurns({ perMinute: 100, nowMs: () => 0 });
  for (let i = 0; i < 3; i += 1) turns.begin('a');
  turns.begin('b');
  assert.deepEqual(turns.findBusy(), []);
  turns.begin('a');
  assert.deepEqual(turns.findBusy(), ['a']);
  turns.end('a');
  assert.deepEqual(turns.findBusy(), []);
});

test('an owner begins so many callbacks within a minute, whatever became of them', () => {
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
