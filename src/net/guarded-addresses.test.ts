import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SwathError } from '../errors.ts';
import type { ResolveName } from './guarded-connect.ts';
import { makeGuardedFetch } from './guarded-fetch.ts';
import { get, startCanary, toLoopback } from './testing/canary.ts';
import { HOSTILE_ADDRESSES } from './testing/hostile-addresses.ts';

const canary = await startCanary();
const { port, openPolicy, localPolicy } = canary;
after(() => canary.stop());

test(`${HOSTILE_ADDRESSES.length} hostile addresses: none reaches the canary, each gets the one refusal`, async () => {
  assert.ok(HOSTILE_ADDRESSES.length >= 60);
  canary.connections = 0;
  for (const row of HOSTILE_ADDRESSES) {
    const url = row.replaceAll('PORT', String(port));
    const error = await get(url, { policy: openPolicy() }).then(
      () => assert.fail(`${url} was reached`),
      (thrown: unknown) => thrown as SwathError,
    );
    assert.equal(error.code, 'address-not-allowed', url);
    assert.equal(error.tag, 'not-allowed', url);
    assert.equal(error.message, 'This address is not allowed.');
    assert.deepEqual(error.details, {});
    assert.doesNotMatch(String(error.cause), /secret/, 'no credentials in the log either');
  }
  assert.equal(canary.connections, 0);
});

test('the canary does answer once its network is allowed, so the table above can fail', async () => {
  canary.connections = 0;
  for (const host of ['127.0.0.1', '127.1', '[::1]', 'loop.example', 'loop6.example', '[::ffff:127.0.0.1]']) {
    const { status } = await get(`http://${host}:${port}/`, { policy: localPolicy() });
    assert.equal(status, 200, host);
  }
  assert.equal(canary.connections, 6);
});

test('a name that answers a public address first and a private one later does not get through', async () => {
  canary.connections = 0;
  let asked = 0;
  const rebinding: ResolveName = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }];
  };
  // 192.0.2.1 stands for a public address: it is allowed here, and nothing ever answers there.
  const fetch = makeGuardedFetch({
    policy: openPolicy({ privateNetworks: ['192.0.2.0/24'] }),
    timeouts: { connectMs: 150 },
    resolveName: rebinding,
  });
  const url = `http://rebinding.example:${port}/`;
  await assert.rejects(fetch({ url, limitBody: () => 1 }), ({ tag }: SwathError) => tag !== 'not-allowed');
  assert.equal(asked, 1, 'the socket goes to the checked address without asking again');
  await assert.rejects(fetch({ url, limitBody: () => 1 }), { code: 'address-not-allowed' });
  assert.equal(asked, 2);
  assert.equal(canary.connections, 0);
});

test('only https to port 443 without further options', async () => {
  for (const url of ['http://93.184.215.14/', 'https://93.184.215.14:8443/', 'http://93.184.215.14:443/']) {
    await assert.rejects(get(url, { policy: {} }), { code: 'address-not-allowed' }, url);
  }
});

test('a host list lets through exactly its names', async () => {
  const policy = localPolicy({ hosts: ['loop.example', '*.data.example'] });
  assert.equal((await get(`http://loop.example:${port}/`, { policy })).status, 200);
  assert.equal((await get(`http://LOOP.example.:${port}/`, { policy, resolveName: toLoopback })).status, 200);
  assert.equal(
    (await get(`http://a.b.data.example:${port}/`, { policy, resolveName: toLoopback })).status,
    200,
  );
  for (const host of [
    'data.example',
    'xdata.example',
    'a.data.example.evil.example',
    'sub.loop.example',
    'loop6.example',
    '127.0.0.1',
    '.data.example',
  ]) {
    await assert.rejects(
      get(`http://${host}:${port}/`, { policy, resolveName: toLoopback }),
      { code: 'address-not-allowed' },
      host,
    );
  }
});
test('a redirect is an error, and where it is allowed every hop is checked', async () => {
  const policy = localPolicy({ hosts: ['loop.example', 'other.example'] });
  const from = (to: string) => `http://loop.example:${port}/?to=${encodeURIComponent(to)}`;
  const there = `http://loop.example:${port}/there`;
  await assert.rejects(get(from(there), { policy }), { tag: 'source-broken', code: 'source-redirected' });
  assert.equal((await get(from(there), { policy, maxRedirects: 1 })).status, 200);
  assert.equal((await get(from('/there'), { policy, maxRedirects: 1 })).status, 200);
  const loop = from(from(from(from(there))));
  await assert.rejects(get(loop, { policy, maxRedirects: 99 }), { code: 'source-redirected' });
  for (const to of [
    `http://127.0.0.1:${port}/`,
    'http://169.254.169.254/',
    'file:///etc/passwd',
    `http://user:pass@loop.example:${port}/`,
    'http://loop.example:22/',
  ]) {
    await assert.rejects(get(from(to), { policy, maxRedirects: 3 }), { code: 'address-not-allowed' }, to);
  }
});

test('secrets do not follow a redirect to another origin', async () => {
  const policy = localPolicy({ hosts: ['loop.example', 'other.example'] });
  const fetch = makeGuardedFetch({ policy, maxRedirects: 1, resolveName: toLoopback });
  const headers = { authorization: 'AWS4 x', 'x-amz-security-token': 'token', range: 'bytes=0-1' };
  const ask = async (to: string) => {
    const url = `http://loop.example:${port}/?to=${encodeURIComponent(to)}`;
    const { body } = await fetch({ url, headers, limitBody: () => 10_000 });
    return JSON.parse(Buffer.from(body).toString()) as Record<string, string>;
  };
  const elsewhere = await ask(`http://other.example:${port}/`);
  assert.equal(elsewhere.range, 'bytes=0-1');
  assert.equal(elsewhere.authorization, undefined);
  assert.equal(elsewhere['x-amz-security-token'], undefined);
  assert.equal((await ask('/same-origin')).authorization, 'AWS4 x');
});
