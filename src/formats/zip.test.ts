import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { isSwathError } from '../errors.ts';
import type { OutputFile, OutputFiles } from '../files/index.ts';
import { nodeFiles } from '../files/index.ts';
import { withFolder } from './cog/testing/write-cog.ts';
import { openZip } from './testing/read-zip.ts';
import type { ZipEntry } from './zip.ts';
import { toDirectory, writeZip } from './zip.ts';

async function* toChunks(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const text = (value: string): Uint8Array => Buffer.from(value);

test('bytes, files and chunks are stored unchanged; text is compressed on request', async () => {
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'source.bin'), Buffer.alloc(5_000_000, 7));
    const xml = text('<a>same</a>'.repeat(1_000));
    const path = join(folder, 'all.zip');
    const { size } = await writeZip(path, [
      { name: 'bytes.bin', source: { bytes: Uint8Array.of(1, 2, 3) } },
      { name: 'folder/file.bin', source: { path: join(folder, 'source.bin') } },
      { name: 'chunks.bin', source: { chunks: toChunks(text('one'), text('two')) } },
      { name: 'sized.bin', source: { chunks: toChunks(text('one'), text('two')), size: 6 } },
      { name: 'Übersicht – 地図.xml', source: { bytes: xml, deflate: true } },
      { name: 'empty', source: { bytes: new Uint8Array() } },
    ]);
    const zip = openZip(path);
    assert.deepEqual(
      zip.entries.map(({ name, bytes, method }) => [name, bytes, method]),
      [
        ['bytes.bin', 3, 0],
        ['folder/file.bin', 5_000_000, 0],
        ['chunks.bin', 6, 0],
        ['sized.bin', 6, 0],
        ['Übersicht – 地図.xml', xml.length, 8],
        ['empty', 0, 0],
      ],
    );
    for (const entry of zip.entries) {
      const stored = zip.readStored(entry);
      const bytes = entry.method === 8 ? inflateRawSync(stored) : stored;
      assert.equal(crc32(bytes), entry.crc, entry.name);
    }
    assert.equal(zip.readStored(zip.entries[2]!).toString(), 'onetwo');
    assert.deepEqual(inflateRawSync(zip.readStored(zip.entries[4]!)), xml);
    assert.ok(size > 5_000_000 && size < 5_002_000);
    zip.close();
  });
});

test('a file is compressed while it is packed', async () => {
  await withFolder(async (folder) => {
    // More than one read, and parts that do not compress.
    const bytes = Buffer.concat([Buffer.alloc(5_000_000, 7), randomBytes(300_000), Buffer.alloc(100)]);
    await writeFile(join(folder, 'source.bin'), bytes);
    await writeFile(join(folder, 'empty.bin'), '');
    const path = join(folder, 'all.zip');
    const { size } = await writeZip(path, [
      { name: 'file.bin', source: { path: join(folder, 'source.bin'), deflate: true } },
      { name: 'empty.bin', source: { path: join(folder, 'empty.bin'), deflate: true } },
    ]);
    const zip = openZip(path);
    const [file, empty] = zip.entries;
    assert.deepEqual([file?.method, file?.bytes, file?.crc], [8, bytes.length, crc32(bytes)]);
    assert.deepEqual(inflateRawSync(zip.readStored(file!)), bytes);
    assert.equal(inflateRawSync(zip.readStored(empty!)).length, 0);
    assert.ok(size > 300_000 && size < 320_000, `${size}`);
    zip.close();
  });
});

test('an archive without entries is valid', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'none.zip');
    assert.deepEqual(await writeZip(path, []), { size: 22 });
    assert.deepEqual(openZip(path).entries, []);
  });
});

test('names that would unpack elsewhere or twice are refused, and nothing is left', async () => {
  const bytes = new Uint8Array();
  const rows: readonly (readonly string[])[] = [
    ...[
      '',
      '/etc/passwd',
      '../up',
      'a/../b',
      'a//b',
      'a/',
      './a',
      'c:\\x',
      'a\\b',
      'a\0b',
      'a\nb',
      '\ud800',
    ].map((name) => [name]),
    ['x'.repeat(65_536)],
    ['same', 'same'],
  ];
  for (const names of rows) {
    await withFolder(async (folder) => {
      const entries = names.map((name) => ({ name, source: { bytes } }));
      await assert.rejects(
        writeZip(join(folder, 'a.zip'), entries),
        (error) => isSwathError(error) && error.tag === 'bad-input',
        names[0],
      );
      assert.deepEqual(await readdir(folder), []);
    });
  }
});

test('an archive stops at the next chunk when it is cancelled', async () => {
  await withFolder(async (folder) => {
    const controller = new AbortController();
    let made = 0;
    async function* endless() {
      for (;;) {
        if (++made === 3) controller.abort();
        yield Buffer.alloc(10);
      }
    }
    await assert.rejects(
      writeZip(join(folder, 'a.zip'), [{ name: 'a', source: { chunks: endless() } }], {
        signal: controller.signal,
      }),
      (error) => isSwathError(error) && error.tag === 'cancelled',
    );
    assert.equal(made, 3);
    assert.deepEqual(await readdir(folder), []);
  });
});

test('a source that fails, or has another length than stated, leaves nothing', async () => {
  async function* failing() {
    yield Buffer.alloc(10);
    throw new Error('gone');
  }
  const entries: readonly ZipEntry[] = [
    { name: 'a', source: { chunks: failing() } },
    { name: 'a', source: { chunks: toChunks(Buffer.alloc(10)), size: 11 } },
    { name: 'a', source: { path: '/nonexistent/file' } },
  ];
  for (const entry of entries) {
    await withFolder(async (folder) => {
      await assert.rejects(writeZip(join(folder, 'a.zip'), [entry]), (error) => isSwathError(error));
      assert.deepEqual(await readdir(folder), []);
    });
  }
});

test('a full disk at any write leaves nothing', async () => {
  let writes = Infinity;
  const files: OutputFiles = {
    ...nodeFiles,
    async createTemporary(folder) {
      const { path, file } = await nodeFiles.createTemporary(folder);
      const write: OutputFile['write'] = async (bytes, position) => {
        if (--writes < 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        await file.write(bytes, position);
      };
      return { path, file: { ...file, write } };
    },
  };
  for (let allowed = 0; ; allowed++) {
    writes = allowed;
    const done = await withFolder(async (folder) => {
      const entries = ['a', 'b'].map((name) => ({ name, source: { bytes: text(name) } }));
      const error = await writeZip(join(folder, 'a.zip'), entries, { files }).catch(
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof Error)) return true;
      assert.ok(isSwathError(error) && error.code === 'no-space', String(error));
      assert.deepEqual(await readdir(folder), []);
      return false;
    });
    if (done) {
      assert.equal(allowed, 5);
      return;
    }
  }
});

test('entries and offsets over 4 GiB are Zip64', async () => {
  // zeros are left out of the file: it has the length, and takes no room on the disk
  const files: OutputFiles = {
    ...nodeFiles,
    async createTemporary(folder) {
      const { path, file } = await nodeFiles.createTemporary(folder);
      const write: OutputFile['write'] = async (bytes, position) => {
        if (bytes.length < 1_000_000) await file.write(bytes, position);
      };
      return { path, file: { ...file, write } };
    },
  };
  const chunk = Buffer.alloc(64 * 1024 * 1024);
  async function* zeros() {
    for (let i = 0; i < 64; i++) yield chunk;
    yield text('end');
  }
  await withFolder(async (folder) => {
    const path = join(folder, 'large.zip');
    const large = 2 ** 32 + 3;
    const { size } = await writeZip(
      path,
      [
        { name: 'large', source: { chunks: zeros(), size: large } },
        { name: 'after', source: { bytes: text('small') } },
      ],
      { files },
    );
    const zip = openZip(path);
    const [first, second] = zip.entries;
    assert.equal(first!.bytes, large);
    assert.equal(first!.storedBytes, large);
    assert.ok(second!.dataOffset > large);
    assert.equal(zip.readStored(second!).toString(), 'small');
    assert.ok(size > large);
    zip.close();
  });
});

test('more than 65,535 entries are counted in Zip64', () => {
  const record = { name: text('a'), method: 0, crc: 0, storedBytes: 0, bytes: 0, offset: 0 };
  const directory = Buffer.from(
    toDirectory(
      Array.from({ length: 70_000 }, () => record),
      100,
    ),
  );
  const records = 70_000 * 47;
  assert.equal(directory.length, records + 56 + 20 + 22);
  assert.equal(directory.readUInt32LE(records), 0x06064b50);
  assert.equal(directory.readBigUInt64LE(records + 32), 70_000n);
  assert.equal(directory.readBigUInt64LE(records + 56 + 8), BigInt(100 + records));
  assert.equal(directory.readUInt16LE(directory.length - 12), 0xffff);
});
