import { hash } from 'node:crypto';
import type { FolderHandle } from '../files/index.ts';
import { joinFolder } from '../files/index.ts';
import type { FilePart } from './byte-source.ts';

/**
 * The header of a remote file: the state of the file, as its reader describes it, and the bytes that opening it needed.
 */
interface HeaderRecord {
  /** A short string, such as JSON. */
  readonly state: string;
  readonly parts: readonly FilePart[];
}

/** A record begins with the lengths of the state and of the table of parts. */
const LENGTHS_BYTES = 8;
/** Offset and length of a part as doubles, because offsets reach 2⁵³. */
const PART_BYTES = 16;
/** The offset tables of the largest known files take a tenth of this. */
const MAX_RECORD_BYTES = 4 * 2 ** 20;

/** A record as bytes; null if it is too large to be stored. */
export function packHeader({ state, parts }: HeaderRecord): Uint8Array | null {
  const words = Buffer.from(state);
  const tableAt = LENGTHS_BYTES + words.length;
  const dataAt = tableAt + parts.length * PART_BYTES;
  const size = dataAt + parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > MAX_RECORD_BYTES) return null;
  const packed = Buffer.alloc(size);
  packed.writeUInt32LE(words.length, 0);
  packed.writeUInt32LE(parts.length, 4);
  words.copy(packed, LENGTHS_BYTES);
  let at = dataAt;
  for (const [i, { offset, bytes }] of parts.entries()) {
    packed.writeDoubleLE(offset, tableAt + i * PART_BYTES);
    packed.writeDoubleLE(bytes.length, tableAt + i * PART_BYTES + 8);
    packed.set(bytes, at);
    at += bytes.length;
  }
  return packed;
}

/** Parses a record; null for bytes that are not a record. */
export function parseHeader(given: Uint8Array): HeaderRecord | null {
  const packed = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (packed.length < LENGTHS_BYTES) return null;
  const tableAt = LENGTHS_BYTES + packed.readUInt32LE(0);
  const count = packed.readUInt32LE(4);
  let at = tableAt + count * PART_BYTES;
  if (at > packed.length) return null;
  const parts: FilePart[] = [];
  for (let i = 0; i < count; i += 1) {
    const offset = packed.readDoubleLE(tableAt + i * PART_BYTES);
    const length = packed.readDoubleLE(tableAt + i * PART_BYTES + 8);
    const isRange =
      Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 0;
    if (!isRange || at + length > packed.length) return null;
    parts.push({ offset, bytes: given.subarray(at, at + length) });
    at += length;
  }
  return at === packed.length ? { state: packed.toString('utf8', LENGTHS_BYTES, tableAt), parts } : null;
}

/** Headers of remote files on disk, by the key of the file. */
export interface HeaderStore {
  find(key: string): Promise<HeaderRecord | null>;
  /** Queues a header, which replaces an earlier one; the disk may drop it. */
  store(key: string, header: HeaderRecord): Promise<void>;
  /** Removes the header of a file that has changed. */
  forget(key: string): Promise<void>;
}

/**
 * The key of a remote file in disk caches: a digest of its address, with the query, and of the account that reads it.
 * Neither can be recovered from it.
 */
export const toFileKey = (url: string, identity: string): string =>
  hash('sha256', `${identity}\n${url}`, 'hex').slice(0, 32);

/** Opens the header store of a folder on the calling thread. */
export function makeHeaderStore(handle: FolderHandle): HeaderStore {
  const folder = joinFolder(handle);
  const toName = (key: string): string => `${key.slice(0, 2)}/${key}+0`;
  return {
    async find(key) {
      const bytes = await folder.read(toName(key));
      const header = bytes === null ? null : parseHeader(bytes);
      folder.counters.add(header === null ? 'misses' : 'hits', 1);
      return header;
    },
    async store(key, header) {
      const bytes = packHeader(header);
      if (bytes !== null) await folder.write(toName(key), bytes);
    },
    forget: (key) => folder.remove(toName(key)),
  };
}

/** Parts of a file in memory, in the order of the file; no two of them touch or overlap. */
export interface KnownBytes {
  readonly parts: readonly FilePart[];
  readonly byteLength: number;
  /** A view of these bytes; null unless all of them are in memory. */
  find(offset: number, length: number): Uint8Array | null;
}

/** Joins parts of one state of a file; overlapping parts hold the same bytes. */
export function makeKnownBytes(given: readonly FilePart[]): KnownBytes {
  const parts = joinParts(given);
  return {
    parts,
    byteLength: parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
    find(offset, length) {
      // The last part that begins at or before the offset: no other can hold it.
      const part = parts.findLast((one) => one.offset <= offset);
      if (part === undefined || offset + length > part.offset + part.bytes.length) return null;
      return part.bytes.subarray(offset - part.offset, offset - part.offset + length);
    },
  };
}

function joinParts(given: readonly FilePart[]): readonly FilePart[] {
  const groups: FilePart[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const part of given.toSorted((a, b) => a.offset - b.offset)) {
    if (part.bytes.length === 0) continue;
    if (part.offset <= end) groups.at(-1)?.push(part);
    else groups.push([part]);
    end = Math.max(end, part.offset + part.bytes.length);
  }
  return groups.map(joinGroup);
}

function joinGroup(group: readonly FilePart[]): FilePart {
  const [first] = group;
  if (first === undefined || group.length === 1) return first as FilePart;
  const end = Math.max(...group.map(({ offset, bytes }) => offset + bytes.length));
  const bytes = new Uint8Array(end - first.offset);
  for (const part of group) bytes.set(part.bytes, part.offset - first.offset);
  return { offset: first.offset, bytes };
}
