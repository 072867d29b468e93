import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import { toNumberBelow, toQuickCount, toQuickDayCounts } from './scene-search.ts';

const query = (...filters: readonly FieldFilter[]): SceneQuery => ({
  datasets: [{ id: 'sentinel2', filters }],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 1,
});
const DATE: FieldFilter = { field: 'date', kind: 'range', from: '2026-06-01' };

test('filters by date and cloud range are counted in the count table', () => {
  for (const filters of [
    [],
    [DATE],
    [DATE, { field: 'cloudCoverage', kind: 'range', from: 0, to: 20 }],
    [{ field: 'date', kind: 'one-of', values: ['2026-06-01', '2026-06-03'] }],
  ] as const) {
    for (const { sql } of [toQuickCount(query(...filters)), toQuickDayCounts(query(...filters))]) {
      assert.match(sql, /FROM tallies/);
      assert.doesNotMatch(sql, /FROM scenes/);
    }
  }
});

test('the strictest of several ranges counts, and a lower end is inclusive', () => {
  const { values } = toQuickCount(
    query(
      { field: 'cloudCoverage', kind: 'range', from: -5, to: 50 },
      { field: 'cloudCoverage', kind: 'range', from: 0, to: 70 },
    ),
  );
  assert.deepEqual(values, [50, -Number.MIN_VALUE, 'sentinel2']);
});

test('other filters are counted among the scenes', () => {
  for (const filter of [
    { field: 'path', kind: 'range', from: 3 },
    { field: 'sceneID', kind: 'one-of', values: ['a'] },
    { field: 'cloudCoverage', kind: 'one-of', values: [3] },
    { field: 'cloudCoverage', kind: 'range', from: 'a' },
    { field: 'date', kind: 'range', to: 3 },
  ] as const) {
    for (const { sql } of [toQuickCount(query(DATE, filter)), toQuickDayCounts(query(DATE, filter))]) {
      assert.match(sql, /FROM scenes/, filter.field);
      assert.doesNotMatch(sql, /FROM tallies/, filter.field);
    }
  }
});

test('the number below is the next smaller double', () => {
  assert.equal(toNumberBelow(1), 1 - Number.EPSILON / 2);
  assert.equal(toNumberBelow(-1), -1 - Number.EPSILON);
  assert.equal(toNumberBelow(0), -Number.MIN_VALUE);
  assert.equal(toNumberBelow(-0), -Number.MIN_VALUE);
  assert.equal(toNumberBelow(Number.MIN_VALUE), 0);
  assert.equal(toNumberBelow(Number.POSITIVE_INFINITY), Number.MAX_VALUE);
  assert.equal(toNumberBelow(Number.NEGATIVE_INFINITY), Number.NEGATIVE_INFINITY);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const below = toNumberBelow(value);
      const half = below / 2 + value / 2;
      assert.ok(below < value && (half <= below || half >= value), `${below} < ${value}`);
    }),
  );
});
