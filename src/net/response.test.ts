import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfterMs } from './response.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

test('seconds and HTTP dates are understood, the rest is not', () => {
  assert.equal(parseRetryAfterMs('0', NOW), 0);
  assert.equal(parseRetryAfterMs('120', NOW), 120_000);
  assert.equal(parseRetryAfterMs('Thu, 01 Jan 2026 12:00:30 GMT', NOW), 30_000);
  assert.equal(parseRetryAfterMs('Thu, 01 Jan 2026 11:00:00 GMT', NOW), 0);
  for (const text of [
    null,
    '',
    '-1',
    '1.5',
    '1e3',
    '99999999999',
    'soon',
    '2026-01-01',
    'Thu, 99 Foo 2026 12:00:00 GMT',
  ]) {
    assert.equal(parseRetryAfterMs(text, NOW), null, String(text));
  }
});
