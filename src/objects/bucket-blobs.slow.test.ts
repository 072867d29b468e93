import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SwathError } from '../errors.ts';
import type { NetworkSources } from '../sources/network-sources.ts';
import type { FakeCall, FakeS3, Fault } from '../sources/testing/fake-s3.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { letTurnsPass } from '../testing/let-turns-pass.ts';
import { waitFor } from '../testing/wait-for.ts';
import { openBlobs } from './open-objects.ts';
import { blobStoreContract, listAll, publishBytes, readBytes } from './testing/blob-store-contract.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-bucket-'));
let fake: FakeS3;
before(async () => {
  fake = await startFakeS3();
});
after(() => {
  fake.stop();
  rmSync(scratch, { recursive: true });
});
beforeEach(() => fake.reset());

/** Small, so that a test of a megabyte has many. */
const PART_BYTES = 100_000;
const meta = { contentType: 'image/tiff' };
const BYTES = randomBytes(12 * PART_BYTES + 1);

interface BucketOptions {
  readonly href?: string;
  readonly network?: NetworkSources;
  readonly dataDir?: string;
}

function openBucket(options: BucketOptions = {}) {
  const { href = `s3://${FAKE_BUCKET}/swath`, dataDir = mkdtempSync(join(scratch, 'data-')) } = options;
  const network: NetworkSources = { ...fake.network, ...options.network };
  return openBlobs({ dataDir, bucketHref: href, network, partBytes: PART_BYTES });
}

blobStoreContract('blobs in a bucket', async () => {
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  return { blobs: openBucket({ dataDir }), elsewhere: openBucket({ dataDir }) };
});

/** How often an operation was asked for. */
const count = (operation: FakeCall['operation']): number =>
  fake.calls.filter((call) => call.operation === operation).length;

/** Fails the first calls that match, one fault after the other. */
function failFirst(isMeant: (call: FakeCall) => boolean, faults: readonly Fault[]): void {
  const left = [...faults];
  fake.fault = (call) => (isMeant(call) ? (left.shift() ?? null) : null);
}
const isOperation =
  (operation: FakeCall['operation']) =>
  (call: FakeCall): boolean =>
    call.operation === operation;

test('small files are sent in one request, others in parts, under the prefix and with their type', async () => {
  const blobs = openBucket();
  await publishBytes(blobs, 'small.1', BYTES.subarray(0, PART_BYTES));
  assert.deepEqual([count('put'), count('start-upload')], [1, 0]);
  await publishBytes(blobs, 'large.1', BYTES);
  assert.deepEqual(
    [count('put'), count('start-upload'), count('put-part'), count('complete-upload')],
    [1, 1, 13, 1],
  );
  assert.deepEqual([...fake.objects.keys()], ['swath/small.1', 'swath/large.1']);
  assert.ok([...fake.objects.values()].every(({ contentType }) => contentType === 'image/tiff'));
  assert.ok(fake.objects.get('swath/large.1')?.bytes.equals(BYTES));
  assert.equal(fake.uploads.size, 0);
});

test('all uploads together have at most four parts in flight', async () => {
  const blobs = openBucket();
  let [waiting, most] = [0, 0];
  const held = new Set<() => void>();
  fake.pause = ({ operation }) => {
    if (operation !== 'put-part') return Promise.resolve();
    waiting += 1;
    most = Math.max(most, waiting);
    return new Promise<void>((resolve) => held.add(resolve)).finally(() => {
      waiting -= 1;
    });
  };
  const published = Promise.all(Array.from({ length: 3 }, (_, i) => publishBytes(blobs, `k.${i}`, BYTES)));
  const isDone = published.then(() => true);
  while (!(await Promise.race([isDone, letTurnsPass().then(() => false)]))) {
    for (const answer of held) answer();
    held.clear();
  }
  assert.equal(count('put-part'), 39);
  assert.equal(most, 4);
});

test('without a prefix keys are used alone, and foreign objects are not listed', async () => {
  const blobs = openBucket({ href: `s3://${FAKE_BUCKET}` });
  await publishBytes(blobs, 'k.1', Buffer.from('x'));
  await publishBytes(openBucket({ href: `s3://${FAKE_BUCKET}/deep/er/` }), 'd.1', Buffer.from('y'));
  assert.deepEqual([...fake.objects.keys()], ['k.1', 'deep/er/d.1']);
  assert.deepEqual(
    (await listAll(blobs)).map(({ key }) => key),
    ['k.1'],
  );
});

const passing: readonly (readonly [string, Fault])[] = [
  ['a busy store', { status: 503, code: 'SlowDown' }],
  ['a failing store', { status: 500 }],
  ['a body damaged on its way', { status: 400, code: 'BadDigest' }],
  ['a connection that breaks before', { cut: 'before' }],
  ['a connection that breaks afterwards', { cut: 'after' }],
];
for (const [name, fault] of passing) {
  for (const operation of ['put', 'start-upload', 'put-part', 'complete-upload', 'head', 'get'] as const) {
    if (fault !== passing[2]?.[1] || operation.startsWith('put')) {
      test(`${name} at ${operation} is retried, and the file arrives complete`, async () => {
        const blobs = openBucket();
        failFirst(isOperation(operation), [fault, fault]);
        const bytes = operation === 'put' ? Buffer.from('small') : BYTES;
        const info = await publishBytes(blobs, 'k.1', bytes);
        assert.equal(info.bytes, bytes.length);
        assert.ok((await readBytes(blobs, 'k.1')).equals(bytes));
        // An upload that was started twice, because the first answer was lost, is left to the sweep.
        const left = 'cut' in fault && fault.cut === 'after' && operation === 'start-upload' ? 2 : 0;
        assert.equal(fake.uploads.size, left);
      });
    }
  }
}

test('an error in an answer that started with 200 is treated as an error', async () => {
  const blobs = openBucket();
  failFirst(isOperation('complete-upload'), [
    { status: 200, code: 'InternalError' },
    { status: 200, code: 'EntityTooSmall' },
  ]);
  const staged = await blobs.stage('k.1');
  await writeFile(staged.path, BYTES);
  await assert.rejects(staged.publish(meta), { tag: 'unavailable', code: 'results-unavailable' });
  assert.equal(count('complete-upload'), 2, 'the first may pass, the second does not');
  assert.deepEqual([fake.objects.size, fake.uploads.size], [0, 0]);
  await staged.discard();
});

const refusals: readonly (readonly [string, FakeCall['operation'], Fault, Partial<SwathError>])[] = [
  ['a full store', 'put-part', { status: 507 }, { tag: 'too-large', code: 'no-space' }],
  ['a quota', 'put-part', { status: 403, code: 'QuotaExceeded' }, { tag: 'too-large', code: 'no-space' }],
  [
    'a refusal',
    'put-part',
    { status: 403, code: 'AccessDenied' },
    { tag: 'unavailable', code: 'results-unavailable' },
  ],
  ['a refusal to start', 'start-upload', { status: 403, code: 'AccessDenied' }, { tag: 'unavailable' }],
  [
    'an upload that is gone',
    'complete-upload',
    { status: 404, code: 'NoSuchUpload' },
    { tag: 'unavailable' },
  ],
  [
    'other bytes in a part',
    'put-part',
    { etag: '"0123456789abcdef0123456789abcdef"' },
    { tag: 'unavailable' },
  ],
];
for (const [name, operation, fault, error] of refusals) {
  test(`${name} ends the upload, which leaves nothing on the bucket; the file can be published again`, async () => {
    const blobs = openBucket();
    let isFirst = true;
    fake.fault = (call) => {
      if (call.operation !== operation || (call.part ?? 5) !== 5 || !isFirst) return null;
      isFirst = false;
      return fault;
    };
    const staged = await blobs.stage('k.1');
    await writeFile(staged.path, BYTES);
    await assert.rejects(staged.publish(meta), error);
    assert.deepEqual([fake.objects.size, fake.uploads.size], [0, 0]);
    assert.equal(await blobs.stat('k.1'), null);
    assert.ok(existsSync(staged.path));
    assert.equal((await staged.publish(meta)).bytes, BYTES.length);
    assert.ok((await readBytes(blobs, 'k.1')).equals(BYTES));
  });
}

test('a small file that arrived with other bytes is not kept under its name', async () => {
  const blobs = openBucket();
  failFirst(isOperation('put'), [{ etag: '"0123456789abcdef0123456789abcdef"' }]);
  await assert.rejects(publishBytes(blobs, 'k.1', Buffer.from('abc')), { tag: 'unavailable' });
  assert.equal(fake.objects.size, 0);
});

test('ETags that are not MD5 sums are accepted', async () => {
  const blobs = openBucket();
  failFirst(isOperation('put'), [{ etag: '"an-etag-of-another-kind"' }]);
  assert.equal((await publishBytes(blobs, 'k.1', Buffer.from('abc'))).bytes, 3);
});

test('an aborted upload ends at once, and its parts are removed', async () => {
  const blobs = openBucket();
  const stopping = new AbortController();
  fake.fault = ({ operation, part }) => {
    if (operation !== 'put-part' || part !== 6) return null;
    stopping.abort();
    return { hangs: true };
  };
  const staged = await blobs.stage('k.1');
  await writeFile(staged.path, BYTES);
  await assert.rejects(staged.publish(meta, stopping.signal), { tag: 'cancelled' });
  assert.ok(count('put-part') < 13);
  assert.deepEqual([fake.objects.size, fake.uploads.size, count('abort-upload')], [0, 0, 1]);
  await staged.discard();
});

test('an upload that is aborted while it starts ends at once, and its beginning is removed', async () => {
  const blobs = openBucket();
  const stopping = new AbortController();
  const { promise: held, resolve } = Promise.withResolvers<void>();
  fake.pause = ({ operation }) => {
    if (operation !== 'start-upload') return Promise.resolve();
    stopping.abort();
    return held;
  };
  const staged = await blobs.stage('k.1');
  await writeFile(staged.path, BYTES);
  await assert.rejects(staged.publish(meta, stopping.signal), { tag: 'cancelled' });
  resolve();
  await waitFor(() => count('abort-upload') === 1 && fake.uploads.size === 0);
  await staged.discard();
});

test('an attempt that hangs is abandoned and retried', async () => {
  const blobs = openBucket({ network: { timeouts: { headersMs: 1_000 } } });
  failFirst(isOperation('put-part'), [{ hangs: true }]);
  assert.equal((await publishBytes(blobs, 'k.1', BYTES)).bytes, BYTES.length);
  assert.equal(count('put-part'), 14);
});

test('if a store cannot be reached every operation is unavailable, and nothing is lost', async () => {
  const gone = await startFakeS3();
  gone.stop();
  const blobs = openBucket({ network: { ...gone.network, limits: { retries: 1, backoffMs: 1 } } });
  const isAway = { tag: 'unavailable', code: 'results-unavailable' };
  const staged = await blobs.stage('k.1');
  await writeFile(staged.path, BYTES);
  await assert.rejects(staged.publish(meta), isAway);
  assert.ok(existsSync(staged.path));
  await assert.rejects(blobs.stat('k.1'), isAway);
  await assert.rejects(blobs.read('k.1', { start: 0, end: 1 }), isAway);
  await assert.rejects(blobs.remove('k.1'), isAway);
  await assert.rejects(listAll(blobs), isAway);
  await assert.rejects(blobs.sweep({ olderThanMs: 60_000 }), isAway);
  await staged.discard();
});

test('uploads of dead processes are aborted if they got no part for some time, by the clock of the store', async () => {
  fake.aheadMs = -3_600_000;
  const blobs = openBucket();
  const old = Date.now() - 3_600_000 - 600_000;
  const add = (id: string, key: string, partsAgoS: readonly number[], startedAtMs = old): void => {
    const parts = new Map(
      partsAgoS.map((agoS, i) => {
        const storedAtMs = Date.now() + fake.aheadMs - 1000 * agoS;
        return [i + 1, { bytes: Buffer.alloc(1), etag: '', storedAtMs }] as const;
      }),
    );
    fake.uploads.set(id, { key, contentType: '', startedAtMs, parts });
  };
  add('dead', 'swath/a.1', [590, 580, 400, 500, 450]);
  add('empty', 'swath/b.1', []);
  add('alive', 'swath/c.1', [590, 580, 10, 500, 450]);
  add('new', 'swath/d.1', [], Date.now() + fake.aheadMs - 1000);
  add('other', 'elsewhere/e.1', []);
  add('deeper', 'swath/deeper/f.1', []);
  assert.deepEqual(await blobs.sweep({ olderThanMs: 300_000 }), { staged: 0, uploads: 2 });
  assert.deepEqual([...fake.uploads.keys()], ['alive', 'new', 'other', 'deeper']);
  assert.deepEqual(await blobs.sweep({ olderThanMs: 0 }), { staged: 0, uploads: 2 });
  assert.deepEqual([...fake.uploads.keys()], ['other', 'deeper']);
});

test('a process killed during an upload leaves no object, and a sweep removes the rest', async () => {
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  const options = {
    dataDir,
    bucketHref: `s3://${FAKE_BUCKET}/swath`,
    network: fake.network,
    partBytes: PART_BYTES,
  };
  const script = fileURLToPath(new URL('testing/upload-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(options), String(5 * PART_BYTES)]);
  const ended = once(child, 'exit');
  fake.fault = ({ operation, part }) => {
    if (operation !== 'put-part' || part !== 3) return null;
    child.kill('SIGKILL');
    return { hangs: true };
  };
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.deepEqual([fake.objects.size, fake.uploads.size], [0, 1]);
  const blobs = openBucket({ dataDir });
  assert.deepEqual(await listAll(blobs), []);
  assert.deepEqual(await blobs.sweep({ olderThanMs: 60_000 }), { staged: 0, uploads: 0 });
  assert.deepEqual(await blobs.sweep({ olderThanMs: 0 }), { staged: 1, uploads: 1 });
  assert.equal(fake.uploads.size, 0);
});

test('a truncated answer is continued from where it broke off, and a replaced object is noticed', async () => {
  const blobs = openBucket();
  const bytes = randomBytes(3_000_000);
  await publishBytes(blobs, 'k.1', bytes);
  failFirst(isOperation('get'), [{ sendOnly: 1000 }, { cut: 'before' }]);
  assert.ok((await readBytes(blobs, 'k.1')).equals(bytes));
  const stream = await blobs.read('k.1', null);
  const reader = stream.getReader();
  await reader.read();
  await publishBytes(blobs, 'k.1', randomBytes(3_000_000));
  await assert.rejects(
    async () => {
      while (!(await reader.read()).done);
    },
    { tag: 'unavailable' },
  );
});

test('a link to an object works without headers until it expires, with the requested name and type', async () => {
  const blobs = openBucket();
  await publishBytes(blobs, 'k.1', Buffer.from('abc'));
  const contentDisposition = `attachment; filename="a b.tif"; filename*=UTF-8''%C3%A9.tif`;
  const link = { contentType: 'image/tiff; x=1', contentDisposition };
  const answer = await fetch(blobs.toLink('k.1', { ...link, expiresS: 60 }) ?? '');
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), 'abc');
  assert.equal(answer.headers.get('content-disposition'), contentDisposition);
  assert.equal(answer.headers.get('content-type'), 'image/tiff; x=1');
  const part = await fetch(blobs.toLink('k.1', { ...link, expiresS: 60 }) ?? '', {
    headers: { range: 'bytes=1-1' },
  });
  assert.deepEqual([part.status, await part.text()], [206, 'b']);
  const forged = (blobs.toLink('k.1', { ...link, expiresS: 60 }) ?? '').replace('k.1', 'k.2');
  assert.equal((await fetch(forged)).status, 403);
});

test('a bucket that is not configured, or without credentials, is refused at once', () => {
  const refused = { code: 'address-not-allowed' };
  assert.throws(() => openBucket({ href: 's3://other/x' }), refused);
  assert.throws(() => openBucket({ href: 'https://results/x' }), refused);
  const [store] = fake.network.s3 ?? [];
  assert.ok(store !== undefined);
  const { credentials: _, ...anonymous } = store;
  assert.throws(() => openBucket({ network: { s3: [anonymous] } }), refused);
});

test('no error shows an address or a key', async () => {
  const [store] = fake.network.s3 ?? [];
  assert.ok(store !== undefined);
  const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'another-secret' };
  const blobs = openBucket({ network: { s3: [{ ...store, credentials }] } });
  const error = await blobs.stat('k.1').catch((thrown: SwathError) => thrown);
  const { tag, message, stack, cause } = error as SwathError;
  assert.equal(tag, 'unavailable');
  for (const secret of ['TESTACCESSKEY', 'another-secret', '127.0.0.1']) {
    assert.ok(!`${message} ${stack} ${cause} ${JSON.stringify(error)}`.includes(secret));
  }
});
