import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import { throwIfCancelled } from '../../async/index.ts';
import { toWholeMib } from '../../units.ts';
import { badInput, tooLarge, unsupported } from '../errors.ts';
import type { VectorLimits } from '../shapes.ts';

/** A file in a zip archive. */
export interface ArchiveEntry {
  readonly name: string;
  readonly method: number;
  readonly storedBytes: number;
  readonly offset: number;
}

/** Of all files of an archive; the directory of an honest one with shapes has a dozen. */
const MAX_ENTRIES = 10_000;
const MAX_DIRECTORY_BYTES = 4 * 2 ** 20;
/** The record at the end and the longest comment after it. */
const END_BYTES = 22 + 65_535;
const SIGNATURE = { local: 0x04034b50, entry: 0x02014b50, end: 0x06054b50, end64: 0x06064b50 } as const;
const ALL_ONES = 0xffff_ffff;
/** Files below it unpack to anything: a table of blanks shrinks a thousandfold. */
const RATIO_FROM_BYTES = 64 * 2 ** 20;

const damaged = (why: string) => badInput('bad-shape-file', `The archive cannot be read: ${why}.`);

/** The files of an archive, as the directory at its end lists them; folders are left out. */
export async function listArchive(path: string): Promise<readonly ArchiveEntry[]> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - END_BYTES), Math.min(size, END_BYTES));
  const end = findEnd(tail);
  if (end < 0) throw damaged('its directory is missing');
  let [count, bytes, offset] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (count === 0xffff || bytes === ALL_ONES || offset === ALL_ONES) {
    const at = end - 20 < 0 ? -1 : Number(tail.readBigUInt64LE(end - 20 + 8));
    const large = await readAt(file, at, 56);
    if (large.readUInt32LE(0) !== SIGNATURE.end64) throw damaged('its directory is missing');
    [count, bytes, offset] = [32, 40, 48].map((field) => Number(large.readBigUInt64LE(field))) as [
      number,
      number,
      number,
    ];
  }
  if (count > MAX_ENTRIES || bytes > MAX_DIRECTORY_BYTES)
    throw tooLarge('shape-file-too-large', `The archive has more than ${MAX_ENTRIES} files.`);
  return parseDirectory(await readAt(file, offset, bytes), count);
}

/** The last record of the end in the bytes. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - 22; at >= 0; at--) if (tail.readUInt32LE(at) === SIGNATURE.end) return at;
  return -1;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const isInside = Number.isSafeInteger(position) && position >= 0;
  const { bytesRead } = isInside ? await file.read(buffer, 0, length, position) : { bytesRead: -1 };
  if (bytesRead < length) throw damaged('it is truncated');
  return buffer;
}

function parseDirectory(directory: Buffer, count: number): readonly ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== SIGNATURE.entry)
      throw damaged('its directory is damaged');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    ) as [number, number, number];
    const next = at + 46 + nameBytes + extraBytes + commentBytes;
    if (next > directory.length) throw damaged('its directory is damaged');
    if ((directory.readUInt16LE(at + 8) & 1) !== 0)
      throw unsupported('encrypted-archive', 'The archive is encrypted.');
    const name = directory.toString('utf8', at + 46, at + 46 + nameBytes);
    const extra = directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes);
    const [storedBytes, offset] = readSizes(directory, at, extra);
    if (!name.endsWith('/'))
      entries.push({ name, method: directory.readUInt16LE(at + 10), storedBytes, offset });
    at = next;
  }
  return entries;
}

/** Stored size and offset; those that do not fit into 32 bits are in the extra field of Zip64, in a fixed order. */
function readSizes(directory: Buffer, at: number, extra: Buffer): [stored: number, offset: number] {
  const [stored, size, offset] = [20, 24, 42].map((field) => directory.readUInt32LE(at + field)) as [
    number,
    number,
    number,
  ];
  let field = 0;
  while (field + 4 <= extra.length && extra.readUInt16LE(field) !== 1)
    field += 4 + extra.readUInt16LE(field + 2);
  let value = field + 4;
  const take = (small: number): number => {
    if (small !== ALL_ONES) return small;
    if (value + 8 > extra.length) throw damaged('its directory is damaged');
    value += 8;
    return Number(extra.readBigUInt64LE(value - 8));
  };
  take(size);
  return [take(stored), take(offset)];
}

/**
 * The bytes of a file in an archive, unpacked while they are read. Beyond `maxUnpackedBytes`, or beyond `maxZipRatio`
 * times its stored size, it throws `shape-file-too-large`.
 */
export async function* readEntry(
  path: string,
  entry: ArchiveEntry,
  limits: VectorLimits,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const { method, storedBytes } = entry;
  if (method !== 0 && method !== 8)
    throw unsupported('archive-method', `The archive is compressed with method ${method}; use deflate.`);
  if (storedBytes === 0) return;
  const start = await findData(path, entry);
  const stored = createReadStream(path, { start, end: start + storedBytes - 1, highWaterMark: 256 * 1024 });
  const bytes = method === 0 ? stored : stored.pipe(createInflateRaw({ chunkSize: 256 * 1024 }));
  // An error of the file would otherwise be nobody's.
  stored.on('error', (error) => bytes.destroy(error));
  let unpacked = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      throwIfCancelled(signal);
      unpacked += chunk.length;
      const isBomb = unpacked > RATIO_FROM_BYTES && unpacked > storedBytes * limits.maxZipRatio;
      if (unpacked > limits.maxUnpackedBytes || isBomb)
        throw tooLarge(
          'shape-file-too-large',
          `A file of the archive unpacks to more than ${isBomb ? `${limits.maxZipRatio} times its size` : `${toWholeMib(limits.maxUnpackedBytes)} MiB`}.`,
        );
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))
      throw badInput('bad-shape-file', 'The archive cannot be read: a file of it is damaged.', {
        cause: error,
      });
    throw error;
  } finally {
    stored.destroy();
    bytes.destroy();
  }
}

/** Where the bytes of an entry begin: after its own header, whose extra field may differ from that of the directory. */
async function findData(path: string, { offset, storedBytes }: ArchiveEntry): Promise<number> {
  await using file = await open(path, 'r');
  const head = await readAt(file, offset, 30);
  if (head.readUInt32LE(0) !== SIGNATURE.local) throw damaged('a file of it is not where the directory says');
  const start = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (start + storedBytes > (await file.stat()).size) throw damaged('it is truncated');
  return start;
}

/** The whole content of a small file in an archive. */
export async function readSmallEntry(
  path: string,
  entry: ArchiveEntry,
  maxBytes: number,
  limits: VectorLimits,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of readEntry(path, entry, limits)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw damaged(`its file '${entry.name.slice(-40)}' is too long`);
  }
  return Buffer.concat(chunks);
}
