import { crc32 } from 'node:zlib';

/** Tells our files from others, and this format of them from later ones. */
const MAGIC = Buffer.from('SWSF2\n\0\0', 'latin1');
const CHECKSUM_BYTES = 8;

/** What stands before the bytes of an entry: magic and checksum. */
export const HEAD_BYTES = MAGIC.length + CHECKSUM_BYTES;

/** Copies the bytes of an entry into the memory of a file, behind its head; `sealEntry` completes it. */
export function copyEntry(bytes: Uint8Array, memory = new ArrayBuffer(HEAD_BYTES + bytes.length)): Buffer {
  const file = Buffer.from(memory, 0, HEAD_BYTES + bytes.length);
  file.set(bytes, HEAD_BYTES);
  return file;
}

/** Writes the head of a file: magic and checksum. */
export function sealEntry(name: string, file: Buffer): Buffer {
  MAGIC.copy(file);
  file.writeBigUInt64LE(toChecksum(name, file.subarray(HEAD_BYTES)), MAGIC.length);
  return file;
}

/** Whether a head is that of these bytes under this name; false for a file that is torn, altered, or of another name. */
export const isHeadOf = (head: Buffer, name: string, bytes: Uint8Array): boolean =>
  head.subarray(0, MAGIC.length).equals(MAGIC) &&
  head.readBigUInt64LE(MAGIC.length) === toChecksum(name, bytes);

/**
 * A CRC of the bytes and one of the name: a file under another's name is as wrong as a torn one. They tell accidents, not
 * forgeries, for half the time of SHA-256: 0.1 ms for a block of 300 kB.
 */
const toChecksum = (name: string, bytes: Uint8Array): bigint =>
  (BigInt(crc32(name)) << 32n) | BigInt(crc32(bytes));
