import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SwathError } from '../../errors.ts';
import { get, startCanary, toLoopback } from '../testing/canary.ts';
import type { ResolveName } from './guarded-connect.ts';
import { makeGuardedFetch } from './guarded-fetch.ts';

const canary = await startCanary();
const { port, openPolicy, localPolicy } = canary;
after(() => canary.stop());

/** Every way to write an address inside that we know of; `PORT` is the canary's. */
const HOSTILE = [
  // loopback, in every spelling that a URL parser normalises
  'http://127.0.0.1:PORT/',
  'http://127.0.0.2:PORT/',
  'http://127.255.255.254:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://0x7f000001:PORT/',
  'http://0X7F.0.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://00000177.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://①②⑦.0.0.1:PORT/',
  'http://127。0。0。1:PORT/',
  'http://\uff11\uff12\uff17.0.0.1:PORT/',
  'http://127.0.0.1\u3002:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://127.0.0.%31:PORT/',
  'http:127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'ht\ntp://127.0.0.1:PORT/',
  ' http://127.0.0.1:PORT/ ',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[0000::0001]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[::1%25lo]:PORT/',
  'http://[fe80::1%25eth0]:PORT/',
  'http://[fe80::1%eth0]:PORT/',
  // this host, private networks, clouds' metadata, multicast
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://0.1.2.3:PORT/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.170.2/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://[fd00:ec2::254]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[ff02::1]/',
  'http://192.0.0.192/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  // names that lead inside
  'http://localhost:PORT/',
  'http://localhost.:PORT/',
  'http://LOCALHOST:PORT/',
  'http://loop.example:PORT/',
  'http://LOOP.example:PORT/',
  'http://loop6.example:PORT/',
  'http://mapped.example:PORT/',
  'http://both.example:PORT/',
  'http://both-other-way.example:PORT/',
  'http://both-families.example:PORT/',
  'http://metadata.example/',
  'http://nat64.example:PORT/',
  'http://sixtofour.example:PORT/',
  'http://teredo.example:PORT/',
  'http://zone.example:PORT/',
  'http://nonsense.example:PORT/',
  'http://пример.example/',
  // credentials, ports, schemes, nonsense
  'http://user@loop.example:PORT/',
  'http://user:secret@93.184.215.14/',
  'http://:secret@93.184.215.14/',
  'http://93.184.215.14@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@93.184.215.14/',
  'http://93.184.215.14:22/',
  'http://93.184.215.14:6379/',
  'http://93.184.215.14:0/',
  'http://93.184.215.14:99999/',
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'gopher://127.0.0.1:PORT/_GET',
  'ftp://127.0.0.1:PORT/',
  'dict://127.0.0.1:PORT/',
  'data:text/plain,x',
  'blob:http://127.0.0.1:PORT/x',
  'javascript:alert(1)',
  'ws://127.0.0.1:PORT/',
  'unix:/run/x.sock',
  '//127.0.0.1:PORT/',
  '/etc/passwd',
  'http://',
  'http:///',
  'http://a b/',
  '',
  `http://127.0.0.1:PORT/${'x'.repeat(5_000)}`,
];

test(`${HOSTILE.length} hostile addresses: none reaches the canary, each gets the one refusal`, async () => {
  assert.ok(HOSTILE.length >= 60);
  canary.connections = 0;
  for (const row of HOSTILE) {
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
