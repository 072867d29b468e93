import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTimeLeft } from './time-left.ts';

test('the time left is that of the work left at the speed so far', () => {
  let nowMs = 1_000;
  const time = makeTimeLeft({ total: 20, nowMs: () => nowMs });
  assert.equal(time.leftMs(), null);
  // A part takes 100 ms, more or less.
  for (let part = 1; part <= 20; part += 1) {
    nowMs += part % 2 === 0 ? 90 : 110;
    time.add(1);
    const left = time.leftMs() ?? Number.NaN;
    assert.ok(Math.abs(left - 100 * (20 - part)) <= 0.2 * 100 * (20 - part), `${left} after ${part}`);
  }
  assert.equal(time.leftMs(), 0);
});

test('time in which other work was done does not count', () => {
  let nowMs = 0;
  const time = makeTimeLeft({ total: 4, nowMs: () => nowMs });
  nowMs = 10_000;
  time.pause(9_000);
  time.add(2);
  assert.equal(time.leftMs(), 1_000);
});
