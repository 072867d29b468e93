import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from 'pg';
import { openPostgresStore } from '../../src/adapters/postgres/index.ts';
import { migrations, ownQueueStep, tasksAloneStep } from '../../src/adapters/postgres/schema/migrations.ts';
import { tasksApartStep, taskUsageStep } from '../../src/adapters/postgres/schema/trigger-steps.ts';
import type { Store } from '../../src/adapters/store/index.ts';
import { addPostgis, makeSchemaName, postgresUrl, withClient } from './postgres-schema.ts';
import {
  areaOf,
  assertReadsNoOrders,
  assertTasksOfBefore,
  fileOf,
  LEASE_MS,
  newTask,
  ROOM,
  SWEEP,
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

/** A schema of its own, which goes when the test has ended, however it has. */
async function withSchema(
  url: string,
  work: (schema: string, client: Client) => Promise<void>,
): Promise<void> {
  const schema = makeSchemaName();
  await withClient(url, schema, async (client) => {
    try {
      await work(schema, client);
    } finally {
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    }
  });
}

/** Nodes on one schema: an open store would keep the process of a failed test alive. */
async function withNodes(
  { url, schema, count }: { readonly url: string; readonly schema: string; readonly count: number },
  work: (nodes: readonly Store[]) => Promise<void>,
): Promise<void> {
  const opened = await Promise.allSettled(
    Array.from({ length: count }, () => openPostgresStore(url, { schema, poolSize: 3 })),
  );
  const nodes = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    for (const one of opened) if (one.status === 'rejected') throw one.reason;
    await work(nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
}

/** A store on a schema of its own, with a client of an administrator next to it. */
const withStore = (url: string, work: (store: Store, client: Client) => Promise<void>): Promise<void> =>
  withSchema(url, (schema, client) =>
    withNodes({ url, schema, count: 1 }, ([store]) => work(store as Store, client)),
  );

/** A store on a schema that was made before a step, with the rows that it had then. */
const withStoreOfBefore = (
  url: string,
  { step, rows }: { readonly step: string; readonly rows: string },
  work: (store: Store, client: Client) => Promise<void>,
): Promise<void> =>
  withSchema(url, async (schema, client) => {
    const version = migrations.indexOf(step);
    await addPostgis(client);
    await client.query(`CREATE SCHEMA ${schema}; CREATE TABLE shape (version integer NOT NULL)`);
    for (const sql of migrations.slice(0, version)) await client.query(sql);
    await client.query(`INSERT INTO shape VALUES (${version}); ${rows}`);
    await withNodes({ url, schema, count: 1 }, ([store]) => work(store as Store, client));
  });

/** Tasks as columns that every version has had, in this order, and some of a later one. */
const tasksOf = (columns: string, values: string): string => `
  INSERT INTO tasks (id, owner, kind, reference, digest, priority, attempts, done, total, timeout_s, estimated_bytes,
    result_bytes, created_at, body, ${columns})
  SELECT id, 'key 1', 'index', id, 'd', 0, 0, 0, 0, 3600, 10, 0, now(), '{}', ${columns}
  FROM (VALUES ${values}) AS given (id, ${columns})`;

function taskTests(url: string): void {
  test('PostgreSQL tasks: the usage of owners equals that of their tasks, in few rows', () =>
    withStore(url, async ({ tasks }, client) => {
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
    }));

  test('PostgreSQL tasks: nodes that order and finish concurrently count correctly', () =>
    withSchema(url, (schema, client) =>
      withNodes({ url, schema, count: 3 }, async (nodes) => {
        const limits = { ...ROOM, openPerOwner: 10 };
        const work = async (node: number, i: number): Promise<void> => {
          const { tasks } = nodes[node] as Store;
          await tasks.create(
            newTask({ owner: `key ${(node + i) % 2}`, area: areaOf(`${i % 3}`, 50) }),
            limits,
          );
          const leased = await tasks.lease({ worker: `${node}`, max: 2, leaseMs: LEASE_MS });
          const isStored = await Promise.all(leased.map(({ lease }) => tasks.finish(lease, fileOf(i))));
          assert.ok(isStored.every(Boolean));
        };
        await Promise.all(Array.from({ length: 90 }, (_, i) => work(i % 3, i)));
        await assertCounted(client, 'by three nodes');
      }),
    ));

  test('PostgreSQL tasks: ends that are stored together are each stored once, and only by the last lease', () =>
    withStore(url, async ({ tasks }) => {
      for (let i = 0; i < 6; i += 1) await tasks.create(newTask(), ROOM);
      const leased = await tasks.lease({ worker: 'w', max: 6, leaseMs: LEASE_MS });
      const [first] = leased;
      assert.ok(first);
      await tasks.release(first.lease);
      const [again] = await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
      assert.ok(again);
      const ends = [...leased, again, again].map(({ lease }) => tasks.finish(lease, fileOf(1)));
      assert.deepEqual(await Promise.all(ends), [false, true, true, true, true, true, true, false]);
    }));

  test('PostgreSQL tasks: a sweep of more tasks than an event can name reaches every listener', () =>
    withStore(url, async ({ tasks }) => {
      const room = { ...ROOM, openPerOwner: 1_000 };
      await Promise.all(Array.from({ length: 300 }, () => tasks.create(newTask({ timeoutS: 0 }), room)));
      const { promise: heard, resolve } = Promise.withResolvers<void>();
      // An event without an id concerns all tasks.
      const stop = tasks.watch(({ kind, id }) => {
        if (kind === 'over' && id === undefined) resolve();
      });
      assert.deepEqual(await tasks.sweep(SWEEP), { requeued: 0, failed: 300 });
      await heard;
      stop();
    }));

  test('PostgreSQL tasks: tasks from before usage was counted are counted', () =>
    withStoreOfBefore(
      url,
      {
        step: taskUsageStep,
        rows: `INSERT INTO tasks (id, owner, kind, reference, digest, state, priority, turn, token, attempts, deaths, done,
            total, timeout_s, estimated_bytes, result_bytes, created_at, body)
          SELECT n, 'key 1', 'index', n, 'd', CASE WHEN n < 4 THEN 'queued' ELSE 'finished' END, 0, n, 0, 0, 0, 0, 0, 60,
            10, 5, now(), '{}' FROM generate_series(1, 9) AS n`,
      },
      async ({ tasks }, client) => {
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
      },
    ));

  test('PostgreSQL tasks: lists, polls, counts and clean-up do not read orders', () =>
    withStore(url, (store, client) =>
      assertReadsNoOrders(store, async () => {
        await client.query(`UPDATE tasks SET body = 'spoiled', document = 'spoiled';
          UPDATE task_areas SET json = 'spoiled'`);
      }),
    ));

  test('PostgreSQL tasks: tasks with an inline area and a document as their result keep working', () =>
    withStoreOfBefore(
      url,
      { step: tasksApartStep, rows: TASKS_OF_BEFORE.postgres },
      async (store, client) => {
        await assertCounted(client, 'migrated');
        await assertTasksOfBefore(store);
      },
    ));

  test('PostgreSQL tasks: a task that waits because its worker died under an older version does not block the queue', () =>
    withStoreOfBefore(
      url,
      {
        step: tasksAloneStep,
        rows: tasksOf(
          'state, turn, token, deaths',
          `('1', 'queued', 1, 0, 0), ('2', 'queued', 2, 0, 0), ('3', 'queued', 3, 1, 1)`,
        ),
      },
      async ({ tasks }) => {
        assert.equal((await tasks.lease({ worker: 'w', max: 9, leaseMs: LEASE_MS })).length, 3);
      },
    ));

  test('PostgreSQL tasks: tasks queued in pg-boss continue: waiting, leased, retried and to be run alone', () =>
    withStoreOfBefore(
      url,
      {
        step: ownQueueStep,
        rows: `${tasksOf(
          'state, turn, token, deaths, queue_attempt',
          `('waits', 'queued', 5, 0, 0, NULL), ('held', 'running', 1, 7, 0, 6), ('lapsed', 'running', 2, 1, 0, 0),
           ('failed once', 'queued', 3, 1, 0, 1), ('died', 'queued', 4, 2, 1, 1)`,
        )};
        UPDATE tasks SET lease_until = now() + interval '1 hour' WHERE id = 'held';
        UPDATE tasks SET lease_until = now() - interval '1 s' WHERE id = 'lapsed'`,
      },
      async ({ tasks }) => {
        const held = { id: 'held', token: 7 };
        assert.equal(await tasks.renew(held, { done: 1, total: 2 }, LEASE_MS), 'held');
        assert.equal(await tasks.finish(held, fileOf(1)), true, 'its worker ends it after the upgrade');
        const [alone, ...others] = await tasks.lease({ worker: 'w', max: 9, leaseMs: LEASE_MS });
        assert.deepEqual([alone?.task.id, alone?.isAlone, others], ['died', true, []]);
        const rest = await tasks.lease({ worker: 'w', max: 9, leaseMs: LEASE_MS });
        assert.deepEqual(rest.map(({ task }) => task.id).toSorted(), ['failed once', 'waits']);
        assert.deepEqual(await tasks.sweep(SWEEP), { requeued: 1, failed: 0 });
        const [again] = await tasks.lease({ worker: 'w', max: 1, leaseMs: LEASE_MS });
        assert.deepEqual([again?.task.id, again?.lease.token, again?.isAlone], ['lapsed', 2, true]);
      },
    ));
}

if (postgresUrl !== undefined) taskTests(postgresUrl);
else test('PostgreSQL tasks', { skip: 'TEST_DATABASE_URL is not set; see CONTRIBUTING.md' }, () => {});
