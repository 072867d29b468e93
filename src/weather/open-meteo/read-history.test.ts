import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../units.ts';
import { planHistory } from './read-history.ts';

const NOW_MS = Date.UTC(2026, 4, 20, 10, 20);
const toDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);
const plan = (from: string, to: string, locationCount = 1) =>
  planHistory({ startMs: Date.parse(from), endMs: Date.parse(to), nowMs: NOW_MS, locationCount }).map(
    ({ api, startMs, endMs, isFinal }) => [api, toDay(startMs), toDay(endMs), isFinal],
  );

test('up to three months are requested alone, more as a whole year', () => {
  assert.deepEqual(plan('2020-02-10', '2020-02-11'), [['archive', '2020-02-01', '2020-03-01', true]]);
  assert.deepEqual(plan('2020-02-10', '2020-05-01'), [['archive', '2020-02-01', '2020-05-01', true]]);
  assert.deepEqual(plan('2020-02-10', '2020-05-02'), [['archive', '2020-01-01', '2021-01-01', true]]);
  assert.deepEqual(plan('2019-12-31', '2021-01-02'), [
    ['archive', '2019-12-01', '2020-01-01', true],
    ['archive', '2020-01-01', '2021-01-01', true],
    ['archive', '2021-01-01', '2021-02-01', true],
  ]);
});

test('years of many locations are requested in quarters', () => {
  assert.deepEqual(plan('2020-02-10', '2020-08-02', 25), [
    ['archive', '2020-01-01', '2020-04-01', true],
    ['archive', '2020-04-01', '2020-07-01', true],
    ['archive', '2020-07-01', '2020-10-01', true],
  ]);
  assert.deepEqual(plan('2020-02-10', '2020-02-11', 25), [['archive', '2020-02-01', '2020-03-01', true]]);
  assert.equal(plan('2020-01-01', '2021-01-01', 6).length, 1);
});

test('the last week comes from the forecast, and months that may change are not final', () => {
  assert.deepEqual(plan('2026-05-01', '2026-05-20T10:00Z'), [
    ['archive', '2026-05-01', '2026-05-13', false],
    ['forecast', '2026-05-13', '2026-05-21', false],
  ]);
  assert.deepEqual(plan('2026-05-18', '2026-05-19'), [['forecast', '2026-05-13', '2026-05-21', false]]);
  assert.deepEqual(plan('2026-05-01', '2026-05-13'), [['archive', '2026-05-01', '2026-05-13', false]]);
  assert.deepEqual(plan('2026-03-01', '2026-03-02'), [['archive', '2026-03-01', '2026-04-01', false]]);
});

test('parts cover all hours in order, without a gap', () => {
  for (let span = 1; span < 30_000; span = Math.ceil(span * 1.7)) {
    const endMs = Date.UTC(2026, 4, 20, 10);
    const startMs = endMs - span * HOUR_MS;
    for (const locationCount of [1, 25]) {
      const parts = planHistory({ startMs, endMs, nowMs: NOW_MS, locationCount });
      assert.ok(parts[0]!.startMs <= startMs);
      assert.ok(parts.at(-1)!.endMs >= endMs);
      for (let i = 1; i < parts.length; i++) assert.equal(parts[i]!.startMs, parts[i - 1]!.endMs);
    }
  }
});

test('there is no data before the archive and after now', () => {
  assert.deepEqual(plan('1930-01-01', '1939-12-31'), []);
  assert.deepEqual(plan('2026-06-01', '2026-06-02'), []);
  assert.deepEqual(plan('1939-06-01', '1940-01-02'), [['archive', '1940-01-01', '1940-02-01', true]]);
});
