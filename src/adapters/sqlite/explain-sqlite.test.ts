import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { explainSqlite } from './explain-sqlite.ts';

const coded = (errcode: number): Error => Object.assign(new Error('as SQLite puts it'), { errcode });

test('SQLite errors become messages that say what to do, by primary or extended code', () => {
  for (const [errcode, ...parts] of [
    [13, 'unavailable', 'store-full', 30],
    [10, 'unavailable', 'store-io-error', 30],
    // SQLITE_IOERR_FSYNC
    [10 | (4 << 8), 'unavailable', 'store-io-error', 30],
    [8, 'unavailable', 'store-read-only', 30],
    // SQLITE_READONLY_DBMOVED
    [8 | (4 << 8), 'unavailable', 'store-read-only', 30],
    [3, 'unavailable', 'store-read-only', 30],
    [14, 'unavailable', 'store-read-only', 30],
    [5, 'too-busy', 'store-busy', 2],
    [11, 'internal', 'store-corrupt', undefined],
    [26, 'internal', 'store-corrupt', undefined],
  ] as const) {
    const error = explainSqlite(coded(errcode), '/data/swath.db');
    assert.ok(isSwathError(error), String(errcode));
    assert.deepEqual([error.tag, error.code, error.details.retryAfterS], parts, String(errcode));
  }
  const unknown = coded(1);
  assert.equal(explainSqlite(unknown, '/data/swath.db'), unknown, 'an unknown error is not changed');
});
