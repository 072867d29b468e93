import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../async/index.ts';
import { isSwathError } from '../errors.ts';
import type { GuardedRequest, GuardedResponse } from '../net/guarded-fetch.ts';
import { makeUpstream } from '../net/upstream.ts';
import { openHttpSource } from './http-source.ts';
import { makeSignedAddresses } from './sas-tokens.ts';

const FILE = 'https://naipeuwest.blob.core.windows.net/naip/v002/al/m_1.tif';
const service = { hosts: ['*.blob.core.windows.net'], endpoint: 'https://tokens.test/api/sas/v1/token/' };

const reply = (
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): GuardedResponse => ({
  status,
  header: (name) => headers[name] ?? null,
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
});

/** A service that numbers its tokens, with a fake clock, and a wall clock that may be wrong by `offMs`. */
function makeService(answer?: (asked: number) => GuardedResponse) {
  const asked: string[] = [];
  const startMs = Date.parse('2026-01-01T00:00:00Z');
  const clock = { nowMs: 0, offMs: 0 };
  const addresses = makeSignedAddresses({
    services: [service],
    fetchFor: () => async (request: GuardedRequest) => {
      asked.push(request.url);
      const expiry = new Date(startMs + clock.nowMs + 600_000).toISOString();
      const token = `sv=2026&se=${expiry.slice(0, 10)}&sig=number${asked.length}%3D`;
      return answer?.(asked.length) ?? reply(200, JSON.stringify({ token, 'msft:expiry': expiry }));
    },
    wallClockMs: () => startMs + clock.nowMs + clock.offMs,
    nowMs: () => clock.nowMs,
  });
  return { addresses, asked, clock };
}

test('an address of a known store gets the token of its container, which is requested once', async () => {
  const { addresses, asked } = makeService();
  const [first, second] = await Promise.all([
    addresses.sign(FILE),
    addresses.sign(FILE.replace('m_1', 'm_2')),
  ]);
  assert.match(first, /m_1\.tif\?sv=2026&se=2026-01-01&sig=number\d%3D$/);
  assert.match(second, /m_2\.tif\?/);
  await addresses.sign(FILE);
  assert.deepEqual(asked, ['https://tokens.test/api/sas/v1/token/naipeuwest/naip']);
});

test('other addresses are not changed', async () => {
  const { addresses, asked } = makeService();
  for (const url of ['https://example.com/a.tif', 'https://blob.core.windows.net/x/a.tif', 'nonsense']) {
    assert.equal(await addresses.sign(url), url);
  }
  // No token is requested for an invalid container name: it would become part of our own address.
  const dots = 'https://naipeuwest.blob.core.windows.net/..%2f..%2fadmin/a.tif';
  assert.equal(await addresses.sign(dots), dots);
  assert.deepEqual(asked, []);
});

test('a token is renewed a minute before its expiry, and after a failure', async () => {
  const { addresses, asked, clock } = makeService();
  await addresses.sign(FILE);
  clock.nowMs += 530_000;
  await addresses.sign(FILE);
  assert.equal(asked.length, 1);
  clock.nowMs += 20_000;
  await addresses.sign(FILE);
  assert.equal(asked.length, 2);

  const failing = makeService((n) => (n === 1 ? reply(500, '') : reply(200, '{"token":"sig=abcdefgh"}')));
  for (let n = 0; n < 2; n++) {
    await assert.rejects(
      failing.addresses.sign(FILE),
      (error) => isSwathError(error) && error.code === 'token-refused',
    );
  }
  assert.equal(failing.asked.length, 2, 'neither an error nor a token without an expiry is cached');
});

test('setting the wall clock does not affect a cached token', async () => {
  for (const offMs of [3_600_000, -3_600_000]) {
    const { addresses, asked, clock } = makeService();
    await addresses.sign(FILE);
    clock.offMs = offMs;
    clock.nowMs += 530_000;
    await addresses.sign(FILE);
    assert.equal(asked.length, 1, `${offMs}`);
    clock.nowMs += 20_000;
    await addresses.sign(FILE);
    assert.equal(asked.length, 2, `${offMs}`);
  }
});

test('with a wall clock an hour ahead, not every read requests a token', async () => {
  const { addresses, asked, clock } = makeService();
  clock.offMs = 3_600_000;
  for (let n = 0; n < 10; n++) await addresses.sign(FILE);
  assert.equal(asked.length, 1);
  clock.nowMs += 61_000;
  await addresses.sign(FILE);
  assert.equal(asked.length, 2, 'more often than necessary');
});

test('a refused token is dropped once, and the read continues with a new one', async () => {
  const { addresses, asked } = makeService();
  const bytes = new Uint8Array(100).fill(7);
  const seen: string[] = [];
  const source = await openHttpSource(FILE, {
    addresses,
    upstream: makeUpstream({ totalMs: 5_000 }, systemClock),
    async fetch({ url, limitBody }) {
      seen.push(url);
      const head = url.includes('number1')
        ? reply(403, '')
        : reply(206, bytes, { 'content-range': 'bytes 0-99/100', 'content-length': '100', etag: '"a"' });
      limitBody(head);
      return head;
    },
  });
  assert.equal(source.size, 100);
  assert.ok(!source.id.includes('sig='), 'logs do not show the token');
  assert.equal(asked.length, 2);
  assert.deepEqual(
    seen.map((url) => /number\d/.exec(url)?.[0]),
    ['number1', 'number2'],
  );
});
