import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planDates } from './plan-dates.ts';

const before = { from: '2026-03-01', to: '2026-06-21' };

test('a half-typed year is not used', () => {
  for (const typed of ['0002-03-01', '0020-03-01', '0202-03-01', '1899-12-31']) {
    assert.equal(planDates(before, 'from', typed), null);
    assert.equal(planDates(before, 'to', typed), null);
  }
  assert.deepEqual(planDates(before, 'from', '2025-03-01'), { from: '2025-03-01', to: '2026-06-21' });
  assert.deepEqual(planDates(before, 'from', ''), { from: '', to: '2026-06-21' });
});

test('the other end follows only as far as the last typed date', () => {
  // 12 for the month: 01 on the way.
  assert.deepEqual(planDates(before, 'to', '2026-01-15'), { from: '2026-01-15', to: '2026-01-15' });
  assert.deepEqual(planDates(before, 'to', '2026-12-15'), { from: '2026-03-01', to: '2026-12-15' });
  assert.deepEqual(planDates(before, 'from', '2026-09-01'), { from: '2026-09-01', to: '2026-09-01' });
  assert.deepEqual(planDates({ from: '', to: '' }, 'to', '2026-09-01'), { from: '', to: '2026-09-01' });
});
