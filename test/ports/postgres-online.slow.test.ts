/** What a migration does while nodes write: indexes that appear without locking anyone out, and months counted afterwards. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Client } from 'pg';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { migrations } from '../../src/adapters/postgres/schema/migrations.ts';
import { MONTHS_AT_ONCE, monthTableStep } from '../../src/adapters/postgres/schema/month-step.ts';
import type { Store } from '../../src/adapters/store/index.ts';
import type { NewScene } from '../../src/catalog/index.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { addPostgis, makeSchemaName, postgresUrl, withClient } from './postgres-schema.ts';

/** The counts by month and the scenes agree: per class of clouds, and in total. */
const DIFFERENCES = `
  SELECT dataset, month, class, sum(n) FROM (
    SELECT dataset, month, classes[i] AS class, totals[i] - coalesce(totals[i - 1], 0) AS n
      FROM month_tallies, generate_subscripts(classes, 1) AS i
    UNION ALL SELECT dataset, left(date, 7), CASE WHEN cloud IS NULL THEN 300 WHEN cloud < 0 THEN -1
      WHEN cloud > 100 THEN 201 WHEN cloud = floor(cloud) THEN 2 * cloud ELSE 2 * floor(cloud) + 1 END, -1 FROM scenes
  ) both_of_them GROUP BY 1, 2, 3 HAVING sum(n) <> 0`;

const assertCounted = async (client: Client, when: string): Promise<void> =>
  assert.deepEqual((await client.query(DIFFERENCES)).rows, [], when);

const CLOUDS = [0, 0.01, 1, 33.3, 50, 99.99, 100, -3, 140];

/** Scene `i` of two years, with clouds of every class, and some without. */
const scene = (i: number, round = 0): NewScene => {
  const day = new Date(Date.UTC(2024, 0, 1) + ((i * 37) % 700) * 86_400_000).toISOString();
  return {
    ...makeScene((i % 3) + 1, {
      viewId: `S2/${i}`,
      sceneId: `S2_${i}`,
      fields: i % 5 === 0 ? {} : { cloudCoverage: CLOUDS[(i + round) % CLOUDS.length] as number },
    }),
    acquiredAt: day,
  };
};

const scenesOf = (from: number, count: number, round = 0): readonly NewScene[] =>
  Array.from({ length: count }, (_, i) => scene(from + i, round));

/** A schema of its own, a client in it, and stores that are closed with the test. */
async function withSchema(
  t: TestContext,
  work: (client: Client, open: () => Promise<Store>, schema: string) => Promise<void>,
): Promise<void> {
  if (postgresUrl === undefined) return t.skip('TEST_DATABASE_URL is not set; see CONTRIBUTING.md');
  const url = postgresUrl;
  const schema = makeSchemaName();
  const stores: Store[] = [];
  await withClient(url, schema, async (client) => {
    await addPostgis(client);
    try {
      await work(
        client,
        async () => {
          const store = await openPostgresStore(url, { schema, poolSize: 3 });
          stores.push(store);
          return store;
        },
        schema,
      );
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
    }
  });
}

const isValid = async (client: Client): Promise<boolean | null> => {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('scenes_by_plane')`,
  );
  return rows[0]?.valid ?? null;
};

test('PostgreSQL: counts by month follow scenes that are added, changed, removed and emptied', async (t) => {
  await withSchema(t, async (client, open) => {
    const store = await open();
    await store.scenes.putMany(scenesOf(0, 300));
    await assertCounted(client, 'at once');
    const writer = async (k: number): Promise<void> => {
      // Some scenes are everyone's, some the writer's own.
      for (let round = 0; round < 12; round += 1) {
        await store.scenes.putMany([...scenesOf(0, 5, k + round), ...scenesOf(1_000 * k, 5, round)]);
        if (round % 4 === 3) await store.scenes.remove(`S2/${round}`);
      }
    };
    await Promise.all([1, 2, 3].map(writer));
    await assertCounted(client, 'by concurrent writers');
    const { rows } = await client.query<{ most: string }>(
      'SELECT max(n) AS most FROM (SELECT count(*) AS n FROM month_tallies GROUP BY dataset, month) months',
    );
    // Eight rows, and those of writers that were still merging.
    assert.ok(Number(rows[0]?.most) <= 12, `${rows[0]?.most} rows`);
    await client.query(`UPDATE scenes SET date = '2026-06-03', dataset = 'landsat8' WHERE cloud = 50`);
    await client.query('DELETE FROM scenes WHERE cloud > 90');
    await assertCounted(client, 'by hand');
    await client.query('TRUNCATE scenes');
    assert.equal((await client.query('SELECT FROM month_tallies')).rowCount, 0);
  });
});

test('PostgreSQL: an index is built while others write, and two nodes that start wait for one of them', async (t) => {
  await withSchema(t, async (client, open, schema) => {
    const first = await open();
    await first.scenes.putMany(scenesOf(0, 20));
    await client.query('DROP INDEX scenes_by_plane');
    // An index is complete only when the transactions from before it have ended.
    await client.query('BEGIN');
    await client.query(`UPDATE scenes SET date = '2024-05-05' WHERE view_id = 'S2/3'`);
    let opened = 0;
    const opening = [1, 2].map(async () => {
      const store = await open();
      opened += 1;
      return store;
    });
    await withClient(postgresUrl as string, schema, async (other) => {
      await waitFor(async () => (await isValid(other)) === false);
      await first.scenes.putMany(scenesOf(100, 20));
      assert.equal(await first.scenes.remove('S2/7'), true);
      assert.deepEqual([opened, await isValid(other)], [0, false]);
    });
    await client.query('COMMIT');
    const [second] = (await Promise.all(opening)) as [Store, Store];
    assert.equal(await isValid(client), true);
    const { found } = await second.scenes.search({
      datasets: [{ id: 'sentinel2', filters: [] }],
      shape: { geometry: scene(0).footprint, relation: 'intersects' },
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: 100,
    });
    assert.ok(found > 0 && found <= 39, `${found} found`);
    await assertCounted(client, 'after all');
  });
});

test('PostgreSQL: an index whose build was interrupted is built again by the next start', async (t) => {
  await withSchema(t, async (client, open, schema) => {
    const first = await open();
    await first.scenes.putMany(scenesOf(0, 20));
    await client.query('DROP INDEX scenes_by_plane');
    await client.query('BEGIN');
    await client.query(`UPDATE scenes SET date = '2024-05-05' WHERE view_id = 'S2/3'`);
    const failed = assert.rejects(open());
    await withClient(postgresUrl as string, schema, async (other) => {
      await waitFor(async () => (await isValid(other)) === false);
      const { rowCount } = await other.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE query LIKE 'CREATE INDEX CONCURRENTLY % ${schema}.%' AND pid <> pg_backend_pid()`,
      );
      assert.equal(rowCount, 1);
    });
    await failed;
    await client.query('COMMIT');
    assert.equal(await isValid(client), false);
    await open();
    assert.equal(await isValid(client), true);
  });
});

test('PostgreSQL: months of a database that has scenes are counted while others write', async (t) => {
  await withSchema(t, async (client, open, schema) => {
    await client.query(`CREATE SCHEMA ${schema}`);
    await client.query('CREATE TABLE shape (version integer NOT NULL)');
    const before = migrations.indexOf(monthTableStep);
    for (const step of migrations.slice(0, before)) await client.query(step);
    await client.query(`INSERT INTO shape (version, works_from) VALUES (${before}, 17)`);
    await client.query(
      `INSERT INTO scenes (view_id, scene_id, dataset, date, cloud, version, footprint, fields)
       SELECT 'S2/' || n, 'S2_' || n, 'sentinel2', to_char(date '2024-01-01' + n * 37 % 700, 'YYYY-MM-DD'),
         CASE WHEN n % 5 > 0 THEN n % 400 / 4.0 END, '1', ST_MakeEnvelope(0, 0, 1, 1, 4326), '{}'
       FROM generate_series(1, 2000) n`,
    );
    let isOpen = false;
    // A node of the version before, which knows nothing of months.
    const writing = withClient(postgresUrl as string, schema, async (other) => {
      for (let n = 0; !isOpen || n < 10; n += 1)
        await other.query(
          `INSERT INTO scenes (view_id, scene_id, dataset, date, cloud, version, footprint, fields)
           SELECT 'new/' || $1::text || k, 'x', 'sentinel2', to_char(date '2024-01-01' + k * 9, 'YYYY-MM-DD'), k, '1',
             ST_MakeEnvelope(0, 0, 1, 1, 4326), '{}' FROM generate_series(1, 50) k`,
          [`${n}/`],
        );
    });
    const store = await open();
    isOpen = true;
    await writing;
    const { rows } = await client.query<{ n: string }>(
      'SELECT count(DISTINCT month) AS n FROM month_tallies',
    );
    assert.ok(Number(rows[0]?.n) > 2 * MONTHS_AT_ONCE);
    assert.equal((await client.query('SELECT FROM months_to_fill')).rowCount, 0);
    await assertCounted(client, 'after the migration');
    assert.equal((await store.scenes.countByDataset()).get('sentinel2'), await store.scenes.count());
  });
});
