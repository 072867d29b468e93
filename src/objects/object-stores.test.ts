import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FakeS3 } from '../sources/testing/fake-s3.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { makeFolderObjects } from './folder-objects.ts';
import { openObjects } from './open-objects.ts';
import { objectStoreContract } from './testing/object-store-contract.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-objects-'));
let fake: FakeS3;
before(async () => {
  fake = await startFakeS3();
});
after(() => {
  fake.stop();
  rmSync(scratch, { recursive: true });
});

let stores = 0;

objectStoreContract('objects in a folder', async () => {
  const own = mkdtempSync(join(scratch, 'folder-'));
  const folder = join(own, 'objects');
  const openFolder = () => makeFolderObjects({ folder });
  return { objects: openFolder(), elsewhere: openFolder(), scratch: own };
});

objectStoreContract('objects in a bucket', async () => {
  stores += 1;
  const bucketHref = `s3://${FAKE_BUCKET}/store-${stores}`;
  const openBucket = () => openObjects({ bucketHref, network: fake.network, partBytes: 1_000_000 });
  return { objects: openBucket(), elsewhere: openBucket(), scratch: mkdtempSync(join(scratch, 'bucket-')) };
});

test('a key cannot leave its folder', async () => {
  const objects = makeFolderObjects({ folder: join(scratch, 'closed') });
  await assert.rejects(objects.stat('a/../../x'), { tag: 'internal', code: 'bad-object-key' });
});
