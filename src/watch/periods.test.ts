import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePeriod } from '../mosaic/index.ts';
import { addDays } from './judge.ts';
import { isOver, listPeriods, toLongestDays } from './periods.ts';
import type { Every } from './subscription.ts';

const on = (...days: readonly string[]) => days.map((day) => ({ acquiredAt: `${day}T10:00:00.000Z` }));
const named = (every: Every, days: { from: string; to: string }, ...taken: readonly string[]) =>
  listPeriods(every, days, on(...taken)).map(({ name, scenes }) => [name, scenes.length]);

test('weeks and months contain the scenes of their days, in the order in which they end', () => {
  const year = { from: '2026-01-01', to: '2026-12-31' };
  const taken = ['2026-07-27', '2026-07-26', '2026-07-20', '2026-07-19'] as const;
  assert.deepEqual(named({ kind: 'week' }, year, ...taken), [
    ['2026-W29', 1],
    ['2026-W30', 2],
    ['2026-W31', 1],
  ]);
  assert.deepEqual(named({ kind: 'month' }, year, ...taken, '2026-02-28'), [
    ['2026-02', 1],
    ['2026-07', 4],
  ]);
});

test('only periods that end within the given days count, with all their scenes', () => {
  const days = { from: '2026-07-26', to: '2026-07-26' };
  assert.deepEqual(named({ kind: 'week' }, days, '2026-07-19', '2026-07-20', '2026-07-27'), [
    ['2026-W30', 1],
  ]);
});

test('a period of the last days ends on each day that has a scene', () => {
  const days = { from: '2026-07-05', to: '2026-07-31' };
  assert.deepEqual(
    named({ kind: 'days', days: 5 }, days, '2026-07-01', '2026-07-05', '2026-07-05', '2026-07-08'),
    [
      ['2026-07-01..2026-07-05', 3],
      ['2026-07-04..2026-07-08', 3],
    ],
  );
});

test('every name maps to its days, in years with and without a 53rd week', () => {
  for (let day = '2019-12-20'; day < '2027-01-20'; day = addDays(day, 1)) {
    for (const every of [{ kind: 'week' }, { kind: 'month' }, { kind: 'days', days: 9 }] as const) {
      const [period] = listPeriods(every, { from: '2000-01-01', to: '2099-12-31' }, on(day));
      assert.ok(period !== undefined && period.from <= day && day <= period.to);
      assert.deepEqual(parsePeriod(period.name), { from: period.from, to: period.to });
      assert.ok(addDays(period.from, toLongestDays(every)) > period.to);
    }
  }
});

test('a week is judged when its grace period is over, the last days at once', () => {
  const week = { name: '2026-W30', from: '2026-07-20', to: '2026-07-26' };
  assert.equal(isOver(week, { kind: 'week' }, 2, '2026-07-28'), false);
  assert.equal(isOver(week, { kind: 'week' }, 2, '2026-07-29'), true);
  assert.equal(isOver(week, { kind: 'month' }, 0, '2026-07-26'), false);
  assert.equal(isOver(week, { kind: 'days', days: 7 }, 2, '2026-07-26'), true);
});
