import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSwathError } from '../../errors.ts';
import type { OutputFile, OutputFiles } from '../../files/index.ts';
import { nodeFiles } from '../../files/index.ts';
import { createCog } from './cog-writer.ts';
import type { CogOptions } from './plan-cog.ts';
import { withFolder } from './testing/write-cog.ts';

const options: CogOptions = {
  width: 70,
  height: 50,
  bandCount: 2,
  type: 'uint16',
  epsg: 32631,
  transform: [600_000, 10, 0, 5_100_000, 0, -10],
  nodata: null,
  compression: 'deflate',
  predictor: 2,
  blockSize: 32,
  interleave: 'band',
};

/** A file system whose n-th call fails, and with `isDead` every later one too, except closing and removing. */
function failingFiles(failAt: number, code: string, isDead: boolean) {
  const names: string[] = [];
  let calls = 0;
  let open = 0;
  const step = (name: string, isCleanUp = false) => {
    names.push(name);
    calls++;
    if (calls === failAt || (isDead && calls > failAt && !isCleanUp))
      throw Object.assign(new Error(code), { code });
  };
  const wrap = (file: OutputFile): OutputFile => ({
    async write(bytes, position) {
      step('write');
      await file.write(bytes, position);
    },
    async read(into, position) {
      step('read');
      await file.read(into, position);
    },
    async sync() {
      step('sync');
      await file.sync();
    },
    async close() {
      // the descriptor is gone even when the kernel reports an error
      await file.close();
      open--;
      step('close', true);
    },
  });
  const files: OutputFiles = {
    async createTemporary(folder) {
      step('createTemporary');
      const { path, file } = await nodeFiles.createTemporary(folder);
      open++;
      return { path, file: wrap(file) };
    },
    async rename(from, to) {
      step('rename');
      await nodeFiles.rename(from, to);
    },
    async remove(path) {
      step('remove', true);
      await nodeFiles.remove(path);
    },
    async syncFolder(folder) {
      step('syncFolder');
      await nodeFiles.syncFolder(folder);
    },
  };
  return { files, names, calls: () => calls, open: () => open };
}

async function writeAll(path: string, files: OutputFiles): Promise<void> {
  const cog = await createCog(path, options, files);
  for (let row = 0; row < 50; row += 10) {
    await cog.writeRows([new Uint16Array(700).fill(row), new Uint16Array(700).fill(1)], 10);
  }
  await cog.finish();
}

for (const { code, tag, isDead } of [
  { code: 'ENOSPC', tag: 'too-large', isDead: false },
  { code: 'EIO', tag: 'internal', isDead: true },
]) {
  test(`${code} at any step leaves no half file, no temporary file and no open file`, async () => {
    let failAt = 1;
    for (; ; failAt++) {
      const done = await withFolder(async (folder) => {
        const path = join(folder, 'image.tif');
        await writeFile(path, 'old');
        const disk = failingFiles(failAt, code, isDead);
        const error = await writeAll(path, disk.files).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        assert.equal(disk.open(), 0, `step ${failAt}: files left open`);
        if (error === null) {
          assert.ok(disk.calls() < failAt, `step ${failAt} failed without an error`);
          return true;
        }
        assert.ok(isSwathError(error) && error.tag === tag, `step ${failAt}: ${error}`);
        assert.equal((error.cause as NodeJS.ErrnoException).code, code);
        const left = await readdir(folder);
        assert.ok(
          left.every((name) => name === 'image.tif'),
          `step ${failAt} left ${left}`,
        );
        if (left.length > 0) assert.equal(await readFile(path, 'utf8'), 'old', `step ${failAt}`);
        return false;
      });
      if (done) break;
    }
    assert.ok(failAt >= 35, `only ${failAt} steps were tried`);
  });
}

test('the file is on the disk before it gets its name, and its name is there before finish returns', async () => {
  await withFolder(async (folder) => {
    const disk = failingFiles(Infinity, '', false);
    await writeAll(join(folder, 'image.tif'), disk.files);
    assert.deepEqual(disk.names.slice(-6), ['write', 'close', 'sync', 'close', 'rename', 'syncFolder']);
    assert.deepEqual(disk.names.slice(0, 3), ['createTemporary', 'remove', 'write']);
  });
});
