import assert from 'node:assert/strict';
import { constants, DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { prepare } from './connection.ts';

test('a statement with a limit is compiled once, whatever limits follow', () => {
  using database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (1), (2), (3)');
  const plain = prepare<{ n: number }>(database, 'SELECT n FROM numbers ORDER BY n LIMIT ? OFFSET ?');
  const numbered = prepare<{ n: number }>(database, 'SELECT n FROM numbers ORDER BY n LIMIT ?1');
  let compiled = 0;
  // SQLite asks it about every part of a statement that it compiles, and compiles those it has again.
  database.setAuthorizer(() => {
    compiled += 1;
    return constants.SQLITE_OK;
  });
  plain.all(1, 1);
  numbered.all(1);
  compiled = 0;
  const listed = [1, 2, 3].map((limit) => [plain.all(limit, 1), numbered.all(limit)].map(toNumbers));
  assert.deepEqual(listed, [
    [[2], [1]],
    [
      [2, 3],
      [1, 2],
    ],
    [
      [2, 3],
      [1, 2, 3],
    ],
  ]);
  assert.equal(compiled, 0);
});

const toNumbers = (rows: readonly { readonly n: number }[]): readonly number[] => rows.map(({ n }) => n);
