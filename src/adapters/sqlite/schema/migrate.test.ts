import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { openDatabase } from './migrate.ts';
import { migrations } from './migrations.ts';

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-migrate-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const readVersion = (database: DatabaseSync): unknown =>
  database.prepare('PRAGMA user_version').get()?.user_version;

const readSchema = (database: DatabaseSync): readonly unknown[] =>
  database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();

test('a new database, which runs all steps at once, is one that ran them step by step', (t) => {
  const folder = makeFolder(t);
  const oldPath = join(folder, 'old.db');
  const old = new DatabaseSync(oldPath);
  old.exec(`${migrations[0]}; PRAGMA user_version = 1`);
  old.close();
  const [grown, fresh] = [openDatabase(oldPath), openDatabase(join(folder, 'new.db'))];
  try {
    assert.equal(readVersion(fresh), migrations.length);
    assert.equal(readVersion(grown), migrations.length);
    assert.ok(readSchema(fresh).length > 50);
    assert.deepEqual(readSchema(fresh), readSchema(grown));
  } finally {
    grown.close();
    fresh.close();
  }
});

test('a new database that fails on its way to the newest schema stays empty', (t) => {
  const path = join(makeFolder(t), 'swath.db');
  const taken = new DatabaseSync(path);
  // A table of another program, which one of the steps makes too.
  taken.exec('CREATE TABLE colormap_owners (n)');
  const before = readSchema(taken);
  taken.close();
  assert.throws(() => openDatabase(path));
  const after = new DatabaseSync(path);
  assert.equal(readVersion(after), 0);
  assert.deepEqual(readSchema(after), before);
  after.close();
});
