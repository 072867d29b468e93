import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from 'pg';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { migrations } from '../../src/adapters/postgres/schema/migrations.ts';
import { countTableStep } from '../../src/adapters/postgres/schema/trigger-steps.ts';
import type { NewScene } from '../../src/catalog/index.ts';
import { makeScene } from '../../src/catalog/testing/make-scene.ts';
import { makeSchemaName, postgresUrl, withClient } from './postgres-schema.ts';

/** The count table and the scenes agree. */
const DIFFERENCES = `
  SELECT dataset, date, cloud, sum(n) FROM (
    SELECT dataset, date, cloud, weight AS n FROM tallies, unnest(clouds) AS cloud
    UNION ALL SELECT dataset, date, coalesce(cloud, 'NaN'), -1 FROM scenes
  ) both_of_them GROUP BY 1, 2, 3 HAVING sum(n) <> 0`;

const assertCounted = async (client: Client, when: string): Promise<void> =>
  assert.deepEqual((await client.query(DIFFERENCES)).rows, [], when);

const countRows = async (client: Client): Promise<number> =>
  Number((await client.query<{ n: string }>('SELECT count(*) AS n FROM tallies')).rows[0]?.n);

/** Scene `i` of a few days, with some clouds more than once and some unknown. */
const scene = (i: number, cloud: number): NewScene =>
  makeScene((i % 3) + 1, {
    viewId: `S2/${i}`,
    sceneId: `S2_${i}`,
    fields: i % 7 === 0 ? {} : { cloudCoverage: cloud },
  });

async function withSchema(
  url: string,
  work: (schema: string, client: Client) => Promise<void>,
): Promise<void> {
  const schema = makeSchemaName();
  await withClient(url, schema, async (client) => {
    await work(schema, client);
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
  });
}

function countTests(url: string): void {
  test('PostgreSQL counts: scenes added, changed and removed one by one leave few rows, with correct counts', async () => {
    await withSchema(url, async (schema, client) => {
      const store = await openPostgresStore(url, { schema, poolSize: 2 });
      for (let i = 0; i < 60; i += 1) await store.scenes.put(scene(i, i % 5));
      await assertCounted(client, 'one by one');
      for (let i = 0; i < 60; i += 1) await store.scenes.put(scene(i, (i + 1) % 5));
      await assertCounted(client, 'with other clouds');
      const rows = await countRows(client);
      // Three days of at most eight rows and the one that makes them too many, and half a row for what they hold.
      assert.ok(rows <= 3 * 10, `${rows} rows`);
      for (let i = 0; i < 60; i += 2) await store.scenes.remove(`S2/${i}`);
      await assertCounted(client, 'after half of them went');
      await client.query("UPDATE scenes SET date = '2026-06-03', dataset = 'landsat8' WHERE cloud = 3");
      await assertCounted(client, 'moved by hand to another dataset and day');
      await client.query('TRUNCATE scenes');
      assert.equal(await countRows(client), 0);
      await store.close();
    });
  });

  test('PostgreSQL counts: many scenes of a day are in rows that stay in the table', async () => {
    await withSchema(url, async (schema, client) => {
      const store = await openPostgresStore(url, { schema, poolSize: 2 });
      await store.scenes.putMany(Array.from({ length: 1500 }, (_, i) => scene(i, i / 10)));
      await assertCounted(client, 'at once');
      const { rows } = await client.query<{ max: number }>(
        'SELECT max(cardinality(clouds)) AS max FROM tallies',
      );
      assert.ok((rows[0]?.max ?? 0) > 100 && (rows[0]?.max ?? 0) <= 200, `${rows[0]?.max} clouds`);
      await store.close();
    });
  });

  test('PostgreSQL counts: concurrent writers of the same days leave correct counts', async () => {
    await withSchema(url, async (schema, client) => {
      const store = await openPostgresStore(url, { schema, poolSize: 6 });
      const writer = async (k: number): Promise<void> => {
        for (let round = 0; round < 12; round += 1) {
          // Some scenes are everyone's, some the writer's own.
          await store.scenes.putMany(
            Array.from({ length: 8 }, (_, i) => scene(i < 4 ? i : 100 * k + i, (i * 3 + k + round) % 11)),
          );
          if (round % 4 === 3) await store.scenes.remove(`S2/${round % 8}`);
        }
      };
      await Promise.all([1, 2, 3, 4, 5, 6].map(writer));
      await assertCounted(client, 'after all');
      await store.close();
    });
  });

  test('PostgreSQL counts: a database that already has scenes gets their counts', async () => {
    await withSchema(url, async (schema, client) => {
      const store = await openPostgresStore(url, { schema, poolSize: 2 });
      await store.scenes.putMany(Array.from({ length: 300 }, (_, i) => scene(i, i % 90)));
      await client.query('DROP TABLE tallies; DROP FUNCTION tally_scenes CASCADE');
      await client.query(countTableStep);
      await assertCounted(client, 'after the migration');
      assert.ok((await countRows(client)) >= 3);
      await store.scenes.put(scene(7, 1));
      await assertCounted(client, 'and goes on');
      await store.close();
    });
    assert.ok(migrations.includes(countTableStep));
  });
}

if (postgresUrl !== undefined) countTests(postgresUrl);
else test('PostgreSQL counts', { skip: 'TEST_DATABASE_URL is not set; see CONTRIBUTING.md' }, () => {});
