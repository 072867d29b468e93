import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PoolClient } from 'pg';
import { sendPrepared } from './sql-client.ts';

type Sent = string | { readonly name: string; readonly text: string; readonly values: unknown[] };

/** A connection that records what is sent over it. */
function makeConnection(): { readonly connection: PoolClient; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const query = (statement: Sent): Promise<object> => {
    sent.push(statement);
    return Promise.resolve({ rows: [] });
  };
  return { connection: { query } as unknown as PoolClient, sent };
}

test('equal statements have the same name on every connection, and different statements have different names', async () => {
  const names = [];
  for (const text of ['SELECT $1', 'SELECT $1', 'SELECT $1 + 1']) {
    const { connection, sent } = makeConnection();
    await sendPrepared.send(connection, text, [1]);
    const [statement] = sent;
    assert.ok(typeof statement === 'object');
    assert.deepEqual([statement.text, statement.values], [text, [1]]);
    // PostgreSQL uses the first 63 bytes of a name.
    assert.ok(statement.name.length <= 63);
    names.push(statement.name);
  }
  assert.equal(names[0], names[1]);
  assert.notEqual(names[0], names[2]);
});

test('a statement without values is sent unchanged', async () => {
  const { connection, sent } = makeConnection();
  await sendPrepared.send(connection, 'COMMIT');
  assert.deepEqual(sent, ['COMMIT']);
});

test('statements are planned again after five seconds', async (context) => {
  let nowMs = 5_000;
  context.mock.method(performance, 'now', () => nowMs);
  const { connection, sent } = makeConnection();
  for (const atMs of [5_000, 9_900, 10_100, 10_200, 15_000, 15_200]) {
    nowMs = atMs;
    await sendPrepared.send(connection, 'SELECT $1', [atMs]);
  }
  assert.deepEqual(
    sent.map((statement) => (typeof statement === 'string' ? statement : statement.values[0])),
    [5_000, 9_900, 'DISCARD PLANS', 10_100, 10_200, 15_000, 'DISCARD PLANS', 15_200],
  );
});
