/**
 * Reads and writes objects of a real S3 service that verifies signatures, OpenStack Swift with s3api:
 * `npm run node -- test/oracle/s3/check-s3.ts`. Needs Debian's swift-proxy, swift-account, swift-container and swift-object
 * (installed; nothing of them has to run), says so when they are missing, and then fails.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { toS3Url } from '../../../src/net/s3.ts';
import { signS3Request } from '../../../src/net/sigv4.ts';
import type { S3Buckets } from '../../../src/sources/network-sources.ts';
import { makeOpenSource } from '../../../src/sources/open-source.ts';
import { toBlobChecks } from './blob-checks.ts';
import { ACCESS_KEY_ID, hasSwift, SECRET_ACCESS_KEY, STORAGE_DOMAIN, startSwift } from './start-swift.ts';

const REGION = 'eu-central-1';
const BUCKET = 'scenes';
const credentials = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY };
const bytes = randomBytes(300_000);

if (!hasSwift()) {
  console.error(
    'OpenStack Swift is missing: apt-get install swift-proxy swift-account swift-container swift-object',
  );
  process.exit(1);
}
await using swift = await startSwift();

/** Puts a bucket or an object, which also tries our signer with a body. */
async function put(key: string, body: Uint8Array | null): Promise<void> {
  const store = { region: REGION, endpoint: `http://127.0.0.1:${swift.port}`, pathStyle: true };
  const url = key === '' ? new URL(`${store.endpoint}/${BUCKET}`) : toS3Url({ bucket: BUCKET, key }, store);
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const signed = signS3Request({
    method: 'PUT',
    url,
    headers: {},
    region: REGION,
    credentials,
    date: new Date(),
    bodyHash,
  });
  const answer = await fetch(url, { method: 'PUT', headers: signed, body: body && Buffer.from(body) });
  assert.equal(answer.status, 200, `PUT ${key}: ${await answer.text()}`);
}

const makeOpen = (more: Partial<S3Buckets> & { readonly anonymous?: boolean } = {}) => {
  const { anonymous, ...store } = more;
  return makeOpenSource({
    dataDir: '.',
    network: {
      privateNetworks: ['127.0.0.0/8'],
      s3: [
        {
          buckets: [BUCKET],
          region: REGION,
          endpoint: `http://${STORAGE_DOMAIN}:${swift.port}`,
          ...(anonymous ? {} : { credentials }),
          ...store,
        },
      ],
    },
    resolveName: async () => [{ address: '127.0.0.1', family: 4 }],
  });
};

const checks: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'ranges, bucket in the host name and in the path',
    async () => {
      await put('a/b.tif', bytes);
      for (const pathStyle of [false, true]) {
        const source = await makeOpen({ pathStyle })(`s3://${BUCKET}/a/b.tif`);
        assert.equal(source.size, bytes.length);
        for (const [offset, length] of [
          [0, 16],
          [65_530, 20],
          [200_000, 65_536],
          [bytes.length - 1, 1],
        ] as const) {
          const part = await source.read(offset, length);
          assert.deepEqual(part, new Uint8Array(bytes.subarray(offset, offset + length)));
        }
      }
    },
  ],
  [
    'keys with every kind of character',
    async () => {
      for (const key of [
        'a b.tif',
        'a+b=c&d.tif',
        "it's (1) *!.tif",
        'é/日本/🛰.tif',
        'a%2Fb%.tif',
        '~x_-.',
        'q?x#y',
      ]) {
        await put(key, bytes.subarray(0, 100));
        const source = await makeOpen()(`s3://${BUCKET}/${key}`);
        assert.deepEqual(await source.read(0, 100), new Uint8Array(bytes.subarray(0, 100)), key);
      }
    },
  ],
  [
    'wrong secret, unknown key, wrong region, no signature, no object: refused',
    async () => {
      const href = `s3://${BUCKET}/a/b.tif`;
      // 403 may mean either, and a wrong region is a 400.
      const refused = { tag: 'source-broken', code: /^source-(gone|refused)$/ };
      for (const wrong of [
        { credentials: { ...credentials, secretAccessKey: 'wrong' } },
        { credentials: { ...credentials, accessKeyId: 'test:nobody' } },
        { region: 'us-west-2' },
        { anonymous: true },
      ]) {
        await assert.rejects(makeOpen(wrong)(href), refused, JSON.stringify(wrong));
      }
      await assert.rejects(makeOpen()(`s3://${BUCKET}/absent.tif`), refused);
    },
  ],
  [
    'an object replaced under the reader is noticed, and opens anew',
    async () => {
      const href = `s3://${BUCKET}/changing.tif`;
      await put('changing.tif', bytes);
      const source = await makeOpen()(href);
      const other = new Uint8Array(bytes).reverse();
      await put('changing.tif', other);
      await assert.rejects(source.read(200_000, 100), { code: 'source-changed' });
      const fresh = await makeOpen()(href);
      assert.notEqual(fresh.version, source.version);
      assert.deepEqual(await fresh.read(200_000, 100), other.slice(200_000, 200_100));
    },
  ],
];

await put('', null);
const endpoint = `http://127.0.0.1:${swift.port}`;
const blobChecks = toBlobChecks(BUCKET, {
  privateNetworks: ['127.0.0.0/8'],
  s3: [{ buckets: [BUCKET], region: REGION, endpoint, pathStyle: true, credentials }],
});
for (const [name, check] of [...checks, ...blobChecks]) {
  await check();
  console.log(`agrees: ${name}`);
}
