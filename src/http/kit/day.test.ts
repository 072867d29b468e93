import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDay } from './texts.ts';

test('a day is a date of the calendar, with or without a time behind it', () => {
  for (const text of ['2026-06-21', ' 2026-06-21 ', '2026-06-21T00:00:00Z', '2026-06-21T00:00:00.000'])
    assert.equal(parseDay(text), '2026-06-21', text);
  assert.equal(parseDay('2024-02-29'), '2024-02-29');
});

test('anything else is none', () => {
  for (const value of ['2026-02-30', '2025-02-29', '2026-13-01', '2026-6-1', '21.06.2026', '2026/06/21', ''])
    assert.equal(parseDay(value), null, value);
  for (const value of [null, undefined, 20260621, ['2026-06-21'], {}]) assert.equal(parseDay(value), null);
});
