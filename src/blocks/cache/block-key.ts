import { hash } from 'node:crypto';

/** Identifies a decoded block in all threads. */
export interface BlockKey {
  /** Of the opened file, from `toFileKey`. */
  readonly file: FileKey;
  readonly level: number;
  /** Of the block in its level. */
  readonly number: number;
}

/** Identifies the names and versions of a file: 128 bits of a hash without practical collisions. */
export type FileKey = readonly [number, number, number, number];

/** The key of a file, from everything that distinguishes it from others. */
export function toFileKey(parts: readonly string[]): FileKey {
  // As JSON, so that the parts cannot run into each other.
  const digest = hash('sha256', JSON.stringify(parts), 'buffer');
  return [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)];
}

/** Spreads keys over tables; the file's part is a hash already. */
export function hashKey({ file, level, number }: BlockKey): number {
  // Odd constants: 2³² / golden ratio, and of MurmurHash's finisher.
  let hash = file[0] ^ Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(level + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Writes a key at `at`, as six words. */
export function writeKey(words: Int32Array, at: number, { file, level, number }: BlockKey): void {
  for (let i = 0; i < file.length; i += 1) words[at + i] = file[i]!;
  words[at + 4] = level;
  words[at + 5] = number;
}

/** Whether `key` is stored at `at`. */
export const hasKey = (words: Int32Array, at: number, { file, level, number }: BlockKey): boolean =>
  words[at] === file[0] &&
  words[at + 1] === file[1] &&
  words[at + 2] === file[2] &&
  words[at + 3] === file[3] &&
  words[at + 4] === level &&
  words[at + 5] === number;

/** The key stored at `at`. */
export const readKey = (words: Int32Array, at: number): BlockKey => ({
  file: [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!],
  level: words[at + 4]!,
  number: words[at + 5]!,
});
