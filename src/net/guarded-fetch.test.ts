import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { SwathError } from '../errors.ts';
import { HANG_MS, whenHolds } from '../testing/wait-for.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { ResolveName } from './guarded-connect.ts';
import type { GuardedFetchOptions } from './guarded-fetch.ts';
import { makeGuardedFetch } from './guarded-fetch.ts';
import { get, startCanary } from './testing/canary.ts';

const canary = await startCanary();
const { port, localPolicy } = canary;
after(() => canary.stop());

test('a body can be sent, and a redirect never forwards it', async () => {
  const fetch = makeGuardedFetch({ policy: localPolicy(), maxRedirects: 3 });
  const post = { method: 'POST', body: 'a report', limitBody: () => 100 } as const;
  const { body } = await fetch({ ...post, url: `http://127.0.0.1:${port}/` });
  assert.equal(Buffer.from(body).toString(), 'a report');
  const url = `http://127.0.0.1:${port}/?to=${encodeURIComponent('/elsewhere')}`;
  await assert.rejects(fetch({ ...post, url }), { code: 'source-redirected' });
});

test('a body over its limit is refused, one at its limit is read, and a limit of 0 discards it', async () => {
  const fetch = makeGuardedFetch({ policy: localPolicy() });
  const url = `http://127.0.0.1:${port}/`;
  const { body } = await fetch({ url, limitBody: () => 10_000 });
  assert.equal((await fetch({ url, limitBody: () => body.length })).body.length, body.length);
  await assert.rejects(fetch({ url, limitBody: () => body.length - 1 }), {
    tag: 'source-broken',
    code: 'source-too-long',
  });
  assert.equal((await fetch({ url, limitBody: () => 0 })).body.length, 0);
});

test('the caller can refuse an answer by its head, and can disconnect', async () => {
  const fetch = makeGuardedFetch({ policy: localPolicy() });
  const url = `http://127.0.0.1:${port}/`;
  const refusal = new SwathError('unsupported', 'no-thanks', 'No thanks.');
  const limitBody = () => {
    throw refusal;
  };
  await assert.rejects(fetch({ url, limitBody }), refusal);
  await assert.rejects(fetch({ url, limitBody: () => 1, signal: AbortSignal.abort() }), { tag: 'cancelled' });
});

test('a closed port and an unknown name are unreachable, and the message names neither', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const freePort = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
  const policy: AddressPolicy = { ...localPolicy(), ports: [freePort] };
  const failing: ResolveName = () => Promise.reject(new Error('queryA ENOTFOUND'));
  for (const options of [
    { policy },
    { policy, resolveName: failing },
    { policy, resolveName: async () => [] },
  ]) {
    const host = options.resolveName === undefined ? '127.0.0.1' : 'nowhere.example';
    await assert.rejects(
      get(`http://${host}:${freePort}/`, options),
      ({ tag, code, message }: SwathError) => {
        assert.deepEqual([tag, code], ['source-broken', 'source-unreachable']);
        assert.doesNotMatch(message, /127|nowhere|\d{4}/);
        return true;
      },
    );
  }
});

test('silence before the head or within the body ends the call in time, a slow body does not', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/silent') return;
    response.write('x');
    const [, everyMs] = /^\/slow\?(\d+)$/.exec(request.url ?? '') ?? [];
    if (everyMs === undefined) return;
    let left = 35;
    const timer = setInterval(() => {
      response.write('x');
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      response.end();
    }, Number(everyMs));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const policy = localPolicy({ ports: [Number(new URL(origin).port)] });
  try {
    const takeMs = async (path: string, timeouts: GuardedFetchOptions['timeouts']) => {
      const startMs = performance.now();
      await assert.rejects(get(`${origin}${path}`, { policy, timeouts: { ...timeouts } }), {
        tag: 'timed-out',
      });
      return performance.now() - startMs;
    };
    // Half a second, where undici alone would take one; the first that does, because a busy machine may hold up any one.
    for (const [path, timeouts] of [
      ['/silent', { headersMs: 100 }],
      ['/half', { idleMs: 100 }],
      ['/slow?50', { idleMs: HANG_MS, totalMs: 100 }],
    ] as const) {
      await whenHolds(async () => {
        const tookMs = await takeMs(path, timeouts);
        assert.ok(tookMs < 600, `${path} took ${tookMs} ms`);
      });
    }
    // Longer than the limit in total, but never silent for that long: tried at a slower pace if this process was held up.
    const readSlowly = (everyMs: number): Promise<{ readonly body: Uint8Array }> =>
      get(`${origin}/slow?${everyMs}`, { policy, timeouts: { idleMs: 30 * everyMs } });
    const { body } = await readSlowly(50).catch(() => readSlowly(1_000));
    assert.equal(body.length, 36);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('an attempt to connect ends in time', async () => {
  canary.connections = 0;
  let answerName: (found: { address: string; family: number }[]) => void = () => {};
  const slow: ResolveName = () =>
    new Promise((resolve) => {
      answerName = resolve;
    });
  const startMs = performance.now();
  const options = { policy: localPolicy(), resolveName: slow, timeouts: { connectMs: 50 } };
  await assert.rejects(get(`http://slow.example:${port}/`, options), {
    tag: 'timed-out',
    code: 'source-timed-out',
  });
  assert.ok(performance.now() - startMs < HANG_MS / 2);
  answerName([{ address: '127.0.0.1', family: 4 }]);
});
