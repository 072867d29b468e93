import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from 'pg';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { migrations } from '../../src/adapters/postgres/schema/migrations.ts';
import { taskUsageStep } from '../../src/adapters/postgres/schema/task-usage-step.ts';
import { tasksAloneStep } from '../../src/adapters/postgres/schema/tasks-alone-step.ts';
import { tasksApartStep } from '../../src/adapters/postgres/schema/tasks-apart-step.ts';
import { makeSchemaName, postgresUrl, withClient } from './postgres-schema.ts';
import {
  areaOf,
  assertReadsNoOrders,
  assertTasksOfBefore,
  fileOf,
  LEASE_MS,
  newTask,
  ROOM,
  TASKS_OF_BEFORE,
} from './tasks.ts';

/** Owners whose summed usage is not that of their tasks. */
const DIFFERENCES = `
  SELECT owner, sum(open) AS open, sum(ended) AS ended, sum(bytes) AS bytes FROM (
    SELECT owner, open, ended, bytes FROM task_usage
    UNION ALL
    SELECT owner, CASE WHEN state IN ('queued', 'running') THEN -1 ELSE 0 END,
      CASE WHEN state IN ('queued', 'running') THEN 0 ELSE -1 END,
      -order_bytes - CASE WHEN state IN ('queued', 'running') THEN estimated_bytes ELSE result_bytes END
    FROM tasks
    UNION ALL
    SELECT owner, 0, 0, -bytes FROM task_areas
  ) both_of_them GROUP BY owner HAVING sum(open) <> 0 OR sum(ended) <> 0 OR sum(bytes) <> 0`;

const assertCounted = async (client: Client, when: string): Promise<void> =>
  assert.deepEqual((await client.query(DIFFERENCES)).rows, [], when);

async function withSchema(
  url: string,
  work: (schema: string, client: Client) => Promise<void>,
): Promise<void> {
  const schema = makeSchemaName();
  await withClient(url, schema, async (client) => {
    await work(schema, client);
    await client.query(`DROP SCHEMA ${schema} CASCADE; DROP SCHEMA IF EXISTS ${schema}_queue CASCADE`);
  });
}

function taskTests(url: string): void {
  test('PostgreSQL tasks: the usage of owners is that of their tasks, in few rows', async () => {
    await withSchema(url, async (schema, client) => {
      const { tasks, close } = await openPostgresStore(url, { schema });
      for (let i = 0; i < 60; i += 1) {
        await tasks.create(
          newTask({ owner: `key ${i % 2}`, estimatedBytes: i, area: areaOf(`${i % 4}`, 50) }),
          ROOM,
        );
        const [leased] = await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
        assert.ok(leased);
        const { task, lease } = leased;
        if (i % 5 === 0) await tasks.fail(lease, { code: 'x', message: 'X.' }, null);
        else if (i % 5 === 1) await tasks.cancel(task.id);
        else if (i % 5 === 2) await tasks.release(lease);
        else await tasks.finish(lease, fileOf(1_000 + i));
      }
      await assertCounted(client, 'one by one');
      const { rows } = await client.query<{ n: string }>('SELECT count(*) AS n FROM task_usage');
      // Two owners, of 16 rows each and those of the order that made them too many.
      assert.ok(Number(rows[0]?.n) <= 2 * 20, `${rows[0]?.n} rows`);
      const ended = new Date(Date.now() + 60_000).toISOString();
      assert.equal((await tasks.prune({ endedBefore: ended, max: 30 })).length, 30);
      await assertCounted(client, 'after many went');
      await client.query(`UPDATE tasks SET owner = 'key 7' WHERE owner = 'key 0'`);
      await assertCounted(client, 'after they were given to another owner by hand');
      await client.query('TRUNCATE tasks CASCADE');
      await assertCounted(client, 'emptied');
      await close();
    });
  });

  test('PostgreSQL tasks: many nodes that order and finish at once count right', async () => {
    await withSchema(url, async (schema, client) => {
      const nodes = await Promise.all(
        Array.from({ length: 3 }, () => openPostgresStore(url, { schema, poolSize: 3 })),
      );
      const limits = { ...ROOM, openPerOwner: 10 };
      const work = async (node: number, i: number): Promise<void> => {
        const { tasks } = nodes[node] as (typeof nodes)[number];
        await tasks.create(newTask({ owner: `key ${(node + i) % 2}`, area: areaOf(`${i % 3}`, 50) }), limits);
        const leased = await tasks.lease({ worker: `${node}`, max: 2, leaseMs: LEASE_MS });
        const isStored = await Promise.all(leased.map(({ lease }) => tasks.finish(lease, fileOf(i))));
        assert.ok(isStored.every(Boolean));
      };
      await Promise.all(Array.from({ length: 90 }, (_, i) => work(i % 3, i)));
      await assertCounted(client, 'by three nodes');
      await Promise.all(nodes.map((node) => node.close()));
    });
  });

  test('PostgreSQL tasks: those from before their usage was counted are counted', async () => {
    await withSchema(url, async (schema, client) => {
      const step = migrations.indexOf(taskUsageStep);
      await client.query('CREATE EXTENSION IF NOT EXISTS postgis');
      await client.query(`CREATE SCHEMA ${schema}; CREATE TABLE shape (version integer NOT NULL)`);
      for (const sql of migrations.slice(0, step)) await client.query(sql);
      await client.query(`INSERT INTO shape VALUES (${step});
        INSERT INTO tasks (id, owner, kind, reference, digest, state, priority, turn, token, attempts, deaths, done, total,
          timeout_s, estimated_bytes, result_bytes, created_at, body)
        SELECT n, 'key 1', 'index', n, 'd', CASE WHEN n < 4 THEN 'queued' ELSE 'finished' END, 0, n, 0, 0, 0, 0, 0, 60,
          10, 5, now(), '{}' FROM generate_series(1, 9) AS n`);
      const { tasks, close } = await openPostgresStore(url, { schema });
      await assertCounted(client, 'migrated');
      assert.deepEqual(await tasks.create(newTask(), { ...ROOM, openPerOwner: 3 }), {
        kind: 'full',
        limit: 'openPerOwner',
        used: 3,
      });
      assert.deepEqual(await tasks.create(newTask(), { ...ROOM, bytesPerOwner: 100 }), {
        kind: 'full',
        limit: 'bytesPerOwner',
        // Two bytes of each order.
        used: 78,
      });
      await close();
    });
  });

  test('PostgreSQL tasks: lists, polls, counts and clean-up do not read orders', async () => {
    await withSchema(url, async (schema, client) => {
      const store = await openPostgresStore(url, { schema });
      await assertReadsNoOrders(store, async () => {
        await client.query(`UPDATE tasks SET body = 'spoiled', document = 'spoiled';
          UPDATE task_areas SET json = 'spoiled'`);
      });
      await store.close();
    });
  });

  test('PostgreSQL tasks: those whose order has its area inside, and whose result is a document, keep working', async () => {
    await withSchema(url, async (schema, client) => {
      const step = migrations.indexOf(tasksApartStep);
      await client.query('CREATE EXTENSION IF NOT EXISTS postgis');
      await client.query(`CREATE SCHEMA ${schema}; CREATE TABLE shape (version integer NOT NULL)`);
      for (const sql of migrations.slice(0, step)) await client.query(sql);
      await client.query(`INSERT INTO shape VALUES (${step}); ${TASKS_OF_BEFORE.postgres}`);
      const store = await openPostgresStore(url, { schema });
      await assertCounted(client, 'migrated');
      // Its job, which is in the tables of the queue, is made anew.
      await store.tasks.cancel('00000000-0000-4000-8000-000000000001');
      await store.tasks.retry('00000000-0000-4000-8000-000000000001');
      await assertTasksOfBefore(store);
      await store.close();
    });
  });

  test('PostgreSQL tasks: one that waits since its worker died under an older program does not hold up the queue', async () => {
    await withSchema(url, async (schema, client) => {
      const before = await openPostgresStore(url, { schema });
      const waiting = [newTask(), newTask(), newTask()];
      for (const task of waiting) await before.tasks.create(task, ROOM);
      await before.close();
      await client.query(`ALTER TABLE tasks DROP COLUMN alone, DROP COLUMN strikes, DROP COLUMN died_alone_at;
        DROP INDEX tasks_to_run_alone;
        UPDATE tasks SET deaths = 1 WHERE id = '${waiting[2]?.id}';
        UPDATE shape SET version = ${migrations.indexOf(tasksAloneStep)}`);
      const { tasks, close } = await openPostgresStore(url, { schema });
      assert.equal((await tasks.lease({ worker: 'w', max: 9, leaseMs: LEASE_MS })).length, 3);
      await close();
    });
  });
}

if (postgresUrl !== undefined) taskTests(postgresUrl);
else test('PostgreSQL tasks', { skip: 'TEST_DATABASE_URL is not set; see docs/operate/nodes.md' }, () => {});
