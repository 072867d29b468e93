import type { SharedFolder } from '../files/index.ts';
import type { ByteRange } from './byte-source.ts';

/** A part of a read, inside one stored range or missing. */
export interface ReadPart extends ByteRange {
  /** The stored range that holds the part; null if it must be requested. */
  readonly stored: ByteRange | null;
}

/** The stored ranges of one state of a file. */
interface RangeIndex {
  add(range: ByteRange): void;
  remove(range: ByteRange): void;
  /** Divides a read into stored and missing parts, in the order of the file. */
  planRead(offset: number, length: number): readonly ReadPart[];
}

/** Builds an index of the ranges of one file. */
export function makeRangeIndex(): RangeIndex {
  /** Sorted by offset; of equal offsets the longest range comes first. */
  const ranges: ByteRange[] = [];
  /** No range that begins before `offset - longest` reaches beyond the offset. */
  let longest = 0;

  /** The first index whose range does not sort before the given one. */
  const find = (offset: number, length: number): number => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = ranges[middle] as ByteRange;
      if (one.offset < offset || (one.offset === offset && one.length > length)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const isAt = (index: number, { offset, length }: ByteRange): boolean =>
    ranges[index]?.offset === offset && ranges[index]?.length === length;

  /** The stored range that holds a byte and reaches furthest beyond it. */
  const findHolding = (at: number): ByteRange | null => {
    let best: ByteRange | null = null;
    let bestEnd = at;
    for (let i = find(at - longest, Number.POSITIVE_INFINITY); i < ranges.length; i += 1) {
      const one = ranges[i] as ByteRange;
      if (one.offset > at) break;
      const end = one.offset + one.length;
      if (end > bestEnd) [best, bestEnd] = [one, end];
    }
    return best;
  };
  const nextStart = (at: number): number =>
    ranges[find(at, Number.POSITIVE_INFINITY)]?.offset ?? Number.POSITIVE_INFINITY;

  return {
    add(range) {
      const index = find(range.offset, range.length);
      if (isAt(index, range)) return;
      ranges.splice(index, 0, range);
      longest = Math.max(longest, range.length);
    },
    remove(range) {
      const index = find(range.offset, range.length);
      if (isAt(index, range)) ranges.splice(index, 1);
    },
    planRead(offset, length) {
      const parts: ReadPart[] = [];
      const end = offset + length;
      for (let at = offset; at < end; ) {
        const stored = findHolding(at);
        const partEnd = Math.min(end, stored === null ? nextStart(at) : stored.offset + stored.length);
        parts.push({ offset: at, length: partEnd - at, stored });
        at = partEnd;
      }
      return parts;
    },
  };
}

/** The stored ranges of one state of a file. */
export interface StoredRanges {
  /** Divides a read into stored and missing parts; knows the ranges that other threads have stored meanwhile. */
  plan(offset: number, length: number): Promise<readonly ReadPart[]>;
  /** The bytes of a stored range; null if its file is missing or damaged. */
  read(range: ByteRange): Promise<Uint8Array | null>;
  /** Queues a copy of the bytes to be stored. */
  store(offset: number, bytes: Uint8Array): void;
  /** Removes all stored ranges. */
  clear(): Promise<void>;
}

/**
 * Longer reads are stored in pieces, because a stored range is always read and checked as a whole. A piece takes 2 ms.
 */
const PIECE_BYTES = 2 ** 20;

/** How often the folder is listed for ranges of other threads at most: a thousand files take a millisecond. */
const RELIST_MS = 1_000;

/** Opens the ranges of one key in a folder: each is a file named by its offset and length. */
export function makeStoredRanges(folder: SharedFolder, key: string, nowMs: () => number): StoredRanges {
  const below = `${key.slice(0, 2)}/${key}`;
  const index = makeRangeIndex();
  const toName = ({ offset, length }: ByteRange): string =>
    `${below}/${offset.toString(16)}+${length.toString(16)}`;
  let listing: Promise<void> | null = null;
  let listedMs = Number.NEGATIVE_INFINITY;

  /** Reads that are planned together share one listing and continue together, so that their requests can be merged. */
  const list = (): Promise<void> => {
    listing ??= folder
      .list(below)
      .then((names) => {
        for (const name of names) index.add(parseName(name));
        listedMs = nowMs();
      })
      .finally(() => {
        listing = null;
      });
    return listing;
  };

  return {
    async plan(offset, length) {
      const known = index.planRead(offset, length);
      if (known.every(({ stored }) => stored !== null) || nowMs() - listedMs < RELIST_MS) return known;
      await list();
      return index.planRead(offset, length);
    },
    async read(range) {
      const bytes = await folder.read(toName(range));
      if (bytes === null) index.remove(range);
      return bytes;
    },
    store(offset, bytes) {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        const range = { offset: offset + at, length: piece.length };
        void folder.write(toName(range), piece).then((isStored) => {
          if (isStored) index.add(range);
        });
      }
    },
    clear: () => folder.removeAll(below),
  };
}

function parseName(name: string): ByteRange {
  const [offset = '', length = ''] = name.split('+');
  return { offset: Number.parseInt(offset, 16), length: Number.parseInt(length, 16) };
}
