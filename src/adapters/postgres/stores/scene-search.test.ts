import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldFilter } from '../../../catalog/index.ts';
import { listYears } from './scene-search.ts';

test('the years of asked dates are listed if they are few, and none is left out', () => {
  const range = (from?: string | null, to?: string | null): FieldFilter => ({
    field: 'date',
    kind: 'range',
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  assert.deepEqual(listYears([range('2025-11-01', '2026-02-28')]), ['2025', '2026']);
  assert.deepEqual(listYears([range('2026-06-21', '2026-06-21')]), ['2026']);
  assert.deepEqual(listYears([range('2026-06', '2026-06\u{10ffff}')]), ['2026']);
  assert.deepEqual(listYears([range('2000-01-01', '2026-12-31'), range('2024-03-01', '2025-05-01')]), [
    '2024',
    '2025',
  ]);
  assert.deepEqual(listYears([range('0099-01-01', '0100-01-01')]), ['0099', '0100']);
  for (const open of [
    [],
    [range('2026-01-01')],
    [range(null, '2026-01-01')],
    [range('2020-01-01', '2026-01-01')],
    [range('2026-01-01', '2025-01-01')],
    [range('next year', '2025-01-01')],
    [{ field: 'cloudCoverage', kind: 'range', from: 2025, to: 2026 } as const],
    [{ field: 'date', kind: 'one-of', values: ['2026-06-21'] } as const],
  ])
    assert.equal(listYears(open), null, JSON.stringify(open));
});
