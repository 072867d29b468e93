import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { FieldFilter, SceneQuery } from '../../catalog/index.ts';
import { toCount, toDayCounts, toPage, toShapePage } from '../scene-statements.ts';
import type { Clause } from '../sql-clause.ts';
import { openDatabase } from './database.ts';
import { sqliteDialect as dialect, toShapeSql } from './scene-sql.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-plans-'));
const database = openDatabase(join(directory, 'swath.db'));
database.close();
// The figures that plans are made by are read when a connection is opened.
const opened = openDatabase(join(directory, 'swath.db'));
opened.function('footprint_relates', { deterministic: true }, (_footprint) => 1);
after(() => {
  opened.close();
  rmSync(directory, { recursive: true });
});

const explain = ({ sql, values }: Clause): string =>
  (opened.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[])
    .map(({ detail }) => detail)
    .join('\n');

const DATE: FieldFilter = { field: 'date', kind: 'range', from: '2026-01-01', to: '2026-06-30' };
const CLOUD: FieldFilter = { field: 'cloudCoverage', kind: 'range', to: 20 };
const query = (filters: readonly FieldFilter[], more: Partial<SceneQuery> = {}): SceneQuery => ({
  datasets: [{ id: 'sentinel2', filters }],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 500,
  ...more,
});
const toFirst = (asked: SceneQuery): string => explain(toPage(asked, dialect, { firstDay: null, offset: 0 }));

test('date and cloud: counted in an index and paged in another, in order, without the table', () => {
  const asked = query([DATE, CLOUD]);
  assert.match(explain(toCount(asked, dialect)), /COVERING INDEX scenes_counted \(dataset=\? AND date>/);
  assert.equal(
    toFirst(asked),
    'SEARCH s USING COVERING INDEX scenes_in_order (dataset=? AND date>? AND date<?)',
  );
});

test('a deep page: counted by day in the narrow index, begun at its day', () => {
  const asked = query([CLOUD], { offset: 49_500 });
  assert.equal(
    explain(toDayCounts(asked, dialect)),
    'SEARCH s USING COVERING INDEX scenes_counted (dataset=?)',
  );
  assert.equal(
    explain(toPage(asked, dialect, { firstDay: '2026-03-01', offset: 7 })),
    'SEARCH s USING COVERING INDEX scenes_in_order (dataset=? AND date<?)',
  );
});

test('a scene id: found by itself, whatever the order', () => {
  const asked = query([{ field: 'sceneID', kind: 'one-of', values: ['S2A_x'] }]);
  assert.match(explain(toCount(asked, dialect)), /INDEX scenes_by_scene_id \(dataset=\? AND scene_id=\?\)/);
  assert.match(toFirst(asked), /INDEX scenes_by_scene_id \(dataset=\? AND scene_id=\?\)/);
});

test('shapes: boxes first, then the scenes by number', () => {
  const shapes: readonly NonNullable<SceneQuery['shape']>['geometry'][] = [
    { type: 'Point', coordinates: [2, 42] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [2, 42],
          [3, 42],
          [3, 43],
          [2, 42],
        ],
      ],
    },
  ];
  for (const geometry of shapes) {
    const asked = query([DATE, CLOUD]);
    const plan = explain(toShapePage(asked, dialect, toShapeSql(asked, geometry)));
    assert.match(plan, /SCAN s VIRTUAL TABLE INDEX 2:[\s\S]*SEARCH s USING INTEGER PRIMARY KEY/);
  }
});

test('several datasets: each in its index, merged in order', () => {
  const asked = query([], { datasets: ['sentinel2', 'landsat8'].map((id) => ({ id, filters: [DATE] })) });
  const plan = toFirst(asked);
  assert.match(plan, /^MERGE \(UNION ALL\)/);
  assert.equal(plan.match(/COVERING INDEX scenes_in_order/g)?.length, 2);
  assert.doesNotMatch(plan, /TEMP B-TREE/);
});
