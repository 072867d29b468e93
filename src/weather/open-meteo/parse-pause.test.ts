import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePauseMs } from './parse-pause.ts';

const NOON_MS = Date.UTC(2026, 4, 20, 12, 30, 45);
const limited = (reason: string, retryAfter: string | null = null) =>
  parsePauseMs({ status: 429, retryAfter, reason }, NOON_MS);

test('a refusal says how long to wait: by its header, or until the limit that it names starts anew', () => {
  const words = 'API request limit exceeded. Please try again';
  assert.equal(limited(`Minutely ${words} in one minute.`), 15_000);
  assert.equal(limited(`Hourly ${words} in the next hour.`), (29 * 60 + 15) * 1_000);
  assert.equal(limited(`Daily ${words} tomorrow.`), Date.UTC(2026, 4, 21) - NOON_MS);
  assert.equal(limited('Too many concurrent requests'), 15_000);
  assert.equal(limited(`Daily ${words} tomorrow.`, '7'), 7_000);
  assert.equal(limited('', 'Wed, 20 May 2026 12:31:00 GMT'), 15_000);
  assert.equal(limited('', 'soon'), 15_000);
});

test('a server error has its header, or nothing to say', () => {
  assert.equal(parsePauseMs({ status: 503, retryAfter: '30', reason: '' }, NOON_MS), 30_000);
  assert.equal(parsePauseMs({ status: 502, retryAfter: null, reason: '' }, NOON_MS), null);
});
