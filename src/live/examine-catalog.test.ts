import assert from 'node:assert/strict';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { makeCertificate } from '../../test/support/make-certificate.ts';
import type { ResolveName } from '../net/index.ts';
import { startFakeProxy } from '../net/testing/fake-proxy.ts';
import type { NetworkSources } from '../sources/index.ts';
import { makeTryFile } from '../sources/index.ts';
import { makeCatalogFetch } from './catalog-door.ts';
import { examineCatalog } from './examine-catalog.ts';
import type { LiveCatalog } from './live-catalog.ts';
import { knownCollections } from './presets/all-presets.ts';
import { earthSearch } from './presets/earth-search.ts';
import { startFakeStac, TOKEN_PATH } from './testing/fake-stac.ts';
import { makeItem } from './testing/make-item.ts';

const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'very/secret+key=' };
const fake = await startFakeStac({
  items: (place) => [
    makeItem('earth-search/sentinel-2-l2a', { tile: '31TDH', day: '2022-06-01', cloud: 1 }, place),
    makeItem('usgs/landsat-c2l2-sr', { satellite: 8, path: 197, row: 31, day: '2022-06-02' }, place),
  ],
  buckets: { 'usgs-landsat': { credentials, requesterPays: true } },
});
after(() => fake[Symbol.asyncDispose]());
beforeEach(() => fake.reset());

const sentinel2: LiveCatalog = { ...earthSearch, url: fake.url, sources: fake.network };
const [collection] = earthSearch.collections;
assert.ok(collection !== undefined);
const store = { region: 'us-west-2', endpoint: fake.origin, pathStyle: true, buckets: ['usgs-landsat'] };
/** Only the bucket, as for the USGS, whose https addresses want a login. */
const landsat = (s3: NetworkSources['s3']): LiveCatalog => ({
  ...sentinel2,
  collections: [{ ...collection, collection: 'landsat-c2l2-sr' }],
  sources: { privateNetworks: ['127.0.0.0/8'], ...(s3 === undefined ? {} : { s3 }) },
});

interface Examined {
  readonly resolveName?: ResolveName;
  /** How long each request seems to take. */
  readonly stepMs?: number;
}

/** The findings as lines: `!! name: value`. */
async function examine(
  catalog: LiveCatalog,
  { resolveName, stepMs = 0 }: Examined = {},
): Promise<readonly string[]> {
  let now = 0;
  const door = resolveName === undefined ? {} : { resolveName };
  const findings = await examineCatalog(catalog, {
    fetch: makeCatalogFetch(catalog, door),
    tryFile: makeTryFile(catalog.sources, door),
    nowMs: () => {
      now += stepMs;
      return now;
    },
  });
  return findings.map(({ name, value, ok }) => `${ok ? 'ok' : '!!'} ${name}: ${value}`);
}

test('if only the address of a catalog is known, the collections that it lists are tried', async () => {
  const own = { ...sentinel2, collections: knownCollections, isGuessed: true };
  const lines = await examine(own);
  assert.deepEqual(
    lines.map((line) => /^(?:ok|!!) [^:]+/.exec(line)?.[0]),
    [
      'ok API',
      'ok sentinel-2-l2a',
      'ok sentinel-2-l2a files',
      'ok landsat-c2l2-sr',
      'ok landsat-c2l2-sr files',
    ],
  );
  const [, none] = await examine({ ...own, collections: [{ ...collection, collection: 'others' }] });
  assert.match(none ?? '', /^!! collections: The catalog lists no collection that Swath knows/);
  fake.catalogFault = ({ kind }) => (kind === 'collection' ? { status: 403 } : null);
  assert.match((await examine(own))[1] ?? '', /^!! collections: .*403/);
});

test('examining a working catalog reports its API, a search of each collection and a file of each', async () => {
  const lines = await examine(sentinel2);
  assert.equal(lines.length, 3, lines.join('\n'));
  assert.match(lines[0] ?? '', /^ok API: http:\/\/127\.0\.0\.1:\d+\/v1: STAC 1\.\S+, 0 ms$/);
  assert.equal(lines[1], 'ok sentinel-2-l2a: found an item in 0 ms');
  assert.match(lines[2] ?? '', /^ok sentinel-2-l2a files: http:\S+\.tif: first bytes in 0 ms$/);
  assert.deepEqual(
    fake.calls.map(({ kind }) => kind),
    ['landing', 'search', 'file'],
  );
  assert.equal(fake.calls[2]?.headers.range, 'bytes=0-1023');
});

test('an unreachable API is explained: unknown name, refused connection or private address', async () => {
  const unknown = { ...sentinel2, url: 'https://stac.example' };
  const fail = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  assert.match(
    (await examine(unknown, { resolveName: fail('ENOTFOUND') }))[0] ?? '',
    /^!! API: The name stac\.example does not resolve \(DNS\)/,
  );
  const inside = { resolveName: async () => [{ address: '10.0.0.1', family: 4 }] };
  assert.match(
    (await examine(unknown, inside))[0] ?? '',
    /stac\.example leads to 10\.0\.0\.1, which is not a public address/,
  );
  await fake.goDown();
  const lines = await examine(sentinel2);
  await fake.comeBack();
  assert.equal(lines.length, 1, 'nothing else is tried');
  assert.match(lines[0] ?? '', /^!! API: 127\.0\.0\.1:\d+ refuses connections/);
});

test('an API with an unknown certificate is explained', async () => {
  const { cert, key } = makeCertificate({ name: 'stranger', hosts: ['127.0.0.1'] });
  const server = createTlsServer({ cert, key });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines = await examine({ ...sentinel2, url });
  server.close();
  assert.match(lines[0] ?? '', /authority that this machine does not trust.*NODE_EXTRA_CA_CERTS/);
});

test('a proxy that wants a password, refuses or is down is explained', async () => {
  const proxy = await startFakeProxy();
  const sources = { ...fake.network, proxy: { https: `http://u:hunter2@127.0.0.1:${proxy.port}` } };
  const catalog = { ...sentinel2, url: 'https://stac.example', sources };
  const explain = async (refusal: number) => {
    proxy.refusal = refusal;
    const [line = ''] = await examine(catalog);
    assert.doesNotMatch(line, /hunter2/);
    return line;
  };
  assert.match(await explain(407), /^!! API: The proxy demands a user name and a password \(407\)/);
  assert.match(await explain(403), /The proxy refuses connections to stac\.example \(403\)/);
  assert.match(await explain(502), /The proxy cannot reach stac\.example \(502\)/);
  proxy.stop();
  assert.match(
    (await examine(catalog))[0] ?? '',
    /The proxy cannot be reached \(ECONNREFUSED\)\. Check HTTPS_PROXY/,
  );
});

test('an address that is not an API, and an API that fails or limits requests, are explained', async () => {
  const explain = async (fault: ReturnType<typeof fake.catalogFault>) => {
    fake.catalogFault = () => fault;
    return (await examine(sentinel2))[0] ?? '';
  };
  assert.match(await explain({ text: '<html>' }), /answers, but is not the root of a STAC API/);
  assert.match(
    await explain({ status: 429, retryAfter: '30' }),
    /limits the rate of requests \(429\)\. It asks for a pause of 30 s/,
  );
  assert.match(await explain({ status: 502 }), /fails \(502\)/);
  assert.match(await explain({ status: 401 }), /refuses access \(401\)/);
  assert.match(
    await explain({ redirectTo: 'https://elsewhere.example/' }),
    /a redirect, which is not followed/,
  );
  assert.match(await explain({ cut: true }), /closes the connection without an answer/);
});

test('empty, unknown and slow collections are explained', async () => {
  const other = { ...sentinel2, collections: [{ ...collection, collection: 'none' }] };
  assert.match((await examine(other))[1] ?? '', /^!! none: The catalog has no items in none/);
  fake.catalogFault = ({ kind }) => (kind === 'search' ? { change: () => ({ type: 'Feature' }) } : null);
  assert.match((await examine(sentinel2))[1] ?? '', /The answer to a search is not a list of items/);
  fake.reset();
  const lines = await examine(
    { ...sentinel2, limits: { ...sentinel2.limits, deadlineMs: 500 } },
    { stepMs: 600 },
  );
  assert.match(lines[1] ?? '', /^!! sentinel-2-l2a: A search takes 600 ms, above deadlineMs \(500\)/);
  assert.match(lines[2] ?? '', /^ok/);
});

test('files that are refused, missing, elsewhere or without range support are explained', async () => {
  const explain = async (fault: ReturnType<typeof fake.fileFault>) => {
    fake.fileFault = () => fault;
    return (await examine(sentinel2))[2] ?? '';
  };
  assert.match(
    await explain({ status: 403 }),
    /^!! sentinel-2-l2a files: 127\.0\.0\.1:\d+ refuses access \(403\)/,
  );
  assert.match(await explain({ status: 404 }), /does not have it \(404\)/);
  assert.match(
    await explain({ redirectTo: 'https://elsewhere.example/' }),
    /a redirect, which is not followed/,
  );
  assert.match(await explain({ ignoresRange: true }), /answers without ranges \(200\)/);
  fake.reset();
  const elsewhere = { ...sentinel2, sources: { ...fake.network, hosts: ['files.example'] } };
  assert.match(
    (await examine(elsewhere))[2] ?? '',
    /are at http:\/\/127\.0\.0\.1:\d+, .*which the sources of the catalog do not name/,
  );
  fake.catalogFault = ({ kind }) =>
    kind === 'search' ? { change: (page) => ({ ...page, features: [{}] }) } : null;
  assert.match((await examine(sentinel2))[2] ?? '', /The item of the catalog is wrong/);
});

test('a requester-pays bucket is examined without a key, with a wrong key and with the right one', async () => {
  const explain = async (more: Partial<NonNullable<NetworkSources['s3']>[number]>) =>
    (await examine(landsat([{ ...store, ...more }])))[2] ?? '';
  assert.match(
    await explain({ requesterPays: true }),
    /The requester pays for this bucket.*Set SWATH_AWS_KEY/,
  );
  const wrong = { ...credentials, secretAccessKey: 'wrong/secret+key=' };
  assert.match(
    await explain({ requesterPays: true, credentials: wrong }),
    /refuses th(?:e access key|is account)/,
  );
  assert.match(await explain({ credentials }), /must state requesterPays/);
  assert.match(
    await explain({ requesterPays: true, credentials }),
    /^ok landsat-c2l2-sr files: s3:\S+: first bytes in 0 ms, with a key or token$/,
  );
});

test('a token service that returns no token is explained', async () => {
  const endpoint = `${fake.origin}${TOKEN_PATH}`;
  const url = 'https://account.blob.example/container/B04.tif';
  const sources: NetworkSources = {
    ...fake.network,
    hosts: ['account.blob.example'],
    tokens: [{ hosts: ['account.blob.example'], endpoint: `${endpoint}-not-there` }],
  };
  const change = (page: Record<string, unknown>) => ({
    ...page,
    features: [{ type: 'Feature', id: 'one', assets: { B04: { href: url, type: 'image/tiff' } } }],
  });
  fake.catalogFault = ({ kind }) => (kind === 'search' ? { change } : null);
  const ports = [443, fake.port];
  const line = (await examine({ ...sentinel2, sources: { ...sources, ports } }))[2] ?? '';
  assert.match(
    line,
    /^!! sentinel-2-l2a files: The token service gives no token: http:\S+-not-there answers with status 404\.$/,
  );
});
