import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/store.ts';
import { openSqliteStore } from '../index.ts';

interface OpenedStore {
  readonly directory: string;
  readonly store: Store;
}

/** A store of one test. */
interface TestStore {
  readonly store: Omit<Store, 'close'>;
  /** Empties the store for the next test of the process. */
  close(): Promise<void>;
}

/** Emptied stores: starting the threads of a new one takes most of the time of a test that stores little. */
const idle: OpenedStore[] = [];

const directories: string[] = [];
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Opens an empty store: a new one, or one that a test before has closed. */
export function openTestStore(): TestStore {
  const opened = idle.pop() ?? openNew();
  return {
    store: opened.store,
    async close() {
      // Writes are done in order: those that nobody waited for come before this one.
      await opened.store.checkWrites({ thoroughly: true });
      emptyStore(opened.directory);
      idle.push(opened);
    },
  };
}

function openNew(): OpenedStore {
  const directory = mkdtempSync(join(tmpdir(), 'swath-store-'));
  directories.push(directory);
  const store = openSqliteStore(directory);
  assert.ok(isStoreEmpty(directory), 'a new store has rows: an emptied one is not as good as new');
  return { directory, store };
}

function withTables<Result>(
  directory: string,
  use: (database: DatabaseSync, tables: readonly string[]) => Result,
): Result {
  const database = new DatabaseSync(join(directory, 'swath.db'), { enableForeignKeyConstraints: false });
  const tables = database
    .prepare(
      `SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'`,
    )
    .all() as { name: string }[];
  const result = use(
    database,
    tables.map(({ name }) => `"${name}"`),
  );
  database.close();
  return result;
}

/** Removes every row, as another program on the same file would. */
export const emptyStore = (directory: string): void =>
  withTables(directory, (database, tables) =>
    database.exec(
      `PRAGMA synchronous = OFF; BEGIN; ${tables.map((table) => `DELETE FROM ${table};`).join(' ')} COMMIT`,
    ),
  );

/** Whether no table has a row. */
export const isStoreEmpty = (directory: string): boolean =>
  withTables(directory, (database, tables) =>
    tables.every((table) => database.prepare(`SELECT 1 FROM ${table}`).get() === undefined),
  );
