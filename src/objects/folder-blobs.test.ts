import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { isSwathError } from '../errors.ts';
import type { FolderFiles } from '../files/index.ts';
import { nodeFiles } from '../files/index.ts';
import { makeFolderBlobs } from './blob-store.ts';
import { blobStoreContract, listAll, publishBytes, readBytes } from './testing/blob-store-contract.ts';

const OLD = Buffer.from('old');
const NEW = Buffer.from('the new one');
const meta = { contentType: 'image/tiff' };

/** A disk whose n-th call fails; with `isDead` all later ones do too, as after the end of the process. */
function failingFiles(failAt: number, code: string, isDead: boolean) {
  const names: string[] = [];
  const wrap =
    <Arguments extends readonly unknown[], Result>(
      name: string,
      call: (...given: Arguments) => Promise<Result>,
    ) =>
    async (...given: Arguments): Promise<Result> => {
      names.push(name);
      const isFailing = names.length === failAt || (isDead && names.length > failAt);
      if (isFailing) throw Object.assign(new Error(code), { code });
      return call(...given);
    };
  const files: FolderFiles = {
    ...nodeFiles,
    makeFolder: wrap('makeFolder', nodeFiles.makeFolder),
    syncFile: wrap('syncFile', nodeFiles.syncFile),
    syncFolder: wrap('syncFolder', nodeFiles.syncFolder),
    rename: wrap('rename', nodeFiles.rename),
    removeFolder: wrap('removeFolder', nodeFiles.removeFolder),
    touch: wrap('touch', nodeFiles.touch),
  };
  return { files, names };
}

async function withStore<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const parent = mkdtempSync(join(tmpdir(), 'swath-blob-faults-'));
  try {
    return await work(join(parent, 'results'));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Stages and publishes with that disk; gives what it threw. */
async function publishWith(folder: string, files: FolderFiles): Promise<unknown> {
  try {
    const staged = await makeFolderBlobs({ folder, files }).stage('k.1');
    try {
      await writeFile(staged.path, NEW);
      await staged.publish(meta);
      return null;
    } finally {
      await staged.discard();
    }
  } catch (error) {
    return error;
  }
}

for (const { code, tag, isDead } of [
  { code: 'ENOSPC', tag: 'too-large', isDead: false },
  { code: 'EDQUOT', tag: 'too-large', isDead: false },
  { code: 'EIO', tag: 'unavailable', isDead: false },
  { code: 'EROFS', tag: 'unavailable', isDead: true },
]) {
  for (const hadOld of [false, true]) {
    const when = `${isDead ? 'from any step on' : 'at any step'}, ${hadOld ? 'over another blob' : 'in an empty store'}`;
    test(`${code} ${when}: the blob is complete or absent, and a sweep leaves nothing else`, async () => {
      let failAt = 1;
      for (let isDone = false; !isDone; failAt++) {
        isDone = await withStore(async (folder) => {
          if (hadOld) await publishBytes(makeFolderBlobs({ folder }), 'k.1', OLD);
          const disk = failingFiles(failAt, code, isDead);
          const error = await publishWith(folder, disk.files);
          const isTried = disk.names.length >= failAt;
          if (error !== null) {
            assert.ok(isSwathError(error) && error.tag === tag, `step ${failAt}: ${error}`);
            assert.equal((error.cause as NodeJS.ErrnoException).code, code);
          }
          const reopened = makeFolderBlobs({ folder });
          const found = (await reopened.stat('k.1')) === null ? null : await readBytes(reopened, 'k.1');
          const isWhole = found === null || found.equals(NEW) || (hadOld && found.equals(OLD));
          assert.ok(isWhole, `step ${failAt}: ${found}`);
          if (error === null) assert.ok(found?.equals(NEW), 'what was acknowledged is there');
          await reopened.sweep({ olderThanMs: 0 });
          const staging = join(folder, 'staging');
          assert.deepEqual(
            failAt === 1 && !hadOld && error ? [] : readdirSync(staging),
            [],
            `step ${failAt}`,
          );
          assert.equal((await listAll(reopened)).length, found === null ? 0 : 1);
          return !isTried;
        });
      }
      assert.ok(failAt >= 8, `only ${failAt} steps were tried`);
    });
  }
}

test('after a failure at any step the file is still staged, and publishing it again works', async () => {
  let failAt = 2;
  for (let isDone = false; !isDone; failAt++) {
    isDone = await withStore(async (folder) => {
      const { files, names } = failingFiles(failAt, 'EIO', false);
      const blobs = makeFolderBlobs({ folder, files });
      const staged = await blobs.stage('k.1');
      await writeFile(staged.path, NEW);
      const isFailed = await staged.publish(meta).then(
        () => false,
        () => true,
      );
      if (isFailed) assert.equal((await staged.publish(meta)).bytes, NEW.length, `step ${failAt}`);
      assert.ok((await readBytes(blobs, 'k.1')).equals(NEW));
      return !isFailed && names.length < failAt;
    });
  }
  assert.ok(failAt >= 8);
});

test('a file is on the disk before it gets its name, and its name and folders before publish returns', async () => {
  await withStore(async (folder) => {
    const { files, names } = failingFiles(Number.POSITIVE_INFINITY, '', false);
    const blobs = makeFolderBlobs({ folder, files });
    await publishBytes(blobs, 'k.1', NEW);
    const first = ['makeFolder', 'syncFile', 'makeFolder', 'syncFolder', 'syncFolder', 'syncFolder'];
    assert.deepEqual(names, [...first, 'rename', 'syncFolder', 'removeFolder']);
    names.length = 0;
    await publishBytes(blobs, 'k.1', OLD);
    assert.deepEqual(names, ['makeFolder', 'syncFile', 'rename', 'syncFolder', 'removeFolder']);
  });
});

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

test('only the owner can read stored files if the process creates them so', async (t) => {
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

test('foreign files are neither listed nor touched', async () => {
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

test('a folder that is removed while the service runs is created again', async () => {
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

test('reading a file that is truncated meanwhile fails, and does not end early', async () => {
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
