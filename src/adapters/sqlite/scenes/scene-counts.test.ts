import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { FieldFilter, SceneQuery } from '../../../catalog/index.ts';
import { makeScene } from '../../../catalog/testing/make-scene.ts';
import { toHitLists } from '../../sql/hit-pages.ts';
import type { SceneRow } from '../../sql/scenes.ts';
import { toCount, toPage, toSceneRow } from '../../sql/scenes.ts';
import type { Clause } from '../../sql/sql.ts';
import { inTransaction } from '../connection.ts';
import { inspectDatabase, openDatabase } from '../schema/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { changeClouds, countClouds, packClouds } from './scene-counts.ts';
import { makeSceneReads, sqliteDialect } from './scene-search.ts';
import { makeSceneWrites } from './scene-writes.ts';

/** Few values, so that they repeat; -0 and 0 are equal. */
const anyCloud = fc.option(fc.constantFrom(-0, 0, 0.1, 0.1 + Number.EPSILON, 5, 20, 99.99, 1e300));
const anyClouds = fc.array(anyCloud, { maxLength: 30 });
const anyLimit = fc.constantFrom(
  Number.NEGATIVE_INFINITY,
  -1,
  0,
  0.1,
  5,
  19.9,
  100,
  Number.POSITIVE_INFINITY,
);

test('property: the count of clouds within bounds equals a count one by one', () => {
  fc.assert(
    fc.property(
      anyClouds,
      anyLimit,
      anyLimit,
      fc.option(fc.uniqueArray(fc.constantFrom(0, 0.1, 5, 7))),
      (clouds, low, high, only) => {
        const bounds = only === null ? { low, high } : { low, high, only: new Set(only) };
        const matching = clouds.filter(
          (cloud) =>
            cloud !== null &&
            cloud >= low &&
            cloud <= high &&
            (only === null || only.some((one) => one === cloud)),
        );
        assert.equal(countClouds(packClouds(clouds), bounds), matching.length);
      },
    ),
  );
});

test('property: changed clouds are those of the scenes that remain', () => {
  fc.assert(
    fc.property(anyClouds, anyClouds, fc.nat(40), (before, came, leaving) => {
      const all = [...came, ...before];
      const [went, stayed] = [all.slice(0, leaving), all.slice(leaving)];
      assert.deepEqual(changeClouds(packClouds(before), { came, went }), packClouds(stayed));
    }),
  );
});

test('a cloud that the day does not have cannot be removed', () => {
  assert.equal(changeClouds(packClouds([1, 2]), { came: [3], went: [2, 2] }), null);
  assert.equal(changeClouds(packClouds([1, 2]), { came: [], went: [null] }), null);
  assert.deepEqual(changeClouds(packClouds([-0]), { came: [], went: [0] }), packClouds([]));
});

const made: string[] = [];
after(() => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
});
function makePath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'swath-counts-'));
  made.push(directory);
  return join(directory, 'swath.db');
}

const DATASETS = ['sentinel2', 'landsat8'] as const;

/** One of a few scenes: they repeat with other days, clouds and datasets. */
const anyRow = fc
  .record({
    name: fc.nat(25),
    day: fc.integer({ min: 1, max: 5 }),
    dataset: fc.constantFrom(...DATASETS),
    cloud: fc.option(fc.constantFrom(-0, 0, 0.1, 5, 20, 99.99)),
  })
  .map(({ name, day, dataset, cloud }) =>
    toSceneRow(
      makeScene(day, {
        viewId: `V/${name}`,
        sceneId: `S${name % 7}`,
        dataset,
        fields: { cloudCoverage: cloud },
      }),
    ),
  );
const anyStep = fc.oneof(
  fc.record({
    put: fc.array(anyRow, { maxLength: 12 }),
    fate: fc.constantFrom('kept', 'kept', 'broken', 'undone'),
  }),
  fc.record({ remove: fc.nat(25).map((name) => `V/${name}`) }),
);

const broken: SceneRow = { ...toSceneRow(makeScene(3, { viewId: 'broken' })), footprint: '00' };

/** Puts scenes and keeps them, or fails at the last one, or rolls back the whole transaction. */
function put(database: DatabaseSync, rows: readonly SceneRow[], fate: string): void {
  const writes = makeSceneWrites(database);
  const work = (): void => {
    inTransaction(database, () => {
      if (fate === 'broken') assert.throws(() => writes.put([...rows, broken]));
      else writes.put(rows);
      if (fate === 'undone') throw new Error('undone');
    });
  };
  if (fate === 'undone') assert.throws(work, /undone/);
  else work();
}

const anyDate = fc.constantFrom('2026-06-02', '2026-06-04', '2026-06', '2026-06-02T12', '', 'z');
const anyFilter: fc.Arbitrary<FieldFilter> = fc.oneof(
  fc.record({ field: fc.constant('date'), kind: fc.constant('range' as const), from: anyDate }),
  fc.record({ field: fc.constant('date'), kind: fc.constant('range' as const), to: anyDate }),
  fc.record({ field: fc.constant('date'), kind: fc.constant('one-of' as const), values: fc.array(anyDate) }),
  fc
    .record(
      {
        from: fc.option(fc.constantFrom(-1, 0, 0.1, 5)),
        to: fc.option(fc.constantFrom(-0, 0.1, 20, Number.POSITIVE_INFINITY)),
      },
      { requiredKeys: [] },
    )
    .map((ends): FieldFilter => ({ field: 'cloudCoverage', kind: 'range', ...ends })),
  fc
    .array(fc.option(fc.constantFrom(0, 0.1, 7, 20, true, false)))
    .map((values): FieldFilter => ({ field: 'cloudCoverage', kind: 'one-of', values })),
);
const anyQuery: fc.Arbitrary<SceneQuery> = fc.record({
  datasets: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(...DATASETS, 'nothing'),
      filters: fc.array(anyFilter, { maxLength: 3 }),
    }),
    { selector: ({ id }) => id, minLength: 1 },
  ),
  sort: fc.record({ field: fc.constantFrom('date', 'date', 'cloudCoverage'), descending: fc.boolean() }),
  offset: fc.nat(25),
  limit: fc.integer({ min: 1, max: 10 }),
});

/** The same search without the count table: counts and pages over all scenes. */
function searchWithout(database: DatabaseSync, query: SceneQuery): unknown {
  const read = ({ sql, values }: Clause) => database.prepare(sql).all(...values) as Record<string, unknown>[];
  const hitOf = database.prepare('SELECT hit FROM records WHERE number = ?');
  return {
    found: read(toCount(query, sqliteDialect))[0]?.n,
    hits: toHitLists(
      read(toPage(query, sqliteDialect, { firstDay: null, offset: query.offset })).map(({ number }) =>
        String(hitOf.get(number as number)?.hit),
      ),
    ),
  };
}

test('property: after any changes and rollbacks the count table agrees with a count of the scenes, and so do searches', () => {
  fc.assert(
    fc.property(
      fc.array(anyStep, { minLength: 1, maxLength: 12 }),
      fc.array(anyQuery, { minLength: 10, maxLength: 10 }),
      (steps, queries) => {
        const path = makePath();
        const database = openDatabase(path);
        const reads = makeSceneReads(database);
        const other = openDatabase(path);
        const elsewhere = makeSceneReads(other);
        for (const step of steps) {
          if ('put' in step) put(database, step.put, step.fate);
          else makeSceneWrites(database).remove(step.remove);
          // Totals that are kept do not outlive a change, of this connection or of another.
          for (const query of queries.slice(0, 2)) {
            const wanted = searchWithout(database, query);
            assert.deepEqual([reads.searchHits(query), elsewhere.searchHits(query)], [wanted, wanted]);
          }
        }
        other.close();
        for (const query of queries) {
          assert.deepEqual(reads.searchHits(query), searchWithout(database, query));
        }
        const counted = database.prepare('SELECT dataset, count(*) AS n FROM scenes GROUP BY dataset').all();
        assert.deepEqual(
          reads.countByDataset(),
          counted.map(({ dataset, n }) => [dataset, n]),
        );
        database.close();
        assert.deepEqual(inspectDatabase(path).damage, []);
      },
    ),
    // Each run creates a database: shrinking a failure would take minutes.
    { numRuns: 25, endOnFailure: true },
  );
});

test('a day whose last scene is removed has no row', () => {
  const database = openDatabase(makePath());
  const writes = makeSceneWrites(database);
  const countRows = () => database.prepare('SELECT count(*) AS n FROM tallies').get() as { n: number };
  inTransaction(database, () => writes.put([makeScene(1), makeScene(2)].map((scene) => toSceneRow(scene))));
  assert.equal(countRows().n, 2);
  assert.equal(writes.remove(makeScene(1).viewId), true);
  assert.equal(countRows().n, 1);
  database.close();
});

test('scenes changed by hand are noticed, and an inconsistent day is counted again', () => {
  const path = makePath();
  const database = openDatabase(path);
  const writes = makeSceneWrites(database);
  const rows = [1, 2].map((i) =>
    toSceneRow(makeScene(1, { viewId: `V/${i}`, fields: { cloudCoverage: i } })),
  );
  inTransaction(database, () => writes.put(rows));
  assert.deepEqual(inspectDatabase(path).damage, []);
  database.exec("UPDATE scenes SET cloud = 50 WHERE view_id = 'V/1'");
  assert.deepEqual(inspectDatabase(path).damage, [
    'the count table disagrees with the scenes of sentinel2 on 2026-06-01',
  ]);
  writes.remove('V/1');
  assert.deepEqual(inspectDatabase(path).damage, []);
  database.close();
});

test('the migration counts the scenes of a database', () => {
  const path = makePath();
  const step = migrations.findIndex((sql) => sql.includes('CREATE TABLE tallies'));
  const database = openDatabase(path);
  const rows = Array.from({ length: 90 }, (_, i) =>
    toSceneRow(
      makeScene((i % 3) + 1, { viewId: `V/${i}`, fields: i % 7 === 0 ? {} : { cloudCoverage: i / 3 } }),
    ),
  );
  inTransaction(database, () => makeSceneWrites(database).put(rows));
  // Removes the additions of later steps too.
  const tables = migrations
    .slice(migrations.findIndex((sql) => sql.includes('CREATE TABLE field_owners')))
    .flatMap((sql) => [...sql.matchAll(/CREATE (?:VIRTUAL )?TABLE (\w+)/g)].map(([, name]) => name));
  for (const name of tables.toReversed()) database.exec(`DROP TABLE ${name}`);
  database.exec(
    'DROP TABLE recipes; DROP TABLE coverage_cells; DROP TABLE coverage_masks; DROP TABLE known_scene_claims; DROP TABLE known_records; DROP TABLE known_scenes; DROP TABLE result_places; DROP TABLE task_orders; DROP TABLE task_documents; DROP TABLE task_areas; DROP TABLE rates; DROP TABLE scene_statistics; DROP TABLE callback_rotations; DROP TABLE callbacks; DROP TABLE tasks; DROP TABLE secrets; DROP TABLE dem_boxes; DROP TABLE dem_files; DROP TABLE dem_layers; DROP TABLE dems',
  );
  database.exec('ALTER TABLE keys DROP COLUMN parent; ALTER TABLE records DROP COLUMN files');
  database.exec(`DROP TABLE write_checks; DROP TABLE colormap_owners; DROP INDEX areas_by_owner;
    ALTER TABLE areas DROP COLUMN owner; ALTER TABLE areas DROP COLUMN bytes`);
  database.exec(`DROP TABLE tallies; CREATE INDEX scenes_counted ON scenes (dataset, date, cloud);
    PRAGMA user_version = ${step}`);
  database.close();
  const reopened = openDatabase(path);
  const { n } = reopened.prepare('SELECT count(*) AS n FROM tallies').get() as { n: number };
  reopened.close();
  assert.equal(n, 3);
  assert.deepEqual(inspectDatabase(path).damage, []);
});
