/** Checks of the store of results against a real S3 service: what the contract says, and what only a real one can tell. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpstream } from '../../../src/net/upstream.ts';
import { makeS3Bucket } from '../../../src/objects/bucket/s3-bucket.ts';
import { openBlobs } from '../../../src/objects/open-objects.ts';
import type { NetworkSources } from '../../../src/sources/network-sources.ts';
import { makeS3Doors } from '../../../src/sources/network-sources.ts';

/** Swift takes no smaller parts but the last, like Amazon. */
const PART_BYTES = 5 * 2 ** 20;
const meta = { contentType: 'image/tiff' };

/** A named check. */
type Check = readonly [name: string, check: () => Promise<void>];

/** The checks, on a bucket of that service. */
export function toBlobChecks(bucket: string, network: NetworkSources): readonly Check[] {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-oracle-blobs-'));
  const blobs = openBlobs({ dataDir, bucketHref: `s3://${bucket}/results`, network, partBytes: PART_BYTES });
  const publish = async (key: string, bytes: Uint8Array, signal?: AbortSignal) => {
    const staged = await blobs.stage(key);
    await writeFile(staged.path, bytes);
    return staged.publish(meta, signal).finally(() => staged.discard());
  };
  const readAll = async (key: string, range: { start: number; end: number } | null = null) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await blobs.read(key, range)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const large = randomBytes(3 * PART_BYTES + 12_345);

  return [
    [
      'results: small, empty and in parts are stored, described, listed, read and removed',
      async () => {
        for (const [key, bytes] of [
          ['small.1', Buffer.from('abc')],
          ['empty.1', Buffer.alloc(0)],
          ['large.1', large],
        ] as const) {
          const info = await publish(key, bytes);
          assert.equal(info.bytes, bytes.length);
          assert.deepEqual(await blobs.stat(key), info);
          assert.ok((await readAll(key)).equals(bytes), key);
        }
        const range = { start: PART_BYTES - 10, end: PART_BYTES + 10 };
        assert.ok((await readAll('large.1', range)).equals(large.subarray(range.start, range.end)));
        const listed = new Map<string, number>();
        for await (const { key, bytes } of blobs.list()) listed.set(key, bytes);
        assert.deepEqual(
          [...listed].sort(),
          [
            ['empty.1', 0],
            ['large.1', large.length],
            ['small.1', 3],
          ].sort(),
        );
        for (const key of listed.keys()) await blobs.remove(key);
        await blobs.remove('small.1');
        assert.equal(await blobs.stat('large.1'), null);
        await assert.rejects(blobs.read('large.1', { start: 0, end: 1 }), { code: 'result-gone' });
      },
    ],
    [
      'results: a link works without headers, takes ranges, and names the file',
      async () => {
        await publish('link.1', Buffer.from('abcdef'));
        const contentDisposition = `attachment; filename="a.tif"; filename*=UTF-8''%C3%A9%20a.tif`;
        const link =
          blobs.toLink('link.1', { expiresS: 60, contentType: 'image/tiff', contentDisposition }) ?? '';
        const answer = await fetch(link, { headers: { range: 'bytes=1-2' } });
        assert.deepEqual([answer.status, await answer.text()], [206, 'bc']);
        assert.equal(answer.headers.get('content-disposition'), contentDisposition);
        assert.equal((await fetch(link.replace('link.1', 'link.2'))).status, 403);
        await blobs.remove('link.1');
      },
    ],
    [
      'results: an aborted upload leaves nothing, and a sweep removes those of dead processes',
      async () => {
        const stopping = new AbortController();
        const publishing = publish('aborted.1', large, stopping.signal);
        setTimeout(() => stopping.abort(), 30);
        await publishing.catch(() => {});
        await blobs.remove('aborted.1');
        // What an answer that was on its way has begun is aborted in the background.
        await blobs.sweep({ olderThanMs: 0 });
        const { store, fetch: door } = makeS3Doors({ dataDir }, network)(bucket);
        const raw = makeS3Bucket({ name: bucket, store, fetch: door, upstream: makeUpstream() });
        const start = { method: 'POST', query: [['uploads', '']], maxBytes: 10_000 } as const;
        await raw.ask({ ...start, key: 'results/dead.1' });
        await raw.ask({ ...start, key: 'results/deeper/other.1' });
        assert.equal((await blobs.sweep({ olderThanMs: 60_000 })).uploads, 0, 'they are young');
        assert.equal((await blobs.sweep({ olderThanMs: 0 })).uploads, 1, 'the one of ours');
        assert.equal((await blobs.sweep({ olderThanMs: 0 })).uploads, 0);
        rmSync(dataDir, { recursive: true });
      },
    ],
  ];
}
