import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SqlClient } from '../connection/sql-client.ts';
import { makePostgresSceneStatisticsStore } from './measurement-stores.ts';

const refuse = () => Promise.reject(new Error('only queries are expected'));

test('other work runs while a long answer is parsed', async () => {
  const histogram = Array.from({ length: 1_000 }, (_, i) => i);
  const rows = Array.from({ length: 2_000 }, (_, i) => ({
    key: `key ${i}`,
    measured: JSON.stringify({ areaPx: i, histogram }),
  }));
  const client: SqlClient = {
    query: async <Row>() => rows as Row[],
    execute: refuse,
    inTransaction: refuse,
    inSnapshot: refuse,
  };
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const found = await makePostgresSceneStatisticsStore(client).findMany(rows.map(({ key }) => key));
  isOver = true;
  assert.equal(found.size, rows.length);
  assert.equal(found.get('key 1999')?.areaPx, 1_999);
  // Two million numbers take far longer than the few milliseconds of one slice.
  assert.ok(turns > 1, `${turns} turns of others`);
});
