import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { HANG_MS } from '../testing/wait-for.ts';
import { escapeXml } from '../xml/index.ts';
import type { ListedObject } from './list-objects.ts';
import { makeListBucket } from './list-objects.ts';
import type { S3Buckets } from './network-sources.ts';
import { isSignedRightly } from './testing/signed-rightly.ts';

const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'very/secret+key=' };

/** Keys of the bucket, in listing order. */
const keys = ['a b+c.tif', 'dem/é&<1>.tif', 'dem/n1.tif', 'dem/n2.tif', 'dem/n3.tif', 'zz.txt'].sort();
const seen: { readonly host: string; readonly query: URLSearchParams; readonly signed: boolean }[] = [];
let port = 0;
/** Answers to the next requests instead of a page. */
let instead: { status: number; headers?: Record<string, string>; body?: string }[] = [];

/** A store with two keys per page that checks signatures. */
const server = createServer((request: IncomingMessage, response) => {
  const url = new URL(request.url ?? '/', 'http://store');
  const isSigned = request.headers.authorization !== undefined;
  seen.push({ host: request.headers.host ?? '', query: url.searchParams, signed: isSigned });
  const other = instead.shift();
  if (other !== undefined) {
    response.writeHead(other.status, other.headers).end(other.body);
    return;
  }
  if (isSigned && !isSignedRightly(request, credentials)) {
    response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    return;
  }
  const prefix = url.searchParams.get('prefix') ?? '';
  const all = keys.filter((key) => key.startsWith(prefix));
  const from = Number(url.searchParams.get('continuation-token')?.replace('t=/', '') ?? 0);
  response.end(toPage(all.slice(from, from + 2), from + 2 < all.length ? `t=/${from + 2}` : null));
});

function toPage(page: readonly string[], next: string | null): string {
  const encode = (key: string) => encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
  const contents = page.map(
    (key) =>
      `<Contents><Key>${escapeXml(encode(key))}</Key><LastModified>2026-06-21T10:00:00.000Z</LastModified><ETag>&quot;${key.length}x&quot;</ETag><Size>7</Size></Contents>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType>
    <IsTruncated>${next !== null}</IsTruncated>${next === null ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}
    ${contents.join('')}</ListBucketResult>`;
}

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const makeList = (store: Partial<S3Buckets> = {}) =>
  makeListBucket({
    dataDir: '/nowhere',
    network: {
      privateNetworks: ['127.0.0.0/8'],
      s3: [
        { buckets: ['heights'], region: 'eu-central-1', endpoint: `http://store.example:${port}`, ...store },
      ],
      limits: { backoffMs: 1, maxBackoffMs: 1 },
      timeouts: { connectMs: HANG_MS, headersMs: HANG_MS, idleMs: HANG_MS, totalMs: HANG_MS },
    },
    resolveName: async () => [{ address: '127.0.0.1', family: 4 }],
  });

async function collect(pages: AsyncIterable<readonly ListedObject[]>): Promise<readonly ListedObject[]> {
  const all: ListedObject[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

async function list(href: string, store: Partial<S3Buckets> = {}): Promise<readonly ListedObject[]> {
  seen.length = 0;
  return collect(makeList(store)(href));
}

test('all pages are read, with literal keys, sizes and states', async () => {
  const objects = await list('s3://heights');
  assert.deepEqual(
    objects.map(({ key }) => key),
    keys,
  );
  assert.equal(seen.length, 3);
  assert.equal(seen[0]?.host, `heights.store.example:${port}`);
  assert.deepEqual(
    [...(seen[1]?.query ?? [])],
    [
      ['continuation-token', 't=/2'],
      ['encoding-type', 'url'],
      ['list-type', '2'],
      ['max-keys', '1000'],
      ['prefix', ''],
    ],
  );
  const [first] = objects;
  assert.deepEqual(first, {
    href: `s3://heights/${keys[0]}`,
    key: keys[0],
    size: 7,
    version: '7-"9x"',
    etag: '9x',
    modifiedAtMs: Date.parse('2026-06-21T10:00:00Z'),
  });
});

test('a prefix is literal', async () => {
  const objects = await list('s3://heights/dem/n');
  assert.deepEqual(
    objects.map(({ key }) => key),
    ['dem/n1.tif', 'dem/n2.tif', 'dem/n3.tif'],
  );
});

test('requests are signed if there are credentials', async () => {
  await list('s3://heights/dem/é', { credentials });
  assert.ok(seen.every(({ signed }) => signed));
  await list('s3://heights/dem/', { credentials, pathStyle: true });
  assert.equal(seen.length, 2, 'the second page is signed too');
  await list('s3://heights/');
  assert.ok(seen.every(({ signed }) => !signed));
});

test('a temporary failure is retried; a refusal, another region and an invalid answer are reported', async () => {
  instead = [{ status: 503 }];
  assert.equal((await list('s3://heights/zz')).length, 1);
  instead = [{ status: 403 }];
  await assert.rejects(list('s3://heights'), { code: 'list-refused', message: /heights.*status 403/ });
  instead = [{ status: 301, headers: { 'x-amz-bucket-region': 'us-east-1' } }];
  await assert.rejects(list('s3://heights'), { code: 'other-region', message: /eu-central-1/ });
  for (const body of ['<html/>', 'nothing', toPage([], '').replace('<NextContinuationToken>', '<Other>')]) {
    instead = [{ status: 200, body }];
    await assert.rejects(list('s3://heights'), { tag: 'source-broken' }, body);
  }
});

test('no request is sent for a bucket that is not configured, or without a network', async () => {
  for (const href of ['s3://other', 's3://heights.evil/x', 's3://UP/x', 's3://']) {
    await assert.rejects(list(href), { code: 'address-not-allowed' }, href);
  }
  const alone = makeListBucket({ dataDir: '/nowhere' });
  await assert.rejects(collect(alone('s3://heights')), { code: 'address-not-allowed' });
  assert.equal(seen.length, 0);
});

test('an endless listing is refused', async () => {
  instead = Array.from({ length: 1_000 }, () => ({ status: 200, body: toPage([], 'again') }));
  await assert.rejects(list('s3://heights'), { tag: 'too-large', code: 'bucket-too-full' });
  instead = [];
});
