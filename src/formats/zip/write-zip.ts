import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { throwIfCancelled } from '../../async/index.ts';
import { badInput, internal } from '../../errors.ts';
import type { OutputFile, OutputFiles } from '../../files/index.ts';
import { nodeFiles, writeWholeFile } from '../../files/index.ts';
import type { ZipEntry, ZipSource } from './zip-entry.ts';
import type { EntryRecord } from './zip-records.ts';
import { ALL_ONES, METHOD, toDirectory, toLocalHeader } from './zip-records.ts';

/** Options of `writeZip`. */
export interface ZipOptions {
  readonly signal?: AbortSignal;
  readonly files?: OutputFiles;
}

/** Reads of a file that is packed: large enough that the number of calls does not matter. */
const READ_BYTES = 4 * 1024 * 1024;

/** The name field has 16 bits for its length. */
const MAX_NAME_BYTES = 65_535;

const compress = promisify(deflateRaw);

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

/** The bytes of a source as they are stored. */
interface Stored {
  readonly method: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Null when it shows only at the end. */
  readonly storedBytes: number | null;
  /** Known before for compressed sources only: `chunks` says it of stored ones. */
  readonly unpacked: { readonly bytes: number; readonly crc: number } | null;
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

async function openSource(source: ZipSource): Promise<Stored> {
  const plain = { method: METHOD.stored, unpacked: null };
  if ('path' in source) {
    return { ...plain, chunks: readFileChunks(source.path), storedBytes: await readSize(source.path) };
  }
  if ('chunks' in source) return { ...plain, chunks: source.chunks, storedBytes: source.size ?? null };
  const { bytes, deflate = false } = source;
  if (!deflate) return { ...plain, chunks: [bytes], storedBytes: bytes.length };
  const packed = await compress(bytes);
  return {
    method: METHOD.deflated,
    chunks: [packed],
    storedBytes: packed.length,
    unpacked: { bytes: bytes.length, crc: crc32(bytes) },
  };
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
  const { method, chunks, storedBytes: expected, unpacked } = await openSource(source);
  const isLarge = expected === null || Math.max(expected, unpacked?.bytes ?? 0) >= ALL_ONES;
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
