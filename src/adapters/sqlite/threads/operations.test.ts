import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { PASSING, SHARING, withoutSync } from './operations.ts';

/** As SQLite counts: 1 waits for the disk now and then, 2 at every commit. */
const [NORMAL, FULL] = [1, 2];

function readSync(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA synchronous').get()?.synchronous;
}

test('writes to the scene cache do not wait for the disk, and later writes do', () => {
  assert.ok(PASSING.size > 0 && [...PASSING].every((name) => SHARING.has(name)));
  using database = new DatabaseSync(':memory:');
  database.exec('PRAGMA synchronous = FULL');
  assert.equal(
    withoutSync(database, () => readSync(database)),
    NORMAL,
  );
  assert.equal(readSync(database), FULL);
  const fail = (): never => {
    throw new Error('full');
  };
  assert.throws(() => withoutSync(database, fail), /full/);
  assert.equal(readSync(database), FULL);
});

test('a database that is closed during an operation keeps the reason', () => {
  const database = new DatabaseSync(':memory:');
  const close = (): never => {
    database.close();
    throw new Error('read-only');
  };
  assert.throws(() => withoutSync(database, close), /read-only/);
});
