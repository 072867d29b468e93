import { createHash } from 'node:crypto';

/** Tells our files from others, and this format of them from later ones. */
const MAGIC = Buffer.from('SWSF1\n\0\0', 'latin1');
const CHECKSUM_BYTES = 32;

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
  toChecksum(name, file.subarray(HEAD_BYTES)).copy(file, MAGIC.length);
  return file;
}

/** Whether a head is that of these bytes under this name; false for a file that is torn, altered, or of another name. */
export const isHeadOf = (head: Buffer, name: string, bytes: Uint8Array): boolean =>
  head.subarray(0, MAGIC.length).equals(MAGIC) && toChecksum(name, bytes).equals(head.subarray(MAGIC.length));

/** Of the name too: a file under another's name is as wrong as a torn one. SHA-256 takes 0.28 ms for a block of 300 kB. */
const toChecksum = (name: string, bytes: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(bytes).digest();
