import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { joinFolder, makeFolderHandle } from '../files/index.ts';
import type { GuardedFetch, GuardedRequest } from './guarded-fetch.ts';
import { withHttpCache } from './http-cache.ts';
import { makeServiceCounts } from './polite-fetch.ts';

const root = mkdtempSync(join(tmpdir(), 'swath-http-cache-'));
after(() => rmSync(root, { recursive: true, force: true }));

let opened = 0;
let now = 0;
let asked: GuardedRequest[] = [];
let reply: (request: GuardedRequest) => { status?: number; headers?: Record<string, string>; body?: string };

/** A server that answers as the test says, and respects the limit of the body as the guarded fetch does. */
const server: GuardedFetch = async (request) => {
  asked.push(request);
  const { status = 200, headers = {}, body = '{}' } = reply(request);
  const all: Record<string, string> = { 'content-type': 'application/json', ...headers };
  const head = { status, header: (name: string) => all[name] ?? null };
  return { ...head, body: request.limitBody(head) === 0 ? new Uint8Array(0) : Buffer.from(body) };
};

function open() {
  const folder = joinFolder(makeFolderHandle(join(root, String(opened)), 10 * 2 ** 20));
  const counts = makeServiceCounts();
  const fetch = withHttpCache(server, { folder, counts, wallClockMs: () => now });
  return {
    folder,
    counts,
    /** The body as text, when all that is stored is on the disk. */
    async ask(more: Partial<GuardedRequest> = {}): Promise<string> {
      const { status, body } = await fetch({
        url: 'https://catalog.example/a',
        limitBody: () => 1_000,
        ...more,
      });
      await folder.settled();
      return `${status} ${Buffer.from(body).toString()}`;
    },
  };
}

beforeEach(() => {
  opened += 1;
  now = Date.parse('2026-11-17T12:00:00Z');
  asked = [];
  reply = () => ({ body: JSON.stringify({ answer: asked.length }) });
});

test('an answer is used until it expires, by every process that shares the folder', async () => {
  const { ask, counts } = open();
  reply = () => ({ headers: { 'cache-control': 'max-age=10' }, body: `{"answer":${asked.length}}` });
  assert.equal(await ask(), '200 {"answer":1}');
  now += 9_999;
  assert.equal(await ask(), '200 {"answer":1}');
  assert.equal(await open().ask(), '200 {"answer":1}', 'of another process');
  now += 1;
  assert.equal(await ask(), '200 {"answer":2}');
  now -= 60_000;
  assert.equal(await ask(), '200 {"answer":3}', 'the clock was set back');
  assert.equal(counts.cacheHits, 1);
});

test('answers are cached by method, address, format and body', async () => {
  const { ask } = open();
  const requests: readonly Partial<GuardedRequest>[] = [
    {},
    { url: 'https://catalog.example/a?b' },
    { headers: { accept: 'application/json' } },
    { method: 'POST', body: '{"limit":1}' },
    { method: 'POST', body: '{"limit":2}' },
  ];
  for (let round = 0; round < 2; round += 1) {
    for (const [i, request] of requests.entries())
      assert.equal(await ask(request), `200 {"answer":${i + 1}}`);
  }
});

test('an expired answer is used again only when its server confirms it', async () => {
  const { ask, counts } = open();
  let etag = '"1"';
  reply = ({ headers = {} }) =>
    headers['if-none-match'] === etag
      ? { status: 304, headers: { 'cache-control': 'max-age=5' } }
      : { headers: { etag, 'cache-control': 'no-cache' }, body: `{"etag":${etag}}` };
  assert.equal(await ask(), '200 {"etag":"1"}');
  assert.equal(await ask(), '200 {"etag":"1"}');
  assert.deepEqual(asked[1]?.headers, { 'if-none-match': '"1"' });
  assert.equal(counts.revalidated, 1);
  now += 4_000;
  assert.equal(await ask(), '200 {"etag":"1"}', 'fresh by the rules of the confirmation');
  assert.equal(asked.length, 2);
  now += 2_000;
  etag = '"2"';
  assert.equal(await ask(), '200 {"etag":"2"}');
  assert.equal(await ask(), '200 {"etag":"2"}');
  assert.deepEqual(asked.at(-1)?.headers, { 'if-none-match': '"2"' });
});

test('failures are passed on and never stored; a temporary one keeps the stored answer', async () => {
  const { ask } = open();
  const good = { headers: { etag: '"1"', 'cache-control': 'no-cache' }, body: '{"good":true}' };
  reply = () => good;
  await ask();
  reply = () => ({ status: 503, headers: { 'cache-control': 'max-age=100' }, body: '{"bad":true}' });
  assert.equal(await ask(), '503 {"bad":true}');
  assert.equal(await ask(), '503 {"bad":true}');
  reply = ({ headers = {} }) => (headers['if-none-match'] === '"1"' ? { status: 304 } : good);
  assert.equal(await ask(), '200 {"good":true}');
  reply = () => ({ status: 404 });
  assert.equal(await ask(), '404 {}');
  reply = ({ headers = {} }) => ({ body: JSON.stringify(headers) });
  assert.equal(await ask(), '200 {}', 'what is gone is not asked for by its old ETag');
});

test('a request with a secret bypasses the cache', async () => {
  const { ask } = open();
  const headers = { authorization: 'Bearer x' };
  assert.equal(await ask(), '200 {"answer":1}');
  assert.equal(await ask({ headers }), '200 {"answer":2}');
  assert.equal(await ask({ headers }), '200 {"answer":3}');
  assert.equal(await ask(), '200 {"answer":1}');
});

test('the body limit applies to stored answers too', async () => {
  const { ask } = open();
  await ask();
  await assert.rejects(ask({ limitBody: () => 3 }), { code: 'source-too-long' });
  assert.equal(await ask({ limitBody: () => 0 }), '200 ');
  assert.equal(asked.length, 1);
});

test('a discarded body is not stored as an empty one', async () => {
  const { ask } = open();
  assert.equal(await ask({ limitBody: () => 0 }), '200 ');
  assert.equal(await ask(), '200 {"answer":2}');
});

test('a foreign cache entry is ignored and requested again', async () => {
  const { ask, folder } = open();
  await ask();
  const [below = ''] = await Promise.all(
    Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')).map(async (name) =>
      (await folder.list(name)).map((entry) => `${name}/${entry}`),
    ),
  ).then((lists) => lists.flat());
  for (const bytes of [Buffer.alloc(0), Buffer.from('{}{}{}{}'), Buffer.from([2, 0, 0, 0, 0x7b, 0x7d])]) {
    await Promise.all([folder.write(below, bytes), folder.settled()]);
    const before = asked.length;
    assert.equal(await ask(), `200 {"answer":${before + 1}}`);
  }
});

test('a caller that has disconnected gets nothing', async () => {
  const { ask } = open();
  await ask();
  await assert.rejects(ask({ signal: AbortSignal.abort() }), { tag: 'cancelled' });
});
