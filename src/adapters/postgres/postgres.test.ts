import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import { parseConnection } from './connection/connection.ts';
import { explainPostgres } from './connection/explain-postgres.ts';
import { toNumbered } from './connection/sql-client.ts';
import { openPostgresStore } from './index.ts';
import { withoutNul } from './stores/scene-search.ts';

const SECRET = 'correct-horse-battery';

/** All text of an error, as a log would show it. */
const shown = (error: unknown): string => {
  const { message, stack, cause } = error as Error;
  return [message, stack, JSON.stringify(error), cause === undefined ? '' : shown(cause)].join('\n');
};

test('an invalid address is refused, and the error does not repeat it', async () => {
  for (const url of [
    `postgres://swath:${SECRET}@host:port/db`,
    `mysql://swath:${SECRET}@host/db`,
    SECRET,
    `postgres://swath:${SECRET}@[bad/db`,
  ]) {
    await assert.rejects(openPostgresStore(url), (error: Error & { code: string }) => {
      assert.equal(error.code, 'bad-settings');
      assert.doesNotMatch(shown(error), new RegExp(SECRET));
      return true;
    });
  }
  await assert.rejects(openPostgresStore('postgres://host/db', { schema: 'x; DROP' }), {
    code: 'bad-settings',
  });
});

test('the error for an absent server names its address without the password', async () => {
  // A port that was free a moment ago.
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(openPostgresStore(`postgres://swath:${SECRET}@127.0.0.1:${port}/maps`), (error) => {
    const { tag, code, message } = error as Error & { tag: string; code: string };
    assert.deepEqual([tag, code], ['unavailable', 'store-unavailable']);
    assert.match(message, new RegExp(`127\\.0\\.0\\.1:${port}/maps does not answer \\(ECONNREFUSED\\)`));
    assert.doesNotMatch(shown(error), new RegExp(SECRET));
    return true;
  });
});

test('a connection to a silent server fails after its time limit', async (t) => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const opening = openPostgresStore(`postgres://127.0.0.1:${port}/maps`, { connectTimeoutMs: 200 });
  await assert.rejects(opening, { code: 'store-unavailable' });
});

test('PostgreSQL errors become messages that say what to do', () => {
  const coded = (code: string): Error => Object.assign(new Error('as PostgreSQL puts it'), { code });
  const partsOf = (error: unknown): readonly unknown[] => {
    assert.ok(isSwathError(error));
    return [error.tag, error.code, error.details.retryAfterS];
  };
  for (const [code, ...parts] of [
    ['53100', 'unavailable', 'store-full', 30],
    ['58030', 'unavailable', 'store-io-error', 30],
    ['25006', 'unavailable', 'store-read-only', 30],
    ['42501', 'unavailable', 'store-refused', 30],
    ['28P01', 'unavailable', 'store-refused', 30],
    ['57P01', 'unavailable', 'store-unavailable', 2],
    ['08006', 'unavailable', 'store-unavailable', 2],
    ['53300', 'too-busy', 'store-busy', 2],
    ['53200', 'too-busy', 'store-busy', 2],
    ['57014', 'timed-out', 'store-timeout', undefined],
    ['3D000', 'bad-input', 'store-missing', undefined],
    ['XX001', 'internal', 'store-corrupt', undefined],
  ] as const) {
    assert.deepEqual(partsOf(explainPostgres(coded(code), 'h/db')), parts, code);
  }
  const unknown = coded('42P01');
  assert.equal(explainPostgres(unknown, 'h/db'), unknown, 'an unknown error is not changed');
});

test('question marks are numbered, and a long string is sent once', () => {
  const long = 'x'.repeat(500);
  assert.deepEqual(toNumbered({ sql: '? ? ? ?', values: ['a', long, 'a', long] }), {
    sql: '$1 $2 $3 $2',
    values: ['a', long, 'a'],
  });
});

test('a filter with NUL is replaced by the nearest strings without it', () => {
  const query = {
    datasets: [
      {
        id: 'a',
        filters: [
          { field: 'x', kind: 'range', from: 'a\0z', to: 'b\0z' },
          { field: 'y\0', kind: 'one-of', values: ['\0', 'k', 3] },
        ],
      },
      { id: '\0', filters: [] },
    ],
    sort: { field: 'date', descending: true },
    offset: 0,
    limit: 1,
  } as const;
  assert.deepEqual(withoutNul(query).datasets, [
    {
      id: 'a',
      filters: [
        { field: 'x', kind: 'range', from: 'a\u0001', to: 'b' },
        { field: '\u0001', kind: 'one-of', values: ['k', 3] },
      ],
    },
  ]);
});

test('connecting takes as many seconds as the address says, or two', () => {
  const limitOf = (query: string, options = {}) =>
    parseConnection(`postgres://swath@db.example.org/maps${query}`, options).config.connectionTimeoutMillis;
  assert.equal(limitOf(''), 2_000);
  assert.equal(limitOf('?connect_timeout=10'), 10_000);
  assert.equal(limitOf('?sslmode=require&connect_timeout=7'), 7_000);
  assert.equal(limitOf('?connect_timeout=10', { connectTimeoutMs: 200 }), 200);
  for (const absent of [
    '?connect_timeout=0',
    '?connect_timeout=',
    '?connect_timeout=1e3',
    '?xconnect_timeout=9',
  ])
    assert.equal(limitOf(absent), 2_000, absent);
});
