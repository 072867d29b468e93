import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { SwathError } from '../errors.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { ResolveName } from './guarded-connect.ts';
import type { GuardedFetchOptions } from './guarded-fetch.ts';
import { makeGuardedFetch } from './guarded-fetch.ts';

/** The canary: a server on both loopbacks that must never be reached, and counts who does. */
const canaries: Server[] = [];
let port = 0;
let connections = 0;

before(async () => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://canary').searchParams.get('to');
      if (path !== null) response.writeHead(302, { location: path }).end();
      else if (request.method === 'POST') request.pipe(response);
      else response.end(JSON.stringify(request.headers));
    }).on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    port = (server.address() as AddressInfo).port;
    canaries.push(server);
  }
});
after(() => {
  for (const server of canaries) server.close().closeAllConnections();
});

/** As open as a policy without private networks can be: http, and the canary's port. */
const openPolicy = (more: AddressPolicy = {}): AddressPolicy => ({
  allowHttp: true,
  ports: [port, 80, 443],
  ...more,
});
const localPolicy = (more: AddressPolicy = {}) =>
  openPolicy({ privateNetworks: ['127.0.0.0/8', '::1'], ...more });

const names: Readonly<Record<string, readonly string[]>> = {
  'localhost.': ['127.0.0.1'],
  'loop.example': ['127.0.0.1'],
  'loop6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'both.example': ['93.184.215.14', '127.0.0.1'],
  'both-other-way.example': ['127.0.0.1', '93.184.215.14'],
  'both-families.example': ['93.184.215.14', '::1'],
  'metadata.example': ['169.254.169.254'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'sixtofour.example': ['2002:7f00:1::'],
  'teredo.example': ['2001:0:7f00:1::'],
  'zone.example': ['fe80::1%lo'],
  'nonsense.example': ['not-an-address'],
  'xn--e1afmkfd.example': ['10.0.0.1'],
};
const resolveByTable: ResolveName = async (hostname) => {
  const known = names[hostname];
  if (known === undefined) return lookup(hostname, { all: true });
  return known.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const get = (url: string, options: GuardedFetchOptions) =>
  makeGuardedFetch({ resolveName: resolveByTable, ...options })({ url, limitBody: () => 10_000 });

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
  connections = 0;
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
  assert.equal(connections, 0);
});

test('the canary does answer once its network is allowed, so the table above can fail', async () => {
  connections = 0;
  for (const host of ['127.0.0.1', '127.1', '[::1]', 'loop.example', 'loop6.example', '[::ffff:127.0.0.1]']) {
    const { status } = await get(`http://${host}:${port}/`, { policy: localPolicy() });
    assert.equal(status, 200, host);
  }
  assert.equal(connections, 6);
});

test('a name that answers a public address first and a private one later does not get through', async () => {
  connections = 0;
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
  assert.equal(connections, 0);
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
const toLoopback: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];

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

test('a body can be sent, and is never sent on by a redirect', async () => {
  const fetch = makeGuardedFetch({ policy: localPolicy(), maxRedirects: 3 });
  const post = { method: 'POST', body: 'a report', limitBody: () => 100 } as const;
  const { body } = await fetch({ ...post, url: `http://127.0.0.1:${port}/` });
  assert.equal(Buffer.from(body).toString(), 'a report');
  const url = `http://127.0.0.1:${port}/?to=${encodeURIComponent('/elsewhere')}`;
  await assert.rejects(fetch({ ...post, url }), { code: 'source-redirected' });
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

test('a body over its limit is refused, at its limit it is read, and 0 throws it away', async () => {
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

test('an answer can be refused by its head alone, and a caller can leave', async () => {
  const fetch = makeGuardedFetch({ policy: localPolicy() });
  const url = `http://127.0.0.1:${port}/`;
  const refusal = new SwathError('unsupported', 'no-thanks', 'No thanks.');
  const limitBody = () => {
    throw refusal;
  };
  await assert.rejects(fetch({ url, limitBody }), refusal);
  await assert.rejects(fetch({ url, limitBody: () => 1, signal: AbortSignal.abort() }), { tag: 'cancelled' });
});

test('a closed port and an unknown name are unreachable, without saying where', async () => {
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

test('silence before the head and within the body ends the call in time, a slow body does not', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/silent') return;
    response.write('x');
    if (request.url !== '/slow') return;
    let left = 8;
    const timer = setInterval(() => {
      response.write('x');
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      response.end();
    }, 50);
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
    // Half a second, where undici alone would take one.
    assert.ok((await takeMs('/silent', { headersMs: 100 })) < 600);
    assert.ok((await takeMs('/half', { idleMs: 100 })) < 600);
    assert.ok((await takeMs('/slow', { idleMs: 5_000, totalMs: 100 })) < 600);
    const { body } = await get(`${origin}/slow`, { policy, timeouts: { idleMs: 300 } });
    assert.equal(body.length, 9, 'longer than the limit in all, but never silent for so long');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a connection that does not come about is given up in time', async () => {
  connections = 0;
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
  assert.ok(performance.now() - startMs < 1_000);
  answerName([{ address: '127.0.0.1', family: 4 }]);
});
