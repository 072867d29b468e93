import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import { makeGate } from './gate.ts';

test('a gate with two slots runs two tasks at a time, in the order of their calls, also after a failure', async () => {
  const gate = makeGate(2);
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((n) =>
      gate.run(async () => {
        begun.push(n);
        running += 1;
        most = Math.max(most, running);
        await letTurnsPass();
        running -= 1;
        if (n === 1) throw new Error('one fails');
        return n;
      }),
    ),
  );
  assert.deepEqual([begun, most], [[0, 1, 2, 3, 4], 2]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});

test('tryEnter returns a slot only if one is free', () => {
  const gate = makeGate(1);
  const leave = gate.tryEnter();
  assert.notEqual(leave, null);
  assert.equal(gate.tryEnter(), null);
  leave?.();
  assert.notEqual(gate.tryEnter(), null);
});

test('a waiter can leave, and its slot goes to the next', async () => {
  const gate = makeGate(1);
  const leave = await gate.enter();
  const leaver = new AbortController();
  const left = gate.enter(leaver.signal);
  const stayed = gate.enter();
  leaver.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  await assert.rejects(gate.enter(leaver.signal), /gone/, 'an aborted caller does not enter');
  leave();
  leave();
  const leaveLast = await stayed;
  const tired = new AbortController();
  const blocked = gate.enter(tired.signal);
  await letTurnsPass();
  tired.abort(new Error('tired'));
  await assert.rejects(blocked, /tired/, 'leaving twice freed only one slot');
  leaveLast();
});
