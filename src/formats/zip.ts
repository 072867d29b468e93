import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import { throwIfCancelled } from '../async/index.ts';
import type { OutputFile, OutputFiles } from '../files/index.ts';
import { nodeFiles, writeWholeFile } from '../files/index.ts';
import { badInput, internal } from './errors.ts';

/** Where the bytes of an entry come from. */
export type ZipSource =
  /** A file on disk; `deflate` compresses it while it is packed, without it it is stored as it is. */
  | { readonly path: string; readonly deflate?: boolean }
  /** Bytes in memory; `deflate` compresses them, for text. */
  | { readonly bytes: Uint8Array; readonly deflate?: boolean }
  /**
   * Bytes that are made while the archive is written, in order, stored as they are. Each chunk may be used again after
   * the next is requested. The archive is a little smaller if the size is known.
   */
  | { readonly chunks: AsyncIterable<Uint8Array>; readonly size?: number };

/** One file of an archive. */
export interface ZipEntry {
  /** Its path in the archive, relative and with `/` between folders. */
  readonly name: string;
  readonly source: ZipSource;
}

/** Options of `writeZip`. */
export interface ZipOptions {
  readonly signal?: AbortSignal;
  readonly files?: OutputFiles;
}

/**
 * Writes a zip archive to a path, durably and whole or not at all. Entries are taken one after the other, so an async
 * generator may make each only when the one before is packed; the archive is never in memory.
 */
export function writeZip(
  path: string,
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  { signal, files = nodeFiles }: ZipOptions = {},
): Promise<{ readonly size: number }> {
  const given = signal ?? null;
  const fill = async (file: OutputFile): Promise<{ readonly size: number }> => {
    const records: EntryRecord[] = [];
    const names = new Set<string>();
    let offset = 0;
    for await (const { name, source } of entries) {
      throwIfCancelled(given);
      const packing = { file, name: checkName(name, names), offset, signal: given };
      const { record, end } = await packEntry(source, packing);
      records.push(record);
      offset = end;
    }
    const directory = toDirectory(records, offset);
    await file.write(directory, offset);
    return { size: offset + directory.length };
  };
  return writeWholeFile(path, fill, { files, signal: given });
}

/** The name field has 16 bits for its length. */
const MAX_NAME_BYTES = 65_535;

/** A path that unpacks below the folder of the reader, on every system. */
function isSafeName(name: string): boolean {
  return (
    name.isWellFormed() &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    !/[\u0000-\u001f\u007f\\:]/.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

function checkName(name: string, names: Set<string>): Uint8Array {
  const bytes = Buffer.from(name);
  if (!isSafeName(name) || bytes.length > MAX_NAME_BYTES) {
    throw badInput('bad-zip-name', 'A file in an archive has a relative name without special characters.');
  }
  if (names.has(name)) throw badInput('zip-name-twice', `Two files of the archive are named '${name}'.`);
  names.add(name);
  return bytes;
}

/** An entry that is in the archive. */
interface Packed {
  readonly record: EntryRecord;
  /** Where the next one begins. */
  readonly end: number;
}

interface Packing {
  readonly file: OutputFile;
  readonly name: Uint8Array;
  readonly offset: number;
  readonly signal: AbortSignal | null;
}

/** Writes header and bytes of an entry at the offset; sizes and checksum go into the header afterwards. */
async function packEntry(source: ZipSource, { file, name, offset, signal }: Packing): Promise<Packed> {
  const { method, chunks, storedBytes: expected, mostBytes, unpacked } = await openSource(source);
  const isLarge = mostBytes === null || mostBytes >= ALL_ONES;
  const draft = { name, method, crc: 0, storedBytes: 0, bytes: 0, offset };
  const start = offset + toLocalHeader(draft, isLarge).length;
  let storedBytes = 0;
  let crc = 0;
  for await (const chunk of chunks) {
    throwIfCancelled(signal);
    if (unpacked === null) crc = crc32(chunk, crc);
    await file.write(chunk, start + storedBytes);
    storedBytes += chunk.length;
  }
  if (expected !== null && expected !== storedBytes) {
    throw internal(
      'zip-size',
      `A file of an archive has ${storedBytes} bytes where ${expected} were planned.`,
    );
  }
  const record = { ...draft, storedBytes, crc: unpacked?.crc ?? crc, bytes: unpacked?.bytes ?? storedBytes };
  await file.write(toLocalHeader(record, isLarge), offset);
  return { record, end: start + storedBytes };
}

/** Reads of a file that is packed: large enough that the number of calls does not matter. */
const READ_BYTES = 4 * 1024 * 1024;

const compress = promisify(deflateRaw);

/** The bytes of a source as they are stored. */
interface Stored {
  readonly method: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Null when it is known only at the end. */
  readonly storedBytes: number | null;
  /** An upper bound of its size, stored and unpacked; null when there is none. */
  readonly mostBytes: number | null;
  /** For compressed sources, complete after the last chunk; null for stored ones, where it follows from `chunks`. */
  readonly unpacked: Unpacked | null;
}

interface Unpacked {
  bytes: number;
  crc: number;
}

async function openSource(source: ZipSource): Promise<Stored> {
  const plain = { method: METHOD.stored, unpacked: null };
  if ('path' in source) {
    const size = await readSize(source.path);
    if (source.deflate) return deflateFile(source.path, size);
    return { ...plain, chunks: readFileChunks(source.path), storedBytes: size, mostBytes: size };
  }
  if ('chunks' in source) {
    const size = source.size ?? null;
    return { ...plain, chunks: source.chunks, storedBytes: size, mostBytes: size };
  }
  const { bytes, deflate = false } = source;
  if (!deflate) return { ...plain, chunks: [bytes], storedBytes: bytes.length, mostBytes: bytes.length };
  const packed = await compress(bytes);
  return {
    method: METHOD.deflated,
    chunks: [packed],
    storedBytes: packed.length,
    mostBytes: Math.max(packed.length, bytes.length),
    unpacked: { bytes: bytes.length, crc: crc32(bytes) },
  };
}

function deflateFile(path: string, size: number): Stored {
  const unpacked: Unpacked = { bytes: 0, crc: 0 };
  const plain = (async function* () {
    for await (const chunk of readFileChunks(path)) {
      unpacked.bytes += chunk.length;
      unpacked.crc = crc32(chunk, unpacked.crc);
      // The reader uses its buffer again, and the compressor reads it later.
      yield Buffer.from(chunk);
    }
  })();
  // Bytes that do not compress grow by five for each block of 16 kB.
  const mostBytes = Math.ceil(size * 1.001) + 64;
  const chunks = Readable.from(plain).compose(createDeflateRaw()) as AsyncIterable<Uint8Array>;
  return { method: METHOD.deflated, chunks, storedBytes: null, mostBytes, unpacked };
}

async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    const buffer = new Uint8Array(READ_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function readSize(path: string): Promise<number> {
  const handle = await open(path);
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/**
 * What the records of an archive say about an entry (PKWARE's APPNOTE 6.3, sections 4.3 and 4.5). Sizes and offsets that
 * do not fit into 32 bits are written as all ones, and the Zip64 extra field holds the true ones.
 */
interface EntryRecord {
  /** UTF-8. */
  readonly name: Uint8Array;
  readonly method: number;
  readonly crc: number;
  /** In the archive. */
  readonly storedBytes: number;
  /** After unpacking. */
  readonly bytes: number;
  /** Of the local header. */
  readonly offset: number;
}

/** The two methods that we write. */
const METHOD = { stored: 0, deflated: 8 } as const;

/** Values from here on do not fit into 32 bits; all ones are the mark of Zip64. */
const ALL_ONES = 0xffff_ffff;
const MANY_ENTRIES = 0xffff;

const VERSION = { plain: 20, zip64: 45 } as const;
const MADE_ON_UNIX = 3 << 8;
/** A regular file that its owner writes and everyone reads, in the upper half of the external attributes. */
const UNIX_MODE = 0o100644;
/** Bit 11: the name is UTF-8. */
const FLAGS = 1 << 11;
/** 1980-01-01, the first day that the format knows: equal contents make equal archives. */
const DATE = 0x0021;
const ZIP64_EXTRA = 1;

const clamp = (value: number): number => Math.min(value, ALL_ONES);

function toZip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(ZIP64_EXTRA, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, i) => {
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  });
  return extra;
}

/** The header before the bytes of an entry. With `isLarge` its length is the same whatever the sizes turn out to be. */
function toLocalHeader({ name, method, crc, storedBytes, bytes }: EntryRecord, isLarge: boolean): Uint8Array {
  const extra = isLarge ? toZip64Extra([bytes, storedBytes]) : Buffer.alloc(0);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(isLarge ? VERSION.zip64 : VERSION.plain, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(DATE, 12);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(isLarge ? ALL_ONES : storedBytes, 18);
  head.writeUInt32LE(isLarge ? ALL_ONES : bytes, 22);
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra]);
}

/** The entry as the directory at the end lists it. */
function toDirectoryRecord({ name, method, crc, storedBytes, bytes, offset }: EntryRecord): Uint8Array {
  // only the values that do not fit, in this order
  const extra = toZip64Extra([bytes, storedBytes, offset].filter((value) => value >= ALL_ONES));
  const version = extra.length === 0 ? VERSION.plain : VERSION.zip64;
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(MADE_ON_UNIX | version, 4);
  head.writeUInt16LE(version, 6);
  head.writeUInt16LE(FLAGS, 8);
  head.writeUInt16LE(method, 10);
  head.writeUInt16LE(DATE, 14);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(clamp(storedBytes), 20);
  head.writeUInt32LE(clamp(bytes), 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE((UNIX_MODE << 16) >>> 0, 38);
  head.writeUInt32LE(clamp(offset), 42);
  return Buffer.concat([head, name, extra]);
}

/** What an archive ends with: the directory, and where it is. */
export function toDirectory(entries: readonly EntryRecord[], offset: number): Uint8Array {
  const records = Buffer.concat(entries.map(toDirectoryRecord));
  const isZip64 = entries.length >= MANY_ENTRIES || offset >= ALL_ONES || records.length >= ALL_ONES;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, MANY_ENTRIES), 8);
  end.writeUInt16LE(Math.min(entries.length, MANY_ENTRIES), 10);
  end.writeUInt32LE(clamp(records.length), 12);
  end.writeUInt32LE(clamp(offset), 16);
  if (!isZip64) return Buffer.concat([records, end]);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  // of the record after this field
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(MADE_ON_UNIX | VERSION.zip64, 12);
  end64.writeUInt16LE(VERSION.zip64, 14);
  end64.writeBigUInt64LE(BigInt(entries.length), 24);
  end64.writeBigUInt64LE(BigInt(entries.length), 32);
  end64.writeBigUInt64LE(BigInt(records.length), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + records.length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([records, end64, locator, end]);
}
