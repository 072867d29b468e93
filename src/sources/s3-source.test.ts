import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { SwathError } from '../errors.ts';
import type { S3Buckets } from './network-sources.ts';
import { makeOpenSource } from './open-source.ts';
import { isSignedRightly } from './testing/signed-rightly.ts';

const ACCESS = 'TESTACCESSKEY';
const SECRET = 'very/secret+key=';
const TOKEN = 'session-token==';
const credentials = { accessKeyId: ACCESS, secretAccessKey: SECRET };
const BYTES = new Uint8Array(200_000).map((_, i) => (i * 13) % 251);

interface SeenRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}
const seen: SeenRequest[] = [];
let port = 0;

/** A bucket store that checks the signature of every raw request, except for public objects. */
const server = createServer((request, response) => {
  seen.push({ host: request.headers.host ?? '', path: request.url ?? '', headers: request.headers });
  const isPublic = request.url?.includes('public') === true;
  if (!isPublic && !isSignedRightly(request, credentials)) {
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Code>SignatureDoesNotMatch</Code>');
    return;
  }
  if (request.url?.includes('payer') === true && request.headers['x-amz-request-payer'] !== 'requester') {
    response.writeHead(403).end('<Code>AccessDenied</Code>');
    return;
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(first), Math.min(Number(last) + 1, BYTES.length)];
  const headers = { etag: '"etag"', 'content-range': `bytes ${start}-${end - 1}/${BYTES.length}` };
  response.writeHead(206, headers).end(BYTES.subarray(start, end));
});

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const makeOpen = (store: Partial<S3Buckets> = {}) =>
  makeOpenSource({
    dataDir: '/nowhere',
    network: {
      privateNetworks: ['127.0.0.0/8'],
      s3: [
        {
          buckets: ['scenes', 'my.scenes'],
          region: 'eu-central-1',
          endpoint: `http://store.example:${port}`,
          credentials,
          ...store,
        },
      ],
    },
    resolveName: async () => [{ address: '127.0.0.1', family: 4 }],
  });

async function readsRight(href: string, store: Partial<S3Buckets> = {}): Promise<SeenRequest> {
  const source = await makeOpen(store)(href);
  assert.equal(source.size, BYTES.length);
  assert.deepEqual(await source.read(0, 100), BYTES.slice(0, 100));
  assert.deepEqual(await source.read(150_000, 1_000), BYTES.slice(150_000, 151_000));
  return seen.at(-1) as SeenRequest;
}

test('signed range requests are accepted with the bucket in the host name, in the path, and with a dot', async () => {
  const inHost = await readsRight('s3://scenes/a/b.tif');
  assert.deepEqual([inHost.host, inHost.path], [`scenes.store.example:${port}`, '/a/b.tif']);
  const inPath = await readsRight('s3://scenes/a/b.tif', { pathStyle: true });
  assert.deepEqual([inPath.host, inPath.path], [`store.example:${port}`, '/scenes/a/b.tif']);
  assert.equal((await readsRight('s3://my.scenes/k')).path, '/my.scenes/k');
});

test('keys with every kind of character are signed as they are sent', async () => {
  for (const key of [
    'a b.tif',
    'a+b=c&d.tif',
    "it's (1) *!.tif",
    'é/日本/🛰.tif',
    'a%2Fb%.tif',
    '~x_-.',
    'q?x#y',
    'a//b',
  ]) {
    await readsRight(`s3://scenes/${key}`);
    await readsRight(`s3://scenes/${key}`, { pathStyle: true });
  }
});

test('later reads demand the same ETag in a signed header', async () => {
  const { headers } = await readsRight('s3://scenes/a.tif');
  assert.equal(headers['if-match'], '"etag"');
  assert.match(String(headers.authorization), /SignedHeaders=host;if-match;range;/);
});

test('the session token and the requester-pays header are sent and signed', async () => {
  const { headers } = await readsRight('s3://scenes/payer.tif', {
    credentials: { ...credentials, sessionToken: TOKEN },
    requesterPays: true,
  });
  assert.equal(headers['x-amz-security-token'], TOKEN);
  assert.match(String(headers.authorization), /x-amz-request-payer;x-amz-security-token,/);
  await assert.rejects(makeOpen()('s3://scenes/payer.tif'), { code: 'source-gone' });
});

test('without credentials requests are not signed, which only public objects allow', async () => {
  const anonymous: S3Buckets = {
    buckets: ['scenes'],
    region: 'eu-central-1',
    endpoint: `http://store.example:${port}`,
  };
  const open = makeOpenSource({
    dataDir: '/nowhere',
    network: { privateNetworks: ['127.0.0.0/8'], s3: [anonymous] },
    resolveName: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  assert.equal((await open('s3://scenes/public.tif')).size, BYTES.length);
  assert.equal(seen.at(-1)?.headers.authorization, undefined);
  await assert.rejects(open('s3://scenes/private.tif'), { code: 'source-gone' });
});

test('the store refuses wrong keys, and no error shows a key', async () => {
  for (const wrong of [
    { accessKeyId: ACCESS, secretAccessKey: 'wrong-secret' },
    { accessKeyId: 'UNKNOWNKEY', secretAccessKey: SECRET },
  ]) {
    const error = await makeOpen({ credentials: wrong })('s3://scenes/a.tif').catch(
      (thrown: SwathError) => thrown,
    );
    assert.equal((error as SwathError).code, 'source-gone');
    const shown = `${error} ${JSON.stringify(error)} ${(error as SwathError).stack} ${(error as SwathError).cause}`;
    for (const secret of [wrong.secretAccessKey, wrong.accessKeyId]) assert.ok(!shown.includes(secret));
  }
});

test('an id does not contain a key, and no request is sent for a bucket that is not configured', async () => {
  const source = await makeOpen()('s3://scenes/a.tif');
  assert.equal(source.id, `http://scenes.store.example:${port}/a.tif`);
  seen.length = 0;
  for (const href of [
    's3://other/a.tif',
    's3://scenes.evil/a.tif',
    's3://scenes/../other/a.tif',
    's3://scenes',
  ]) {
    await assert.rejects(makeOpen()(href), { tag: 'source-broken', code: 'bad-href' }, href);
  }
  assert.equal(seen.length, 0);
});

test('an internal endpoint is called only if its network is allowed', async () => {
  seen.length = 0;
  const store = { buckets: ['scenes'], region: 'x', endpoint: `http://127.0.0.1:${port}`, pathStyle: true };
  const open = makeOpenSource({ dataDir: '/nowhere', network: { s3: [store] } });
  await assert.rejects(open('s3://scenes/public.tif'), { code: 'bad-href' });
  assert.equal(seen.length, 0);
});
