import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { FieldFilter, SceneQuery } from '../../catalog/index.ts';
import type { FieldQuery } from '../../fields/index.ts';
import { toBoxCount, toFieldPage, toShapePage as toFieldShapes } from '../sql/field-search.ts';
import { toCount, toDayCounts, toPage, toShapePage } from '../sql/scenes.ts';
import type { Clause } from '../sql/sql.ts';
import { raw } from '../sql/sql.ts';
import { prepare } from './connection.ts';
import { planCount } from './scenes/scene-counts.ts';
import { sqliteDialect as dialect, toCandidates, toShapeSql } from './scenes/scene-search.ts';
import { openDatabase } from './schema/migrate.ts';
import { NEAR, WALK } from './stores/dem-store.ts';
import { BY_NAME, KNOWN_BY_NAME, TOUCH } from './stores/scene-stores.ts';
import { sqliteFieldDialect as fieldDialect } from './threads/field-reads.ts';
import { LEAST_USED } from './threads/known-scene-operations.ts';

const directory = mkdtempSync(join(tmpdir(), 'swath-plans-'));
const database = openDatabase(join(directory, 'swath.db'));
database.close();
// SQLite reads its planner statistics when a connection is opened.
const opened = openDatabase(join(directory, 'swath.db'));
opened.function('field_holds', { deterministic: true }, (_geometry, _lon, _lat) => 1);
opened.function('footprint_relates', { deterministic: true }, (_footprint) => 1);
after(() => {
  opened.close();
  rmSync(directory, { recursive: true });
});

const explain = ({ sql, values }: Clause): string =>
  prepare<{ detail: string }>(opened, `EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
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
const explainCount = ({ datasets }: SceneQuery): readonly string[] =>
  datasets.flatMap((dataset) => {
    const { byDay, sum } = planCount(dataset, dialect) ?? assert.fail('the count table does not know');
    return [byDay, ...(sum === null ? [] : [sum])].map(explain);
  });
const toFirst = (asked: SceneQuery): string => explain(toPage(asked, dialect, { firstDay: null, offset: 0 }));

test('date and cloud filters are counted in the count table and paged in an index, in order, without the table', () => {
  const asked = query([DATE, CLOUD]);
  const plan = 'SEARCH s USING INDEX tallies_by_date (dataset=? AND date>? AND date<?)';
  assert.deepEqual(explainCount(asked), [plan]);
  assert.deepEqual(explainCount(query([DATE])), [plan, plan]);
  assert.equal(
    toFirst(asked),
    'SEARCH s USING COVERING INDEX scenes_in_order (dataset=? AND date>? AND date<?)',
  );
});

test('a deep page is counted by day in the count table, and read from its first day on', () => {
  const asked = query([CLOUD], { offset: 49_500 });
  assert.deepEqual(explainCount(asked), ['SEARCH s USING INDEX tallies_by_date (dataset=?)']);
  assert.equal(
    explain(toPage(asked, dialect, { firstDay: '2026-03-01', offset: 7 })),
    'SEARCH s USING COVERING INDEX scenes_in_order (dataset=? AND date<?)',
  );
});

test('other filters are counted in the index, within the requested dates', () => {
  const asked = query([DATE, { field: 'path', kind: 'range', to: 20 }]);
  for (const clause of [toCount(asked, dialect), toDayCounts(asked, dialect)]) {
    assert.match(explain(clause), /INDEX scenes_in_order \(dataset=\? AND date>\? AND date<\?\)/);
    assert.doesNotMatch(explain(clause), /TEMP B-TREE/);
  }
});

test('a scene id is found in its index, whatever the order', () => {
  const asked = query([{ field: 'sceneID', kind: 'one-of', values: ['S2A_x'] }]);
  assert.match(explain(toCount(asked, dialect)), /INDEX scenes_by_scene_id \(scene_id=\?\)/);
  assert.match(toFirst(asked), /INDEX scenes_by_scene_id \(scene_id=\?\)/);
});

test('a shape filters boxes first, then the scenes by number', () => {
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
    const plan = explain(toShapePage(asked, dialect, toShapeSql(toCandidates(asked, geometry))));
    assert.match(plan, /SCAN s VIRTUAL TABLE INDEX 2:[\s\S]*SEARCH s USING INTEGER PRIMARY KEY/);
  }
});

test('several datasets are each read in their index, and merged in order', () => {
  const asked = query([], { datasets: ['sentinel2', 'landsat8'].map((id) => ({ id, filters: [DATE] })) });
  const plan = toFirst(asked);
  assert.match(plan, /^MERGE \(UNION ALL\)/);
  assert.equal(plan.match(/COVERING INDEX scenes_in_order/g)?.length, 2);
  assert.doesNotMatch(plan, /TEMP B-TREE/);
});

test('a name is found in the indexes of scene and of product ids', () => {
  assert.match(
    explain(raw(BY_NAME.replaceAll(/\?\d/g, "'x'"))),
    /MULTI-INDEX OR\n.*\n.*scenes_by_scene_id \(scene_id=\?\)\n.*\n.*scenes_by_product_id \(product_id=\?\)/,
  );
});

test('known scenes are found by name, noted by id, and removed in the order of use', () => {
  const plain = (text: string): string => explain(raw(text.replaceAll(/\?\d/g, "'1'")));
  assert.match(
    plain(KNOWN_BY_NAME),
    /MULTI-INDEX OR\n.*\n.*known_scenes_by_scene_id \(scene_id=\?\)\n.*\n.*known_scenes_by_product_id \(product_id=\?\)/,
  );
  assert.match(
    plain(TOUCH),
    /^SEARCH known_scenes USING INDEX sqlite_autoindex_known_scenes_1 \(view_id=\?\)/,
  );
  assert.equal(plain(LEAST_USED), 'SCAN known_scenes USING COVERING INDEX known_scenes_by_use');
});

test('files of an elevation model are found by boxes first, then by number; or in id order, in an index', () => {
  const near = explain(raw(NEAR.replaceAll(/\?\d+/g, '1')));
  assert.equal(near.match(/SCAN dem_boxes VIRTUAL TABLE INDEX 2:/g)?.length, 3, near);
  assert.match(near, /SCAN b\nSEARCH f USING INTEGER PRIMARY KEY \(rowid=\?\)/);
  assert.equal(
    explain(raw(WALK.replaceAll(/\?\d+/g, '1'))),
    'SEARCH dem_files USING INDEX dem_files_in_order (layer=?)',
  );
});

const fieldQuery = (more: Partial<FieldQuery> = {}): FieldQuery => ({
  owner: 'key',
  order: { by: 'name', descending: false },
  after: { value: 'a', id: 'b' },
  limit: 1_000,
  ...more,
});
const explainFields = (more: Partial<FieldQuery>, way: 'walk' | 'near' = 'walk'): string =>
  explain(toFieldPage(1, fieldQuery(more), way, fieldDialect));
const ROWS_BY_NUMBER = /SEARCH f USING INTEGER PRIMARY KEY \(rowid=\?\)/;

test('each order of fields has an index, read from where the last page ended', () => {
  for (const [by, index] of [
    ['name', 'fields_by_name (owner=? AND (name,id)>(?,?))'],
    ['updatedAt', 'fields_by_update (owner=? AND (updated_at,id)>(?,?))'],
    ['hectares', 'fields_by_size (owner=? AND (hectares,id)>(?,?))'],
  ] as const) {
    const plan = explainFields({ order: { by, descending: false } });
    assert.ok(plan.includes(`SEARCH f USING COVERING INDEX ${index}`), plan);
    assert.match(plan, ROWS_BY_NUMBER);
  }
  const ofGroup = explainFields({ group: 'North' });
  assert.match(ofGroup, /fields_of_group_by_name \(owner=\? AND grp=\? AND \(name,id\)>\(\?,\?\)\)/);
});

test('a text or crop of fields is searched in the index, not in the rows', () => {
  assert.match(
    explainFields({ text: 'x', crop: 'maize' }),
    /SEARCH f USING COVERING INDEX fields_by_name \(owner=\? AND/,
  );
});

test('a place is searched in the spatial index of the owner, then the fields are read by number', () => {
  const within = { west: 2, south: 42, east: 3, north: 43 };
  for (const where of [{ within }, { at: [2.5, 42.5] as const }]) {
    const near = explainFields(where, 'near');
    // Six bounds: of the owner, of longitudes and of latitudes.
    assert.match(near, /SCAN field_boxes VIRTUAL TABLE INDEX 2:(?:[BD]\d){6}/);
    assert.match(near, ROWS_BY_NUMBER);
    assert.doesNotMatch(near, /SEARCH f USING (?:COVERING )?INDEX/);
    const count = toBoxCount(1, { owner: 'key', ...where }, fieldDialect) ?? assert.fail();
    assert.doesNotMatch(explain(count), /SCAN f\b|SEARCH f\b/, 'boxes are counted without the fields');
  }
  assert.match(explainFields({ within }), /SEARCH f USING INDEX fields_by_name \(owner=\?/);
});

test('field shapes come from an index along the curve, by owner and by group', () => {
  const page = { after: { hilbert: 5, id: 'b' }, limit: 500 };
  const explainShapes = (more: object): string =>
    explain(
      toFieldShapes(1, { owner: 'key', ...more }, page, {
        way: 'walk',
        dialect: fieldDialect,
        columns: 'f.id, f.geometry',
      }),
    );
  assert.equal(explainShapes({}), 'SEARCH f USING INDEX fields_in_order (owner=? AND (hilbert,id)>(?,?))');
  assert.equal(
    explainShapes({ group: 'North' }),
    'SEARCH f USING INDEX fields_of_group_in_order (owner=? AND grp=? AND (hilbert,id)>(?,?))',
  );
});
