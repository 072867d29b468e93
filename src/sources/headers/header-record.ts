import type { FilePart } from '../ranges/byte-source.ts';

/**
 * What was learned when a remote file was opened: its state, as the reader of its kind describes it, and the bytes that
 * were needed.
 */
export interface HeaderRecord {
  /** A short text, such as JSON. */
  readonly state: string;
  readonly parts: readonly FilePart[];
}

/** Lengths of the state and of the table of parts come first. */
const LENGTHS_BYTES = 8;
/** Offset and length of a part, as doubles: offsets reach 2⁵³. */
const PART_BYTES = 16;
/** Tables of offsets of the largest files we have seen take a tenth of this. */
const MAX_RECORD_BYTES = 4 * 2 ** 20;

/** A record as bytes; null for one that is too large to be stored. */
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

/** Reads a record from its bytes; null for anything that is not one. */
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
