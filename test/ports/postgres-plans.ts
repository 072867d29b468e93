import { hash } from 'node:crypto';
import type { Client } from 'pg';
import type { Statement } from '../../src/adapters/postgres/connection/sql-client.ts';
import { toNumbered } from '../../src/adapters/postgres/connection/sql-client.ts';
import { toFindFiles } from '../../src/adapters/postgres/stores/dem-store.ts';
import { postgresFieldDialect } from '../../src/adapters/postgres/stores/field-store.ts';
import { toFindCells, toFindMasks } from '../../src/adapters/postgres/stores/measurement-stores.ts';
import {
  toQuickCount,
  toQuickDayCounts,
  toQuickMonthCounts,
} from '../../src/adapters/postgres/stores/scene-counts.ts';
import { postgresDialect as dialect, toShapeSql } from '../../src/adapters/postgres/stores/scene-search.ts';
import {
  toBoxCount,
  toFieldPage,
  toShapePage as toFieldShapes,
} from '../../src/adapters/sql/field-search.ts';
import { toCount, toDayCounts, toPage, toShapePage } from '../../src/adapters/sql/scenes.ts';
import type { FieldFilter, SceneQuery } from '../../src/catalog/index.ts';
import { box } from '../../src/catalog/testing/make-scene.ts';
import type { FieldQuery } from '../../src/fields/index.ts';

/** Enough for PostgreSQL to find a walk over the whole table too long. */
const FILL = `
  INSERT INTO scenes (view_id, scene_id, product_id, dataset, date, cloud, version, footprint, fields)
  SELECT 'S/' || n, 'scene ' || n, 'product ' || n, (ARRAY['sentinel2', 'landsat8'])[1 + n % 2],
    to_char(date '2016-01-01' + n % 3650, 'YYYY-MM-DD'), n % 100, n::text,
    ST_MakeEnvelope(n * 7 % 350 - 180, n * 11 % 160 - 80, n * 7 % 350 - 179, n * 11 % 160 - 79, 4326), '{}'
  FROM generate_series(1, 20000) n`;

const DATE: FieldFilter = { field: 'date', kind: 'range', from: '2020-01-01', to: '2020-06-30' };
const YEARS: FieldFilter = { field: 'date', kind: 'range', from: '2019-11-01', to: '2020-02-29' };
const SINCE: FieldFilter = { field: 'date', kind: 'range', from: '2016-11-01' };
const CLOUD: FieldFilter = { field: 'cloudCoverage', kind: 'range', to: 20 };
const query = (filters: readonly FieldFilter[], more: Partial<SceneQuery> = {}): SceneQuery => ({
  datasets: [{ id: 'sentinel2', filters }],
  sort: { field: 'date', descending: true },
  offset: 0,
  limit: 50,
  ...more,
});

/** A model of the whole world in squares of one degree, and the boxes that dem-boxes.ts gives them. */
const FILL_DEMS = `
  INSERT INTO dems VALUES ('a', '{}');
  INSERT INTO dem_layers (dem, overview, revision) VALUES ('a', 0, '');
  INSERT INTO dem_files (id, layer, west, east, south, north, resolution, bounds, record)
  SELECT md5(n::text), l.number, n % 360 - 180, n % 360 - 179, n / 360 - 90, n / 360 - 89, 30,
    box(point(n % 360 - 180, l.number * 256 + n / 360 - 90), point(n % 360 - 179, l.number * 256 + n / 360 - 89)),
    repeat('x', 1000)
  FROM dem_layers l, generate_series(1, 20000) n`;

/** Fills the tables and asks PostgreSQL how it would look files of elevation models up. */
export async function explainDemSearches(client: Client): Promise<Readonly<Record<string, string>>> {
  await client.query(FILL_DEMS);
  const explain = makeExplain(client);
  const bounds = { west: 2.5, south: 42.5, east: 2.6, north: 42.6 };
  const layers = [
    { dem: 'a', overview: 0 },
    { dem: 'b', overview: 1 },
  ];
  const fresh = await explain(toFindFiles(layers, bounds, 10));
  await client.query('VACUUM (ANALYZE) dem_files, dem_layers, dems');
  return {
    fresh,
    few: await explain(toFindFiles(layers, bounds, 1)),
    all: await explain(toFindFiles(layers, bounds, 1_000)),
  };
}

const makeExplain =
  (client: Client) =>
  async (statement: Statement): Promise<string> => {
    const { sql, values } = toNumbered(statement);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

/** Fields of two owners side by side, with the boxes that the store gives them. */
const FILL_FIELDS = `
  INSERT INTO field_owners (owner) VALUES ('a'), ('b');
  INSERT INTO fields (owner, id, external_id, name, grp, hectares, west, south, east, north, bounds, hilbert,
    created_at, updated_at, version, digest, bytes, folded, properties, geometry)
  SELECT o.number, md5(n::text), 'ext ' || n, 'Field ' || n, 'Group ' || n % 100, n % 50, x, y, x + 0.01, y + 0.01,
    box(point(x, o.number * 256 + y), point(x + 0.01, o.number * 256 + y + 0.01)), n, n::text, n::text, 1, '', 0,
    'field', '{}', '{}'
  FROM field_owners o, generate_series(1, 30000) n, LATERAL (SELECT n % 200 / 10.0 AS x, n / 200 / 10.0 AS y) at`;

/** Fills the tables and asks PostgreSQL how it would look for fields. */
export async function explainFields(client: Client): Promise<Readonly<Record<string, string>>> {
  await client.query(FILL_FIELDS);
  await client.query('VACUUM (ANALYZE) fields, field_owners');
  const explain = makeExplain(client);
  const asked: FieldQuery = {
    owner: 'a',
    order: { by: 'name', descending: false },
    after: { value: 'Field 2', id: '' },
    limit: 100,
  };
  const within = { west: 2, south: 2, east: 2.3, north: 2.3 };
  const shapes = { dialect: postgresFieldDialect, columns: 'f.id, f.geometry' };
  const page = { after: { hilbert: 5, id: '' }, limit: 100 };
  return {
    page: await explain(toFieldPage(1, asked, 'walk', postgresFieldDialect)),
    group: await explain(toFieldPage(1, { ...asked, group: 'Group 7' }, 'walk', postgresFieldDialect)),
    box: await explain(toFieldPage(1, { ...asked, within }, 'near', postgresFieldDialect)),
    boxCount: await explain(
      toBoxCount(1, { owner: 'a', within }, postgresFieldDialect) as NonNullable<
        ReturnType<typeof toBoxCount>
      >,
    ),
    shapes: await explain(toFieldShapes(1, { owner: 'a' }, page, { way: 'walk', ...shapes })),
  };
}

const FILL_COVERAGE = `
  INSERT INTO coverage_masks (key, mask) SELECT md5(n::text), '{}' FROM generate_series(1, 20000) n;
  INSERT INTO coverage_cells (key, cell, pixels)
  SELECT md5((n / 50)::text), n % 50, decode('0001020304', 'hex') FROM generate_series(1, 50000) n`;

/** Fills the tables and asks PostgreSQL how it would look up cells of cloud masks, those of a hundred scenes. */
export async function explainCoverage(client: Client): Promise<Readonly<Record<string, string>>> {
  await client.query(FILL_COVERAGE);
  await client.query('VACUUM (ANALYZE) coverage_masks, coverage_cells');
  const explain = makeExplain(client);
  const keys = Array.from({ length: 100 }, (_, i) => hash('md5', String(i)));
  return {
    masks: await explain(toFindMasks(keys)),
    cells: await explain(toFindCells(keys.map((key) => ({ key, cells: [1, 2, 3, 4] })))),
  };
}

/** Fills the tables and asks PostgreSQL how it would search them. */
export async function explainSearches(client: Client): Promise<Readonly<Record<string, string>>> {
  await client.query(FILL);
  await client.query('VACUUM (ANALYZE) scenes');
  await client.query('VACUUM (ANALYZE) tallies, month_tallies');
  const explain = makeExplain(client);
  const first = { firstDay: null, offset: 0 };
  const [point, polygon] = [
    { geometry: { type: 'Point', coordinates: [2.5, 42.5] }, relation: 'intersects' },
    { geometry: box(2, 42, 4, 44), relation: 'intersects' },
  ] as const;
  const sceneId: FieldFilter = { field: 'sceneID', kind: 'one-of', values: ['scene 77'] };
  const datasets = ['sentinel2', 'landsat8'].map((id) => ({ id, filters: [DATE] }));
  return {
    count: await explain(toCount(query([DATE, CLOUD]), dialect)),
    page: await explain(toPage(query([DATE, CLOUD]), dialect, first)),
    days: await explain(toDayCounts(query([DATE, CLOUD]), dialect)),
    quickCount: await explain(toQuickCount(query([DATE, CLOUD]), dialect)),
    quickDays: await explain(toQuickDayCounts(query([DATE, CLOUD]), dialect)),
    quickMonths: await explain(
      toQuickMonthCounts(query([DATE, CLOUD]), dialect) as NonNullable<ReturnType<typeof toQuickMonthCounts>>,
    ),
    sceneId: await explain(toPage(query([sceneId]), dialect, first)),
    point: await explain(toShapePage(query([DATE, CLOUD]), dialect, toShapeSql(point))),
    pointOfYears: await explain(toShapePage(query([YEARS, CLOUD]), dialect, toShapeSql(point))),
    pointSince: await explain(toShapePage(query([SINCE, CLOUD]), dialect, toShapeSql(point))),
    polygon: await explain(toShapePage(query([]), dialect, toShapeSql(polygon))),
    datasets: await explain(toPage(query([], { datasets }), dialect, first)),
    name: await explain({
      sql: 'SELECT number FROM scenes WHERE dataset = ? AND (scene_id = ? OR product_id = ?) ORDER BY view_id DESC LIMIT 1',
      values: ['sentinel2', 'x', 'x'],
    }),
  };
}
