import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, daysBetween, findNearestDay } from './days.ts';

test('days are counted across months and years', () => {
  assert.equal(addDays('2026-02-27', 3), '2026-03-02');
  assert.equal(addDays('2026-01-01', -1), '2025-12-31');
  assert.equal(daysBetween('2025-12-31', '2026-03-01'), 60);
});

test('the nearest day is found; at equal distance the later one', () => {
  assert.equal(findNearestDay(['2026-01-01', '2026-05-30', '2026-06-30'], '2026-06-10'), '2026-05-30');
  assert.equal(findNearestDay(['2026-06-05', '2026-06-15'], '2026-06-10'), '2026-06-15');
  assert.equal(findNearestDay([], '2026-06-10'), null);
});
