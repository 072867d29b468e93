import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** An entry as the directory of an archive lists it. */
interface ListedEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly storedBytes: number;
  readonly bytes: number;
  /** Of its first stored byte. */
  readonly dataOffset: number;
}

/** An archive that is open for a test. */
interface OpenZip {
  readonly entries: readonly ListedEntry[];
  /** Stored bytes of an entry, as they are in the file. */
  readStored(entry: ListedEntry): Buffer;
  close(): void;
}

/** Reads the directory of an archive, Zip64 included, and checks that every local header says the same. */
export function openZip(path: string): OpenZip {
  const fd = openSync(path, 'r');
  const { size } = fstatSync(fd);
  const read = (offset: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    assert.equal(readSync(fd, bytes, 0, length, offset), length);
    return bytes;
  };
  const end = read(size - 22, 22);
  assert.equal(end.readUInt32LE(0), 0x06054b50);
  let count = end.readUInt16LE(10);
  let directoryBytes = end.readUInt32LE(12);
  let at = end.readUInt32LE(16);
  const locator = size < 42 ? null : read(size - 42, 20);
  if (locator?.readUInt32LE(0) === 0x07064b50) {
    const end64 = read(Number(locator.readBigUInt64LE(8)), 56);
    assert.equal(end64.readUInt32LE(0), 0x06064b50);
    count = Number(end64.readBigUInt64LE(32));
    directoryBytes = Number(end64.readBigUInt64LE(40));
    at = Number(end64.readBigUInt64LE(48));
  }
  const directory = read(at, directoryBytes);
  const entries: ListedEntry[] = [];
  for (let cursor = 0; cursor < directory.length; ) {
    assert.equal(directory.readUInt32LE(cursor), 0x02014b50);
    const nameBytes = directory.readUInt16LE(cursor + 28);
    const extraBytes = directory.readUInt16LE(cursor + 30);
    const name = directory.toString('utf8', cursor + 46, cursor + 46 + nameBytes);
    let extra = cursor + 46 + nameBytes + 4;
    const large = (field: number): number => {
      const value = directory.readUInt32LE(cursor + field);
      if (value !== 0xffff_ffff) return value;
      extra += 8;
      return Number(directory.readBigUInt64LE(extra - 8));
    };
    const bytes = large(24);
    const storedBytes = large(20);
    const offset = large(42);
    const local = read(offset, 30);
    assert.equal(local.readUInt32LE(0), 0x04034b50);
    const head = 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    const crc = directory.readUInt32LE(cursor + 16);
    assert.equal(read(offset + 30, nameBytes).toString(), name);
    assert.equal(local.readUInt32LE(14), crc);
    const tail = read(offset, head).subarray(30 + nameBytes);
    const isLarge = local.readUInt32LE(22) === 0xffff_ffff;
    assert.equal(isLarge ? Number(tail.readBigUInt64LE(4)) : local.readUInt32LE(22), bytes);
    assert.equal(isLarge ? Number(tail.readBigUInt64LE(12)) : local.readUInt32LE(18), storedBytes);
    const method = directory.readUInt16LE(cursor + 10);
    entries.push({ name, method, crc, storedBytes, bytes, dataOffset: offset + head });
    cursor += 46 + nameBytes + extraBytes;
  }
  assert.equal(entries.length, count);
  return {
    entries,
    readStored: ({ dataOffset, storedBytes }) => read(dataOffset, storedBytes),
    close: () => closeSync(fd),
  };
}

/** The bytes of all entries by their names. */
export function readEntries(path: string): ReadonlyMap<string, Buffer> {
  const zip = openZip(path);
  try {
    return new Map(
      zip.entries.map((entry) => {
        const stored = zip.readStored(entry);
        return [entry.name, entry.method === 0 ? stored : inflateRawSync(stored)];
      }),
    );
  } finally {
    zip.close();
  }
}
