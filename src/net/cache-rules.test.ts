import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayStoreAnswersTo, parseCacheControl, planConfirmed, planStorage } from './cache-rules.ts';
import type { ResponseHead } from './exchange.ts';
import type { GuardedRequest } from './guarded-fetch.ts';

const ages = { maxMs: 3_600_000, unstatedMs: 60_000, postMs: 30_000 };
const nowMs = Date.parse('2026-11-17T12:00:00Z');
const context = { ages, nowMs };
type Headers = Readonly<Record<string, string>>;

const toHead = (headers: Headers, status = 200): ResponseHead => {
  const all: Headers = { 'content-type': 'application/geo+json', ...headers };
  return { status, header: (name) => all[name] ?? null };
};
const plan = (headers: Headers, method: 'GET' | 'POST' = 'GET') =>
  planStorage(toHead(headers), { method }, context);
const freshS = (headers: Headers, method?: 'GET' | 'POST') => {
  const planned = plan(headers, method);
  return planned === null ? null : planned.freshMs / 1_000;
};

test('the headers decide how long an answer is used', () => {
  const date = 'Tue, 17 Nov 2026 09:00:00 GMT';
  const cases: readonly (readonly [Headers, number | null])[] = [
    [{}, 60],
    [{ 'cache-control': 'max-age=10' }, 10],
    [{ 'cache-control': 'public, Max-Age="10"' }, 10],
    [{ 'cache-control': 'private, max-age=10' }, 10],
    [{ 'cache-control': 'max-age=86400' }, 3_600],
    [{ 'cache-control': 'max-age=99999999999999999999' }, 3_600],
    [{ 'cache-control': 'max-age=100', age: '40' }, 60],
    [{ 'cache-control': 'max-age=100', age: '200' }, null],
    [{ 'cache-control': 'max-age=0' }, null],
    [{ 'cache-control': 'max-age=0', etag: '"1"' }, 0],
    [{ 'cache-control': 'max-age=ten' }, null],
    [{ 'cache-control': 's-maxage=10' }, 60],
    [{ 'cache-control': 'no-store, max-age=10' }, null],
    [{ 'cache-control': 'no-cache', etag: '"1"' }, 0],
    [{ 'cache-control': 'no-cache' }, null],
    [{ pragma: 'no-cache' }, null],
    [{ 'cache-control': 'max-age=10, must-revalidate' }, 10],
    [{ 'cache-control': 'max-age=10', expires: '0' }, 10],
    // By the server's clock, which is three hours behind ours.
    [{ expires: 'Tue, 17 Nov 2026 09:02:00 GMT', date }, 120],
    [{ expires: 'Tue, 17 Nov 2026 12:02:00 GMT' }, 120],
    [{ expires: 'Tue, 17 Nov 2026 08:00:00 GMT', date }, null],
    [{ expires: '0' }, null],
    [{ 'set-cookie': 'a=b' }, null],
    [{ vary: '*' }, null],
    [{ vary: 'Accept-Encoding, Origin' }, 60],
    [{ 'content-type': 'text/html' }, null],
    [{ 'content-type': 'application/json; charset=utf-8' }, 60],
    [{ 'content-type': 'application/problem+json' }, 60],
  ];
  for (const [headers, expected] of cases) assert.equal(freshS(headers), expected, JSON.stringify(headers));
});

test('an answer to POST is used for a short default time, or less', () => {
  assert.equal(freshS({}, 'POST'), 30);
  assert.equal(freshS({ 'cache-control': 'max-age=3600' }, 'POST'), 30);
  assert.equal(freshS({ 'cache-control': 'max-age=5' }, 'POST'), 5);
  assert.equal(freshS({ 'cache-control': 'no-cache', etag: '"1"' }, 'POST'), null);
  assert.equal(plan({ etag: '"1"' }, 'POST')?.conditions, null);
});

test('only a complete answer is stored, never a failure', () => {
  for (const status of [201, 204, 206, 301, 304, 400, 401, 404, 429, 500, 503]) {
    const head = toHead({ 'cache-control': 'max-age=10', etag: '"1"' }, status);
    assert.equal(planStorage(head, {}, context), null, String(status));
  }
});

test('revalidation sends the validators of the stored answer', () => {
  assert.deepEqual(plan({ etag: 'W/"1"', 'last-modified': 'x' })?.conditions, { 'if-none-match': 'W/"1"' });
  assert.deepEqual(plan({ 'last-modified': 'x' })?.conditions, { 'if-modified-since': 'x' });
  assert.equal(plan({})?.conditions, null);
});

test('a revalidated answer follows the rules of its revalidation, or else its own', () => {
  const stored = toHead({ 'cache-control': 'max-age=100', etag: '"1"', age: '90' });
  const freshAfter = (headers: Headers) =>
    planConfirmed({ status: 304, header: (name) => headers[name] ?? null }, stored, context)?.freshMs;
  assert.equal(freshAfter({}), 100_000);
  assert.equal(freshAfter({ 'cache-control': 'max-age=7' }), 7_000);
  assert.equal(freshAfter({ expires: 'Tue, 17 Nov 2026 12:00:09 GMT' }), 9_000);
  assert.equal(freshAfter({ 'cache-control': 'no-store' }), undefined);
});

test('answers to requests with keys or signatures are not stored', () => {
  const url = 'https://catalog.example/search?limit=1&bbox=1,2,3,4';
  const may = (request: Partial<GuardedRequest>) =>
    mayStoreAnswersTo({ url, limitBody: () => 0, ...request });
  assert.ok(may({}));
  assert.ok(
    may({ method: 'POST', body: '{}', headers: { Accept: 'application/json', 'content-type': 'x' } }),
  );
  for (const method of ['PUT', 'DELETE', 'HEAD'] as const) assert.ok(!may({ method }), method);
  for (const name of ['Authorization', 'cookie', 'x-api-key', 'range', 'ocp-apim-subscription-key']) {
    assert.ok(!may({ headers: { [name]: 'x' } }), name);
  }
  for (const query of [
    'X-Amz-Signature=x',
    'sv=1&sig=x',
    'apikey=x',
    'api_key=x',
    'access_token=x',
    'token=x',
    'KEY=x',
  ]) {
    assert.ok(!may({ url: `${url}&${query}` }), query);
  }
  assert.ok(!may({ url: 'not an address' }));
});

test('directives are accepted in any case, quoted or not', () => {
  assert.deepEqual(
    [...parseCacheControl('Public,max-age = "5" , max-age=6,, no-cache="set-cookie"')],
    [
      ['public', ''],
      ['max-age', '5'],
      ['no-cache', 'set-cookie'],
    ],
  );
  assert.equal(parseCacheControl(null).size, 0);
});
