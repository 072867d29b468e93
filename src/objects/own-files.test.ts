import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeOpenSource } from '../sources/index.ts';
import type { FakeS3 } from '../sources/testing/fake-s3.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { openOwnFiles } from './own-files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-own-files-'));
let fake: FakeS3;
before(async () => {
  fake = await startFakeS3();
});
after(() => {
  fake.stop();
  rmSync(scratch, { recursive: true });
});

for (const place of ['the data directory', 'a bucket'] as const)
  test(`in ${place} a file exists once it is published, at an address that can be opened`, async () => {
    const isBucket = place === 'a bucket';
    const { network } = fake;
    const cubes = isBucket ? `s3://${FAKE_BUCKET}/own/` : null;
    const makeNode = () => {
      const dataDir = mkdtempSync(join(scratch, 'node-'));
      return { dataDir, files: openOwnFiles({ dataDir, cubes, sources: { network } }) };
    };
    const { dataDir, files } = makeNode();
    const key = 'converted/a/B04.tif';
    assert.equal(await files.has(key), false);
    const path = await files.prepare(key);
    writeFileSync(path, 'pixels');
    const href = await files.publish(key);
    assert.equal(files.toHref(key), href);
    assert.equal(href, isBucket ? `s3://${FAKE_BUCKET}/own/${key}` : key);
    assert.equal(existsSync(path), !isBucket, 'a file of a bucket is not stored twice');
    // Another node with the same settings, or this one.
    const reader = isBucket ? makeNode() : { dataDir, files };
    const source = await makeOpenSource({ dataDir: reader.dataDir, network })(href);
    assert.equal(Buffer.from(await source.read(0, 6)).toString(), 'pixels');
    await source.close();
    assert.deepEqual([await reader.files.has(key), await reader.files.list('converted/')], [true, [key]]);
    await reader.files.remove(key);
    assert.equal(await files.has(key), false);
    writeFileSync(await files.prepare(key), 'pixels');
    await files.publish(key);
    await files.removeBelow('converted/a/');
    assert.deepEqual(await reader.files.list('converted/'), []);
  });

test('a failing bucket is reported as unavailable, and the file is kept for a retry', async (t) => {
  const dataDir = mkdtempSync(join(scratch, 'node-'));
  const network = { ...fake.network, limits: { retries: 0, totalMs: 1_000 } };
  const files = openOwnFiles({ dataDir, cubes: `s3://${FAKE_BUCKET}/away`, sources: { network } });
  const path = await files.prepare('converted/b.tif');
  writeFileSync(path, 'pixels');
  fake.fault = () => ({ cut: 'before' });
  t.after(() => {
    fake.fault = () => null;
  });
  await assert.rejects(files.publish('converted/b.tif'), {
    code: 'own-files-unavailable',
    tag: 'unavailable',
  });
  assert.ok(existsSync(path));
});
