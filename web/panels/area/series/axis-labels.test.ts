import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNumberLabels, toTimeLabels } from './axis-labels.ts';

const DAY_S = 86_400;
const at = (...days: readonly string[]): number[] => days.map((day) => Date.parse(day) / 1000);

test('the first label of a year names it, whether or not it is January', () => {
  assert.deepEqual(
    toTimeLabels(at('2025-10-01', '2025-12-01', '2026-02-01', '2026-04-01'), 60 * DAY_S, 'en-GB'),
    ['Oct 2025', 'Dec', 'Feb 2026', 'Apr'],
  );
  assert.deepEqual(toTimeLabels(at('2026-06-01', '2026-06-15'), 14 * DAY_S, 'en-GB'), [
    '1 Jun 2026',
    '15 Jun',
  ]);
  assert.deepEqual(toTimeLabels(at('2025-01-01', '2026-01-01'), 365 * DAY_S, 'de-DE'), ['2025', '2026']);
});

test('numbers have the digits of their step', () => {
  assert.deepEqual(toNumberLabels([-0.25, 0, 0.25], 0.25, 'en-GB'), ['−0.25', '0.00', '0.25']);
  assert.deepEqual(toNumberLabels([0.2, 0.4], 0.2, 'de-DE'), ['0,2', '0,4']);
  assert.deepEqual(toNumberLabels([0, 50], 50, 'en-GB'), ['0', '50']);
});
