import { throwIfCancelled } from '../async/index.ts';
import type { SharedFolder } from '../files/index.ts';
import type { ByteRange, ByteSource, UseBytes } from './byte-source.ts';

/** A remote file whose ranges are stored on disk. */
interface CachedFile {
  readonly folder: SharedFolder;
  /** Identifies the state of the file and the account that reads it. */
  readonly key: string;
  /** Whether the store has answered since the file was opened. */
  readonly isFresh: boolean;
  /** Asks the store whether the file is unchanged. */
  readonly confirm: () => Promise<void>;
  /** Whether an error of `confirm` or of a read says that the file has changed. */
  readonly isLost: (error: unknown) => boolean;
  readonly nowMs?: () => number;
  /** Runs a function later; returns the function that cancels it. */
  readonly schedule?: (run: () => void, delayMs: number) => () => void;
}

/** How often a file that is read from disk only is confirmed. */
const CONFIRM_MS = 60_000;
/** Delay after the read: a request for other bytes of the picture confirms the file too, and no picture waits for this. */
const CONFIRM_DELAY_MS = 1_000;

const scheduleTimer = (run: () => void, delayMs: number): (() => void) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};

/**
 * Reads stored ranges from disk, requests the missing ones and stores them. It never returns bytes of another state of
 * the file. If all reads are hits, it asks the store once a minute, after a read, whether the file is unchanged.
 */
export function withRangeCache(source: ByteSource, file: CachedFile): ByteSource {
  const { folder, key, nowMs = () => performance.now(), schedule = scheduleTimer } = file;
  const ranges = makeStoredRanges(folder, key, nowMs);
  let confirmedMs = file.isFresh ? nowMs() : Number.NEGATIVE_INFINITY;
  let cancelConfirm: (() => void) | null = null;
  /** Set when the file has changed: none of its bytes may be shown any more. */
  let lost: Error | null = null;

  /** Reads from the store. */
  const request = async <Result>(
    range: ByteRange,
    use: UseBytes<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    try {
      const result =
        source.withBytes === undefined
          ? use(await source.read(range.offset, range.length, signal))
          : await source.withBytes(range, use, signal);
      confirmedMs = nowMs();
      return result;
    } catch (error) {
      await noteLoss(error);
      throw error;
    }
  };
  const noteLoss = async (error: unknown): Promise<void> => {
    if (!file.isLost(error)) return;
    lost = error as Error;
    await ranges.clear();
  };
  const isDue = (): boolean => nowMs() - confirmedMs > CONFIRM_MS;
  const confirmLater = (): void => {
    if (!isDue() || cancelConfirm !== null) return;
    cancelConfirm = schedule(() => {
      const settle = (): void => {
        cancelConfirm = null;
      };
      if (!isDue()) return settle();
      // A store that does not answer says nothing about the file; the next read asks again.
      void file
        .confirm()
        .then(() => {
          confirmedMs = nowMs();
        }, noteLoss)
        .finally(settle);
    }, CONFIRM_DELAY_MS);
  };

  const readPart = async (part: ReadPart, isStored: boolean, signal?: AbortSignal): Promise<Uint8Array> => {
    const { offset, length, stored } = part;
    const found = stored === null ? null : await ranges.read(stored);
    if (stored !== null && found !== null) {
      // Copied: a small part must not keep the whole range in memory.
      const start = offset - stored.offset;
      return length === found.length ? found : found.slice(start, start + length);
    }
    const copy: UseBytes<Uint8Array> = (bytes) => {
      if (isStored) ranges.store(offset, bytes);
      return bytes.slice();
    };
    return request({ offset, length }, copy, signal);
  };

  const isOutside = (offset: number, length: number): boolean =>
    !(offset >= 0 && length > 0 && offset + length <= source.size);
  /** Divides a read into stored and missing parts, and counts a hit or a miss. */
  const planParts = async (
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<readonly ReadPart[]> => {
    if (lost !== null) throw lost;
    const parts = await ranges.plan(offset, length);
    throwIfCancelled(signal);
    const isHit = parts.every(({ stored }) => stored !== null);
    folder.counters.add(isHit ? 'hits' : 'misses', 1);
    if (isHit) confirmLater();
    return parts;
  };
  const readParts = async (
    parts: readonly ReadPart[],
    isStored: boolean,
    signal?: AbortSignal,
  ): Promise<Uint8Array> => {
    const found = await Promise.all(parts.map((part) => readPart(part, isStored, signal)));
    // Another read may have found meanwhile that the file has changed.
    if (lost !== null) throw lost;
    return joinParts(found);
  };
  const read = async (
    { offset, length }: ByteRange,
    isStored: boolean,
    signal?: AbortSignal,
  ): Promise<Uint8Array> => {
    if (isOutside(offset, length) || source.isKnown?.(offset, length) === true)
      return source.read(offset, length, signal);
    return readParts(await planParts(offset, length, signal), isStored, signal);
  };

  return {
    ...source,
    read: (offset, length, signal) => read({ offset, length }, true, signal),
    readOnce: (offset, length, signal) => read({ offset, length }, false, signal),
    async withBytes(range, use, signal) {
      const { offset, length } = range;
      if (isOutside(offset, length) || source.isKnown?.(offset, length) === true)
        return use(await source.read(offset, length, signal));
      const parts = await planParts(offset, length, signal);
      if (parts.some(({ stored }) => stored !== null)) return use(await readParts(parts, true, signal));
      return request(
        range,
        (bytes) => {
          if (lost !== null) throw lost;
          ranges.store(offset, bytes);
          return use(bytes);
        },
        signal,
      );
    },
    isLost: () => lost !== null,
    async close() {
      // The folder stays open: other files and threads use it.
      cancelConfirm?.();
      cancelConfirm = null;
      await Promise.all([source.close(), folder.settled()]);
    },
  };
}

function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A range of bytes of a file. */
interface StoredRange {
  readonly offset: number;
  readonly length: number;
}

/** A part of a read, inside one stored range or missing. */
interface ReadPart extends StoredRange {
  /** The stored range that holds the part; null if it must be requested. */
  readonly stored: StoredRange | null;
}

/** The stored ranges of one state of a file. */
interface RangeIndex {
  add(range: StoredRange): void;
  remove(range: StoredRange): void;
  /** Divides a read into stored and missing parts, in the order of the file. */
  planRead(offset: number, length: number): readonly ReadPart[];
}

/** Builds an index of the ranges of one file. */
export function makeRangeIndex(): RangeIndex {
  /** Sorted by offset; of equal offsets the longest range comes first. */
  const ranges: StoredRange[] = [];
  /** No range that begins before `offset - longest` reaches beyond the offset. */
  let longest = 0;

  /** The first index whose range does not sort before the given one. */
  const find = (offset: number, length: number): number => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = ranges[middle] as StoredRange;
      if (one.offset < offset || (one.offset === offset && one.length > length)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const isAt = (index: number, { offset, length }: StoredRange): boolean =>
    ranges[index]?.offset === offset && ranges[index]?.length === length;

  /** The stored range that holds a byte and reaches furthest beyond it. */
  const findHolding = (at: number): StoredRange | null => {
    let best: StoredRange | null = null;
    let bestEnd = at;
    for (let i = find(at - longest, Number.POSITIVE_INFINITY); i < ranges.length; i += 1) {
      const one = ranges[i] as StoredRange;
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
interface StoredRanges {
  /** Divides a read into stored and missing parts; knows the ranges that other threads have stored meanwhile. */
  plan(offset: number, length: number): Promise<readonly ReadPart[]>;
  /** The bytes of a stored range; null if its file is missing or damaged. */
  read(range: StoredRange): Promise<Uint8Array | null>;
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
function makeStoredRanges(folder: SharedFolder, key: string, nowMs: () => number): StoredRanges {
  const below = `${key.slice(0, 2)}/${key}`;
  const index = makeRangeIndex();
  const toName = ({ offset, length }: StoredRange): string =>
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

function parseName(name: string): StoredRange {
  const [offset = '', length = ''] = name.split('+');
  return { offset: Number.parseInt(offset, 16), length: Number.parseInt(length, 16) };
}
