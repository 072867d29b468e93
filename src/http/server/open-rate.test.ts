import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOpenRate } from './rates.ts';

test('requests of an address are counted by the minute, those of an IPv6 network together', () => {
  let nowMs = 0;
  const rate = makeOpenRate({ perMinute: 2, nowMs: () => nowMs });
  assert.deepEqual(rate.count('192.0.2.1'), {
    'ratelimit-limit': '2',
    'ratelimit-remaining': '1',
    'ratelimit-reset': '60',
  });
  rate.count('::ffff:192.0.2.1');
  assert.throws(() => rate.count('192.0.2.1'), { code: 'open-rate-limited', message: /^The limit of 2 / });
  rate.count('192.0.2.2');
  rate.count('2001:db8::1');
  rate.count('2001:db8::2');
  assert.throws(() => rate.count('2001:db8::3'), { code: 'open-rate-limited' });
  nowMs = 60_000;
  rate.count('192.0.2.1');
});

test('0 is no limit', () => {
  const rate = makeOpenRate({ perMinute: 0, nowMs: () => 0 });
  for (let i = 0; i < 10_000; i += 1) assert.deepEqual(rate.count('192.0.2.1'), {});
});
