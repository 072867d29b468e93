import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTempFolder } from '../testing/temp-folder.ts';
import { obtainFolderId, readFolderId } from './folder-objects.ts';

test('concurrent creators of a folder id get the same one, and leave nothing else', async () => {
  const folder = makeTempFolder('swath-identity-');
  assert.equal(await readFolderId(folder), null);
  const ids = await Promise.all(Array.from({ length: 20 }, () => obtainFolderId(folder)));
  assert.deepEqual(new Set(ids), new Set([await readFolderId(folder)]));
  assert.match(ids[0] ?? '', /^[0-9a-f-]{36}$/);
  assert.deepEqual(await readdir(folder), ['.identity']);
});

test('a folder whose id cannot be created gives the reason', async () => {
  const folder = makeTempFolder('swath-identity-');
  await mkdir(join(folder, '.identity'));
  await mkdir(join(folder, '.identity', 'other'));
  await assert.rejects(obtainFolderId(folder), { code: 'ENOTEMPTY' });
  assert.deepEqual(await readdir(folder), ['.identity']);
});
