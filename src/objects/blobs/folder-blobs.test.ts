import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolderBlobs } from './make-blobs.ts';
import { blobStoreContract, listAll, publishBytes, readBytes } from './testing/blob-store-contract.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-blobs-'));
after(() => rmSync(scratch, { recursive: true }));
let count = 0;
const nextFolder = (): string => join(scratch, String(count++), 'results');

blobStoreContract('blobs in a folder', async () => {
  const folder = nextFolder();
  return { blobs: makeFolderBlobs({ folder }), elsewhere: makeFolderBlobs({ folder }) };
});

/** Every file and folder below one, with its rights. */
const listRights = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)] as const);

test('only the owner can read what is stored, if the process makes its files so', async (t) => {
  const before = process.umask(0o077);
  t.after(() => process.umask(before));
  const folder = nextFolder();
  await publishBytes(makeFolderBlobs({ folder }), 'k.1', Buffer.from('x'));
  const rights = listRights(folder);
  assert.deepEqual(
    rights.map(([, mode]) => mode),
    ['700', '700', '600', '700'],
    JSON.stringify(rights),
  );
  assert.match(rights[2]?.[0] ?? '', /^[0-9a-f]\/[0-9a-f]\/k\.1$/);
});

test('files that are not ours are neither listed nor touched', async () => {
  const folder = nextFolder();
  const blobs = makeFolderBlobs({ folder });
  await publishBytes(blobs, 'k.1', Buffer.from('x'));
  const [, , [ours = ''] = []] = listRights(folder);
  await writeFile(join(folder, dirname(ours), 'k.2'), 'in the wrong folder');
  await writeFile(join(folder, 'notes.txt'), 'a note');
  assert.deepEqual(
    (await listAll(blobs)).map(({ key }) => key),
    ['k.1'],
  );
  await blobs.sweep({ olderThanMs: 0 });
  assert.equal(statSync(join(folder, 'notes.txt')).size, 6);
});

test('a folder that somebody removes while the service runs is made again', async () => {
  const folder = nextFolder();
  const blobs = makeFolderBlobs({ folder });
  await publishBytes(blobs, 'k.1', Buffer.from('x'));
  const staged = await blobs.stage('k.1');
  await writeFile(staged.path, 'again');
  for (const name of readdirSync(folder))
    if (name !== 'staging') await rm(join(folder, name), { recursive: true });
  assert.equal((await staged.publish({ contentType: 'text/plain' })).bytes, 5);
  assert.equal((await readBytes(blobs, 'k.1')).toString(), 'again');
});

test('a file that is cut under its reader fails, and does not end early', async () => {
  const folder = nextFolder();
  const blobs = makeFolderBlobs({ folder });
  await publishBytes(blobs, 'k.1', Buffer.alloc(1_000_000));
  const stream = await blobs.read('k.1', null);
  const [, , [ours = ''] = []] = listRights(folder);
  await truncate(join(folder, ours), 300_000);
  const read = async () => {
    for await (const _ of stream);
  };
  await assert.rejects(read, { code: 'result-cut' });
});
