/** A block in the cache: its key, how its region holds it, and the pins of the threads that read it. */

import { hash } from 'node:crypto';
import type { Block } from '../../formats/tiff/index.ts';
import type { PixelArray, SampleType } from '../../raster/index.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { internal } from '../errors.ts';
import type { Layout } from './layout.ts';
import { BLOCK_INFO, HEADER_WORDS, MAX_MEMBERS, MEMBER_TOP, READY, RESUME, STATE } from './layout.ts';

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

/** Where decoding of a block stopped, in numbers of the decoder. */
type ResumePoint = readonly [number, number, number, number];

/** A decoded block with the mask that the file stores. */
export interface MaskedBlock {
  readonly block: Block;
  readonly mask: Uint8Array | null;
}

/** A block that goes into the cache. */
export interface CachedBlock extends MaskedBlock {
  /** Rows from the top that are decoded; all of them when omitted. */
  readonly rowsReady?: number;
  /** How to continue with a partly decoded block. */
  readonly resume?: ResumePoint | undefined;
}

/** A block as the cache holds it. */
export interface StoredBlock extends MaskedBlock {
  readonly rowsReady: number;
  readonly resume: ResumePoint;
}

/** A block that was just read. Its memory is leased: `release` is called when no one reads it any more. */
export interface FreshBlock extends CachedBlock {
  readonly release?: (() => void) | undefined;
}

/** Sample types by number and their arrays (as in `makePixels`). */
const sampleTypes: readonly (readonly [
  SampleType,
  new (memory: SharedArrayBuffer, offset: number, length: number) => PixelArray,
])[] = [
  ['uint8', Uint8Array],
  ['int8', Int8Array],
  ['uint16', Uint16Array],
  ['int16', Int16Array],
  ['uint32', Uint32Array],
  ['int32', Int32Array],
  ['uint64', Float64Array],
  ['int64', Float64Array],
  ['float32', Float32Array],
  ['float64', Float64Array],
];

/** Bytes of a block in the cache; null when its parts are inconsistent, so that it could not be restored. */
export function measureBlock({ block, mask, rowsReady, resume }: CachedBlock): number | null {
  const { width, height, bandCount, pixels, type } = block;
  const samples = width * height;
  const rows = rowsReady ?? height;
  const fits =
    samples * bandCount === pixels.length &&
    pixels.byteLength === pixels.length * bytesPerSample[type] &&
    (mask === null || mask.length === samples) &&
    Number.isInteger(rows) &&
    rows >= 0 &&
    rows <= height &&
    (resume === undefined || resume.every(Number.isFinite));
  return fits ? pixels.byteLength + (mask?.byteLength ?? 0) : null;
}

/** Copies a block into its region. */
export function writeBlock(layout: Layout, page: number, cached: CachedBlock): void {
  const { words, headersAt, dataAt, pageBytes, memory } = layout;
  const { block, mask, rowsReady, resume } = cached;
  const { type, width, height, firstBand, bandCount, pixels } = block;
  const header = headersAt + page * HEADER_WORDS;
  const typeNumber = sampleTypes.findIndex(([name]) => name === type);
  const hasMask = mask === null ? 0 : 1;
  words.set(
    [typeNumber, width, height, firstBand, bandCount, hasMask, rowsReady ?? height],
    header + BLOCK_INFO,
  );
  new Float64Array(memory, (header + RESUME) * 4, 4).set(resume ?? [0, 0, 0, 0]);
  const at = dataAt + page * pageBytes;
  // Rows that are not decoded hold nothing to copy.
  const readyBytes = (pixels.byteLength / Math.max(1, height)) * (rowsReady ?? height);
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, readyBytes);
  new Uint8Array(memory, at, bytes.length).set(bytes);
  if (mask !== null) new Uint8Array(memory, at + pixels.byteLength, mask.length).set(mask);
}

/** The decoded rows of a region's block. */
export const readRowsReady = ({ words, headersAt }: Layout, page: number): number =>
  words[headersAt + page * HEADER_WORDS + BLOCK_INFO + 6]!;

/** A view of a block in its region: valid only while the region is pinned. */
export function viewBlock(layout: Layout, page: number): StoredBlock {
  const { words, headersAt, dataAt, pageBytes, memory } = layout;
  const header = headersAt + page * HEADER_WORDS;
  const info = words.subarray(header + BLOCK_INFO, header + BLOCK_INFO + 7);
  const [typeNumber, width, height, firstBand, bandCount, hasMask, rowsReady] = info as unknown as number[];
  const [type, PixelView] = sampleTypes[typeNumber!]!;
  const at = dataAt + page * pageBytes;
  const samples = width! * height!;
  const pixels = new PixelView(memory, at, samples * bandCount!);
  const mask = hasMask === 1 ? new Uint8Array(memory, at + pixels.byteLength, samples) : null;
  const [a, b, c, d] = new Float64Array(memory, (header + RESUME) * 4, 4);
  const block: Block = {
    width: width!,
    height: height!,
    firstBand: firstBand!,
    bandCount: bandCount!,
    type,
    pixels,
  };
  return { block, mask, rowsReady: rowsReady!, resume: [a!, b!, c!, d!] };
}

/** Pins the region that a thread reads: one at a time, and a pinned region is never reused. */
interface Pin {
  /** True when the region was ready after it was pinned: then it does not change until `unpin`. */
  pin(page: number): boolean;
  unpin(): void;
}

/**
 * Takes a member slot. The slot itself is the pin (a hazard pointer): a killed thread leaves one word behind that says
 * what it held, and the main thread clears it.
 */
export function joinMembers(layout: Layout, owner: number): Pin {
  const { words, pinsAt, headersAt } = layout;
  const slot = takeSlot(layout, owner);
  return {
    pin(page) {
      if (words[pinsAt + slot] !== 0) {
        throw internal('nested-block', 'A thread reads two blocks of the cache at once.');
      }
      // First the pin, then the check. A thread that evicts regions first marks them and then checks for pins. Atomics
      // have one order for all threads, so one of the two sees the other.
      Atomics.store(words, pinsAt + slot, page + 1);
      if (Atomics.load(words, headersAt + page * HEADER_WORDS + STATE) === READY) return true;
      Atomics.store(words, pinsAt + slot, 0);
      return false;
    },
    unpin() {
      Atomics.store(words, pinsAt + slot, 0);
    },
  };
}

function takeSlot({ words, ownersAt }: Layout, owner: number): number {
  for (let slot = 0; slot < MAX_MEMBERS; slot += 1) {
    if (Atomics.compareExchange(words, ownersAt + slot, 0, owner) !== 0) continue;
    // From now on checks for pins must include this slot.
    for (;;) {
      const top = Atomics.load(words, MEMBER_TOP);
      if (top > slot || Atomics.compareExchange(words, MEMBER_TOP, top, slot + 1) === top) return slot;
    }
  }
  throw internal('block-cache-full', `More than ${MAX_MEMBERS} threads want to share the block cache.`);
}

/** Whether any thread reads the region that begins at `page`. */
export function isPinned({ words, pinsAt }: Layout, page: number): boolean {
  const top = Atomics.load(words, MEMBER_TOP);
  for (let slot = 0; slot < top; slot += 1) {
    if (Atomics.load(words, pinsAt + slot) === page + 1) return true;
  }
  return false;
}

/** Releases the slot, and its pin, of a thread that has exited. */
export function leaveMembers({ words, ownersAt, pinsAt }: Layout, owner: number): void {
  const top = Atomics.load(words, MEMBER_TOP);
  for (let slot = 0; slot < top; slot += 1) {
    if (Atomics.load(words, ownersAt + slot) !== owner) continue;
    Atomics.store(words, pinsAt + slot, 0);
    Atomics.store(words, ownersAt + slot, 0);
  }
}
