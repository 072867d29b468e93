import { createHash } from 'node:crypto';

/** What a cache gives back: bytes, and a short text about them that is stored with them. */
export interface CacheEntry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly meta: string;
}

/** Tells our files from others, and this shape of them from later ones. */
const MAGIC = Buffer.from('SWTC1\n', 'latin1');
const CHECKSUM_BYTES = 32;
/** Magic, length of the words, length of the bytes, checksum. */
const HEADER_BYTES = MAGIC.length + 2 + 4 + CHECKSUM_BYTES;
/** The words are a format or a media type, not a document. */
const MAX_META_BYTES = 1024;
/** A picture of 2048 × 2048 pixels that hardly compresses is 16 MiB. */
const MAX_BYTES = 32 * 2 ** 20;

/** No file of the cache is larger. */
export const MAX_ENTRY_FILE_BYTES = HEADER_BYTES + MAX_META_BYTES + MAX_BYTES;

/** An entry as a file; null when it is too large for one. */
export function packEntry(key: string, { bytes, meta }: CacheEntry): Buffer<ArrayBuffer> | null {
  const words = Buffer.from(meta);
  if (words.length > MAX_META_BYTES || bytes.length > MAX_BYTES) return null;
  const file = Buffer.alloc(HEADER_BYTES + words.length + bytes.length);
  MAGIC.copy(file);
  file.writeUInt16LE(words.length, MAGIC.length);
  file.writeUInt32LE(bytes.length, MAGIC.length + 2);
  words.copy(file, HEADER_BYTES);
  file.set(bytes, HEADER_BYTES + words.length);
  toChecksum(key, file).copy(file, HEADER_BYTES - CHECKSUM_BYTES);
  return file;
}

/** The entry of a file; null for one that is torn, altered, or of another key. */
export function unpackEntry(key: string, file: Buffer<ArrayBuffer>): CacheEntry | null {
  if (file.length < HEADER_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const bytesAt = HEADER_BYTES + file.readUInt16LE(MAGIC.length);
  if (file.length !== bytesAt + file.readUInt32LE(MAGIC.length + 2)) return null;
  const stored = file.subarray(HEADER_BYTES - CHECKSUM_BYTES, HEADER_BYTES);
  if (!toChecksum(key, file).equals(stored)) return null;
  return { bytes: file.subarray(bytesAt), meta: file.toString('utf8', HEADER_BYTES, bytesAt) };
}

/** Of the key and of all but itself: a file under another's name is as wrong as a torn one. */
const toChecksum = (key: string, file: Buffer<ArrayBuffer>): Buffer =>
  createHash('sha256')
    .update(key)
    .update(file.subarray(0, HEADER_BYTES - CHECKSUM_BYTES))
    .update(file.subarray(HEADER_BYTES))
    .digest();
