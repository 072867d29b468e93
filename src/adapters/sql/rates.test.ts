import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RatedRequest } from '../../keys/index.ts';
import { casesOf } from '../../testing/test-size.ts';
import type { RateRow } from './rates.ts';
import { toCounted, toCountStatement, toRefused, toWaitStatement } from './rates.ts';
import type { Clause } from './sql.ts';
import { sql } from './sql.ts';

/** The statements on a new database, at times that the test chooses. */
function makeRates(perMinute: number) {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE rates (owner TEXT, name TEXT, full_at INTEGER, PRIMARY KEY (owner, name))');
  const get = (clause: Clause) => database.prepare(clause.sql).get(...clause.values) as RateRow | undefined;
  const request: RatedRequest = { owner: 'key', name: 'polls', perMinute };
  return (atMs: number) => {
    const nowUs = sql`${1000 * atMs}`;
    const counted = get(toCountStatement(request, nowUs));
    return counted === undefined
      ? toRefused(get(toWaitStatement(request, nowUs)), request)
      : toCounted(counted, request);
  };
}

test('ten requests pass at once, then one every six seconds; after a minute without requests ten pass again', () => {
  const count = makeRates(10);
  for (let left = 9; left >= 0; left -= 1)
    assert.deepEqual(count(1_000), { isAllowed: true, remaining: left, fullInMs: (10 - left) * 6_000 });
  assert.deepEqual(count(1_000), { isAllowed: false, waitMs: 6_000 });
  assert.deepEqual(count(5_500), { isAllowed: false, waitMs: 1_500 });
  assert.deepEqual(count(7_000), { isAllowed: true, remaining: 0, fullInMs: 60_000 });
  assert.deepEqual(count(7_001), { isAllowed: false, waitMs: 5_999 });
  for (let left = 9; left >= 0; left -= 1)
    assert.deepEqual(count(67_000), { isAllowed: true, remaining: left, fullInMs: (10 - left) * 6_000 });
});

test('after a clock was set back nobody waits longer than a minute and one token', () => {
  for (const backMs of [1_000, 59_000, 61_000, 119_000, 3_600_000, 40_000_000]) {
    const count = makeRates(10);
    for (let i = 0; i < 10; i += 1) count(100_000_000);
    const counted = count(100_000_000 - backMs);
    if (backMs > 60_000) assert.ok(counted.isAllowed, `${backMs}`);
    else assert.ok(!counted.isAllowed && counted.waitMs === backMs + 6_000, `${backMs}`);
  }
});

test('property: requests never exceed the burst and the refilled tokens, and every wait is exact', () => {
  const anyGaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), anyGaps, (perMinute, gaps) => {
      const count = makeRates(perMinute);
      const allowedAt: number[] = [];
      let nowMs = 5_000;
      for (const gapMs of gaps) {
        nowMs += gapMs;
        const counted = count(nowMs);
        if (counted.isAllowed) allowedAt.push(nowMs);
        else {
          nowMs += Math.ceil(counted.waitMs);
          assert.ok(count(nowMs).isAllowed, `waited ${counted.waitMs} ms`);
          allowedAt.push(nowMs);
        }
      }
      for (const [i, fromMs] of allowedAt.entries()) {
        for (const [j, toMs] of allowedAt.slice(i).entries()) {
          const most = perMinute + ((toMs - fromMs) * perMinute) / 60_000;
          // A step is rounded down by less than a microsecond.
          assert.ok(j + 1 <= most + 0.01, `${j + 1} within ${toMs - fromMs} ms`);
        }
      }
    }),
    { numRuns: casesOf(50) },
  );
});
