import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../errors.ts';
import { parsePeriod } from './period.ts';

test('a period is a year, a month, a week, a day, or a span between two of them', () => {
  const cases: readonly [string, string, string][] = [
    ['2026', '2026-01-01', '2026-12-31'],
    ['2026-07', '2026-07-01', '2026-07-31'],
    ['2028-02', '2028-02-01', '2028-02-29'],
    ['2026-12', '2026-12-01', '2026-12-31'],
    ['2026-07-04', '2026-07-04', '2026-07-04'],
    // 2026 begins on a Thursday, so its first week begins in the year before.
    ['2026-W01', '2025-12-29', '2026-01-04'],
    ['2026-W30', '2026-07-20', '2026-07-26'],
    ['2026-W53', '2026-12-28', '2027-01-03'],
    ['2026-07-01..2026-07-20', '2026-07-01', '2026-07-20'],
    ['2025-11..2026', '2025-11-01', '2026-12-31'],
    ['2026-W30..2026-08', '2026-07-20', '2026-08-31'],
  ];
  for (const [text, from, to] of cases) assert.deepEqual(parsePeriod(text), { from, to }, text);
});

test('an invalid period is refused with the valid forms', () => {
  const texts = [
    '',
    '26',
    '2026-13',
    '2026-00',
    '2026-7',
    '2026-02-30',
    '2026-W54',
    '2027-W53',
    '2026-W00',
    '2026..',
    '..2026',
    '2026..2027..2028',
    '2026-07/2026-08',
    'july',
    '2026-08..2026-07',
  ];
  for (const text of texts)
    assert.throws(
      () => parsePeriod(text),
      (error) => isSwathError(error) && error.code === 'bad-period',
      text,
    );
});
