import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { defineMigrationFunctions } from '../../src/adapters/sqlite/schema/migrate.ts';
import { migrations } from '../../src/adapters/sqlite/schema/migrations.ts';
import { tasksApartStep } from '../../src/adapters/sqlite/schema/tasks-apart-step.ts';
import { assertReadsNoOrders, assertTasksOfBefore, TASKS_OF_BEFORE } from './tasks.ts';

async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'swath-sqlite-tasks-'));
  await work(directory);
  await rm(directory, { recursive: true });
}

test('SQLite tasks: lists, polls, counts and clean-up do not read orders', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteStore(directory);
    await assertReadsNoOrders(store, () => {
      const database = new DatabaseSync(join(directory, 'swath.db'));
      database.exec(`UPDATE task_orders SET body = 'spoiled'; UPDATE task_documents SET document = 'spoiled';
        UPDATE task_areas SET json = 'spoiled'`);
      database.close();
    });
    await store.close();
  });
});

test('SQLite tasks: tasks with an inline area and a document as their result keep working', async () => {
  await withDirectory(async (directory) => {
    const step = migrations.indexOf(tasksApartStep);
    const old = new DatabaseSync(join(directory, 'swath.db'));
    defineMigrationFunctions(old);
    for (const sql of migrations.slice(0, step)) old.exec(sql);
    old.exec(`${TASKS_OF_BEFORE.sqlite}; PRAGMA user_version = ${step}`);
    old.close();
    const store = openSqliteStore(directory);
    await assertTasksOfBefore(store);
    await store.close();
  });
});
