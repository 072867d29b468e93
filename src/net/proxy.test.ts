import assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '../../test/support/make-certificate.ts';
import type { SwathError } from '../errors.ts';
import { HANG_MS } from '../testing/wait-for.ts';
import type { AddressPolicy } from './address-policy.ts';
import { makeGuardedFetch } from './guarded-fetch.ts';
import type { ProxySettings } from './proxy.ts';
import { ProxyFailure, planRoute } from './proxy.ts';
import { startCanary } from './testing/canary.ts';
import { startFakeProxy } from './testing/fake-proxy.ts';
import { HOSTILE_ADDRESSES } from './testing/hostile-addresses.ts';

const authority = makeCertificate({ name: 'Authority of the test', isAuthority: true });
const by = authority.signer;
const before = getCACertificates('default');
setDefaultCACertificates([...before, authority.cert]);

const BODY = Buffer.alloc(3 * 2 ** 20, 'bytes of a body that takes many reads. ');
const canary = await startCanary();
const proxy = await startFakeProxy();
const tlsProxy = await startFakeProxy(makeCertificate({ name: 'proxy', hosts: ['127.0.0.1'], by }));
const origin = createTlsServer(
  makeCertificate({ name: 'origin', hosts: ['data.example'], by }),
  (request, response) => {
    if (request.url === '/long') response.end(BODY);
    else if (request.url === '/elsewhere')
      response.writeHead(302, { location: 'https://169.254.169.254/' }).end();
    else response.end(JSON.stringify(request.headers));
  },
);
await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
const tlsPort = (origin.address() as AddressInfo).port;
after(() => {
  setDefaultCACertificates(before);
  origin.close().closeAllConnections();
  for (const part of [canary, proxy, tlsProxy]) part.stop();
});
beforeEach(() => {
  proxy.calls.length = 0;
  proxy.refusal = null;
  proxy.early = '';
  canary.connections = 0;
});

/** A policy of one name that only the proxy knows. */
const policy: AddressPolicy = { hosts: ['data.example'], allowHttp: true, ports: [canary.port, tlsPort] };
const address = `http://user:p%40ss@127.0.0.1:${proxy.port}`;
const LOGIN = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
const unknown = () => Promise.reject(new Error('nobody asked here'));

const open = (settings: ProxySettings, more: Partial<Parameters<typeof makeGuardedFetch>[0]> = {}) => {
  const fetch = makeGuardedFetch({
    policy,
    proxy: settings,
    resolveName: unknown,
    userAgent: 'Swath/test',
    timeouts: { connectMs: HANG_MS, headersMs: HANG_MS, idleMs: HANG_MS, totalMs: HANG_MS },
    ...more,
  });
  return (url: string) => fetch({ url, headers: { 'x-given': 'yes' }, limitBody: () => 4 * 2 ** 20 });
};
const readHeaders = ({ body }: { body: Uint8Array }) =>
  JSON.parse(Buffer.from(body).toString()) as Record<string, string>;

test('https uses a tunnel, for which the proxy resolves the name; only the proxy gets the credentials', async () => {
  const get = open({ https: address });
  const headers = readHeaders(await get(`https://data.example:${tlsPort}/`));
  assert.equal(headers.host, `data.example:${tlsPort}`);
  assert.equal(headers['x-given'], 'yes');
  assert.equal(headers['proxy-authorization'], undefined);
  assert.deepEqual(
    proxy.calls.map(({ line, headers }) => [line, headers['proxy-authorization'], headers['user-agent']]),
    [[`CONNECT data.example:${tlsPort}`, LOGIN, 'Swath/test']],
  );
  assert.equal(proxy.calls[0]?.headers['x-given'], undefined);
  await nextTurn();
  const { body } = await get(`https://data.example:${tlsPort}/long`);
  assert.ok(BODY.equals(body));
  assert.equal(proxy.calls.length, 1, 'the same tunnel');
});

test('http requests are sent to the proxy with the full address', async () => {
  const headers = readHeaders(await open({ http: address })(`http://data.example:${canary.port}/a?b=c`));
  assert.equal(headers.host, `data.example:${canary.port}`);
  assert.equal(headers['x-given'], 'yes');
  assert.deepEqual(
    proxy.calls.map(({ line, headers }) => [line, headers['proxy-authorization']]),
    [[`GET http://data.example:${canary.port}/a?b=c`, LOGIN]],
  );
});

test('a proxy can be reached by https', async () => {
  const settings = {
    https: `https://127.0.0.1:${tlsProxy.port}`,
    http: `https://127.0.0.1:${tlsProxy.port}`,
  };
  const get = open(settings);
  assert.ok(BODY.equals((await get(`https://data.example:${tlsPort}/long`)).body));
  assert.equal((await get(`http://data.example:${canary.port}/`)).status, 200);
  assert.deepEqual(
    tlsProxy.calls.map(({ line }) => line.split(' ')[0]),
    ['CONNECT', 'GET'],
  );
  const wrong = await startFakeProxy(makeCertificate({ name: 'stranger', hosts: ['127.0.0.1'] }));
  for (const url of [`https://data.example:${tlsPort}/`, `http://data.example:${canary.port}/`]) {
    const untrusted = open({
      https: `https://127.0.0.1:${wrong.port}`,
      http: `https://127.0.0.1:${wrong.port}`,
    });
    await assert.rejects(untrusted(url), { code: 'source-untrusted', message: /certificate of the proxy/ });
  }
  wrong.stop();
});

test('the proxy is never asked for a hostile address, nor for a redirect to one', async () => {
  const everything: AddressPolicy = { allowHttp: true, ports: [canary.port, 80, 443] };
  for (const listed of [everything, { ...everything, hosts: ['*.example', 'localhost'] }]) {
    const get = open({ https: address, http: address }, { policy: listed, resolveName: toInside });
    for (const row of HOSTILE_ADDRESSES) {
      const url = row.replaceAll('PORT', String(canary.port));
      // Names that lead inside are those that a list of hosts allows: what they mean is up to the proxy.
      if (listed.hosts !== undefined && /\.example\b/.test(url)) continue;
      await assert.rejects(get(url), { code: 'address-not-allowed' }, url);
    }
  }
  const following = open(
    { https: address },
    { policy: { ...policy, hosts: ['data.example', '169.254.169.254'] }, maxRedirects: 3 },
  );
  await assert.rejects(following(`https://data.example:${tlsPort}/elsewhere`), {
    code: 'address-not-allowed',
  });
  assert.deepEqual(
    proxy.calls.map(({ line }) => line),
    [`CONNECT data.example:${tlsPort}`],
  );
  assert.equal(canary.connections, 0);
});

const toInside = async () => [{ address: '10.0.0.1', family: 4 }];

test('without a host list the proxy gets an address that was checked here', async () => {
  const open4 = open(
    { https: address, http: address },
    {
      policy: { allowHttp: true, ports: [canary.port, tlsPort] },
      resolveName: async () => [
        { address: '2606:2800::1', family: 6 },
        { address: '93.184.215.14', family: 4 },
      ],
    },
  );
  const headers = readHeaders(await open4(`https://data.example:${tlsPort}/`));
  assert.equal(headers.host, `data.example:${tlsPort}`, 'and the certificate was that of the name');
  assert.equal(
    readHeaders(await open4(`http://data.example:${canary.port}/`)).host,
    `data.example:${canary.port}`,
  );
  assert.deepEqual(
    proxy.calls.map(({ line }) => line),
    [`CONNECT 93.184.215.14:${tlsPort}`, `CONNECT 93.184.215.14:${canary.port}`],
  );
});

test('a proxy that refuses, hangs, speaks first or is unreachable is reported without its credentials', async () => {
  const targets = [`https://data.example:${tlsPort}/`, `http://data.example:${canary.port}/`] as const;
  const fail = async (url: string, settings: ProxySettings, timeouts = {}) => {
    const error = await open(settings, { timeouts })(url).then(
      () => assert.fail(url),
      (thrown: unknown) => thrown as SwathError & { cause: ProxyFailure },
    );
    assert.ok(error.cause instanceof ProxyFailure, String(error.cause));
    for (const text of [error.message, String(error.cause.stack), JSON.stringify(error.details)]) {
      assert.doesNotMatch(text, /p@ss|p%40ss|user:|dXNlc/);
    }
    return [error.code, error.cause.status];
  };
  const both = { https: address, http: address };
  proxy.refusal = 407;
  for (const url of targets) assert.deepEqual(await fail(url, both), ['proxy-refused', 407]);
  proxy.refusal = 403;
  assert.deepEqual(await fail(targets[0], both), ['proxy-refused', 403]);
  proxy.refusal = 503;
  assert.deepEqual(await fail(targets[0], both), ['source-unreachable', 503]);
  proxy.refusal = 0;
  assert.deepEqual(await fail(targets[0], both, { connectMs: 50 }), ['source-timed-out', null]);
  proxy.refusal = null;
  proxy.early = 'x';
  assert.deepEqual(await fail(targets[0], both), ['proxy-refused', 200]);
  const gone = await startFakeProxy();
  gone.stop();
  const nowhere = {
    https: `http://user:p%40ss@127.0.0.1:${gone.port}`,
    http: `http://user:p%40ss@127.0.0.1:${gone.port}`,
  };
  for (const url of targets) assert.deepEqual(await fail(url, nowhere), ['source-unreachable', null]);
});

test('local and listed targets are reached without a proxy', () => {
  const via = (url: string, noProxy = '') =>
    planRoute(new URL(url), {
      proxy: { https: 'http://proxy:1', http: 'http://proxy:2', noProxy },
      hasHostList: true,
    }).kind;
  assert.equal(via('https://data.example/'), 'tunnel');
  assert.equal(via('http://data.example/'), 'forward');
  for (const own of [
    'https://localhost/',
    'http://127.0.0.1:9000/',
    'https://[::1]/',
    'http://x.localhost./',
  ]) {
    assert.equal(via(own), 'direct', own);
  }
  const cases: readonly (readonly [noProxy: string, url: string, isDirect: boolean])[] = [
    ['*', 'https://data.example/', true],
    ['data.example', 'https://data.example/', true],
    ['data.example', 'https://DATA.example./', true],
    ['data.example', 'https://a.data.example/', true],
    ['data.example', 'https://mydata.example/', false],
    ['.data.example', 'https://data.example/', true],
    ['*.data.example', 'https://data.example/', false],
    ['*.data.example', 'https://a.data.example/', true],
    ['other.example, data.example', 'https://data.example/', true],
    ['other.example data.example', 'https://data.example/', true],
    ['data.example:443', 'https://data.example/', true],
    ['data.example:8443', 'https://data.example/', false],
    ['10.0.0.0/8', 'https://10.1.2.3/', true],
    ['10.0.0.0/8', 'https://11.1.2.3/', false],
    ['10.1.2.3:80', 'http://10.1.2.3/', true],
    ['fd00::/8', 'https://[fd00::1]/', true],
    ['[fd00::1]:443', 'https://[fd00::1]/', true],
    ['[fd00::1]:80', 'https://[fd00::1]/', false],
    ['10.0.0.0/99,,nonsense/8', 'https://10.1.2.3/', false],
    ['.', 'https://data.example/', false],
  ];
  for (const [noProxy, url, isDirect] of cases) {
    assert.equal(via(url, noProxy) === 'direct', isDirect, `${noProxy} ${url}`);
  }
  const onlyHttp = { proxy: { http: 'http://proxy:2' }, hasHostList: true };
  assert.equal(planRoute(new URL('https://data.example/'), onlyHttp).kind, 'direct');
});
