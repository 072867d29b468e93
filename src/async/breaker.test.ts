import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBreaker } from './breaker.ts';

test('failures in a row open the circuit unless a success comes between them; then one probe decides', () => {
  let now = 0;
  const breaker = makeBreaker({ failures: 2, pauseMs: 10, nowMs: () => now });
  breaker.admit()?.('failed');
  breaker.admit()?.('well');
  breaker.admit()?.('failed');
  assert.equal(breaker.pausedMs(), 0);
  breaker.admit()?.('failed');
  assert.deepEqual([breaker.admit(), breaker.pausedMs()], [null, 10]);
  now = 10;
  breaker.admit()?.('failed');
  assert.deepEqual([breaker.admit(), breaker.pausedMs()], [null, 10], 'the probe failed');
  now = 20;
  breaker.admit()?.('well');
  assert.notEqual(breaker.admit(), null);
});

test('a probe whose caller disconnects decides nothing and does not block the next probe', () => {
  let now = 0;
  const breaker = makeBreaker({ failures: 1, pauseMs: 10, nowMs: () => now });
  breaker.admit()?.('failed');
  assert.equal(breaker.admit(), null);
  now = 10;
  const probe = breaker.admit();
  assert.equal(breaker.admit(), null);
  probe?.('unknown');
  breaker.admit()?.('well');
  assert.notEqual(breaker.admit(), null);
});

test('a call that began before the circuit opened does not extend the pause when it fails', () => {
  let now = 0;
  const breaker = makeBreaker({ failures: 1, pauseMs: 10, nowMs: () => now });
  const [first, second] = [breaker.admit(), breaker.admit()];
  first?.('failed');
  now = 5;
  second?.('failed');
  assert.equal(breaker.pausedMs(), 5);
});

test('without a probe the circuit closes after the pause and failures are counted from zero', () => {
  let now = 0;
  const breaker = makeBreaker({ failures: 2, pauseMs: 10, afterPause: 'closed', nowMs: () => now });
  for (let i = 0; i < 2; i += 1) breaker.admit()?.('failed');
  assert.equal(breaker.admit(), null);
  now = 10;
  const together = [breaker.admit(), breaker.admit(), breaker.admit()];
  assert.ok(together.every((settle) => settle !== null));
  together[0]?.('failed');
  assert.equal(breaker.pausedMs(), 0);
  together[1]?.('failed');
  assert.equal(breaker.pausedMs(), 10);
});

test('calls are paused for as long as the server asked, within the limit', () => {
  let now = 0;
  const breaker = makeBreaker({ failures: 3, pauseMs: 10, maxPauseMs: 86_400_000, nowMs: () => now });
  breaker.pause(5_000);
  breaker.pause(1_000);
  now = 2_000;
  assert.deepEqual([breaker.admit(), breaker.pausedMs()], [null, 3_000], 'the longer pause counts');
  now = 5_000;
  assert.equal(breaker.pausedMs(), 0);
  assert.notEqual(breaker.admit(), null);
  breaker.pause(1e12);
  assert.equal(breaker.pausedMs(), 86_400_000);
});
