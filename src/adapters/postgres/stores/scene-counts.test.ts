import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import { toNumberBelow, toQuickCount, toQuickDayCounts, toQuickMonthCounts } from './scene-counts.ts';
import { postgresDialect as dialect } from './scene-search.ts';

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
    for (const { sql } of [
      toQuickCount(query(...filters), dialect),
      toQuickDayCounts(query(...filters), dialect),
    ]) {
      assert.match(sql, /FROM (month_)?tallies/);
      assert.doesNotMatch(sql, /FROM scenes/);
    }
  }
});

test('the strictest of several ranges applies, and its lower end is inclusive', () => {
  const { values } = toQuickCount(
    query(
      { field: 'cloudCoverage', kind: 'range', from: -5, to: 50 },
      { field: 'cloudCoverage', kind: 'range', from: 0, to: 70 },
    ),
    dialect,
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
    for (const { sql } of [
      toQuickCount(query(DATE, filter), dialect),
      toQuickDayCounts(query(DATE, filter), dialect),
    ]) {
      assert.match(sql, /FROM scenes/, filter.field);
      assert.doesNotMatch(sql, /tallies/, filter.field);
    }
    assert.equal(toQuickMonthCounts(query(DATE, filter), dialect), null, filter.field);
  }
});

const range = (from: string | undefined, to: string | undefined): FieldFilter => ({
  field: 'date',
  kind: 'range',
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

test('whole months are counted as such, and only the days before and after them apart', () => {
  const valuesOf = (...filters: readonly FieldFilter[]) =>
    toQuickMonthCounts(query(...filters), dialect)?.values.filter((value) => String(value).startsWith('20'));
  assert.deepEqual(valuesOf(range('2026-01-15', '2026-09-02')), [
    ...['2026-02', '2026-09'],
    ...['2026-01-15', '2026-02'],
    ...['2026-09', '2026-09-02'],
  ]);
  assert.deepEqual(valuesOf(range('2026-01-15', undefined), range('2026-01-20', undefined)), [
    '2026-02',
    '2026-01-20',
    '2026-02',
  ]);
  assert.deepEqual(valuesOf(range(undefined, '2026-09-30')), ['2026-09', '2026-09', '2026-09-30']);
  assert.deepEqual(valuesOf(), []);
  // The month after December, in the order of texts.
  assert.equal(valuesOf(range('2026-12-15', undefined))?.[0], '2026-13');
});

test('days are counted if no month is whole, and if clouds are divided between whole percents', () => {
  for (const filters of [
    [range('2026-05-01', '2026-05-31')],
    [range('2026-05-01', '2026-06-30')],
    [range('2026-09-01', '2026-05-31')],
    [range('2026', undefined)],
    [range('2026-05-01', undefined), { field: 'date', kind: 'one-of', values: ['2026-07-01'] }],
    [{ field: 'cloudCoverage', kind: 'range', to: 12.5 }],
    [{ field: 'cloudCoverage', kind: 'range', from: -1 }],
    [{ field: 'cloudCoverage', kind: 'range', to: 101 }],
  ] as const)
    assert.equal(toQuickMonthCounts(query(...filters), dialect), null, JSON.stringify(filters));
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
