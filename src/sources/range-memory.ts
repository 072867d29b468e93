import type { ByteRange } from './byte-source.ts';
import { internal } from './errors.ts';

/**
 * Memory for stored bytes that all threads share, in pages. One thread fills and frees pages; others copy from them, and
 * notice by a page's generation that it was freed meanwhile.
 */
export interface ArenaHandle {
  readonly memory: SharedArrayBuffer;
  readonly pages: number;
}

/** The place of bytes in the arena; plain data. Valid as long as its pages have these generations. */
export interface ArenaSlice {
  readonly length: number;
  readonly pages: readonly number[];
  readonly generations: readonly number[];
}

/** The arena for the thread that fills it. */
interface Arena {
  /** Copies bytes into free pages; null if there are not enough. */
  store(bytes: Uint8Array): ArenaSlice | null;
  free(slice: ArenaSlice): void;
}

/** A COG block takes a few dozen pages; the last one is half empty on average. */
const PAGE_BYTES = 8 * 1024;

/** The arena space of a range. */
export const toArenaBytes = (length: number): number => Math.ceil(length / PAGE_BYTES) * PAGE_BYTES;

/** Reserves an arena. Pages cost memory only once they are used. */
export function makeArenaHandle(budgetBytes: number): ArenaHandle {
  const pages = Math.floor(budgetBytes / PAGE_BYTES);
  try {
    return { memory: new SharedArrayBuffer(toDataAt(pages) + pages * PAGE_BYTES), pages };
  } catch (cause) {
    const mib = Math.round(budgetBytes / 2 ** 20);
    throw internal('no-fetch-memory', `The system has no ${mib} MiB for the bytes of remote files.`, {
      cause,
    });
  }
}

/** Builds the arena in the one thread that fills it. */
export function makeArena({ memory, pages }: ArenaHandle): Arena {
  const generations = new Int32Array(memory, 0, pages);
  const data = new Uint8Array(memory, toDataAt(pages));
  // Taken from the end, so that successive pages are contiguous and copied in one call.
  const free = Array.from({ length: pages }, (_, page) => pages - 1 - page);
  // Other threads may still hold slices of a thread that died.
  for (let page = 0; page < pages; page += 1) Atomics.add(generations, page, 1);
  return {
    store(bytes) {
      const count = Math.ceil(bytes.length / PAGE_BYTES);
      if (count > free.length) return null;
      const taken = free.splice(free.length - count, count).reverse();
      forEachRun(taken, bytes.length, ({ at, dataAt, length }) =>
        data.set(bytes.subarray(at, at + length), dataAt),
      );
      return {
        length: bytes.length,
        pages: taken,
        generations: taken.map((page) => Atomics.load(generations, page)),
      };
    },
    free(slice) {
      // Before the pages are written again.
      for (const page of slice.pages) Atomics.add(generations, page, 1);
      free.push(...slice.pages.toReversed());
    },
  };
}

/** Copies a slice, in any thread; null if one of its pages was freed. */
export function readSlice(handle: ArenaHandle, slice: ArenaSlice): Uint8Array<ArrayBuffer> | null {
  // Not cleared, because every byte is written.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(slice.length).buffer);
  return copySlice(handle, slice, bytes) ? bytes : null;
}

/** Copies a slice, in any thread, into memory of its length; false if one of its pages was freed. */
export function copySlice({ memory, pages }: ArenaHandle, slice: ArenaSlice, target: Uint8Array): boolean {
  const generations = new Int32Array(memory, 0, pages);
  const data = new Uint8Array(memory, toDataAt(pages));
  forEachRun(slice.pages, slice.length, ({ at, dataAt, length }) =>
    target.set(data.subarray(dataAt, dataAt + length), at),
  );
  // Adds 0 instead of loading: a load may be reordered before the end of the copy.
  return slice.pages.every((page, i) => Atomics.add(generations, page, 0) === slice.generations[i]);
}

/** Bytes that are contiguous in a slice and in the arena. */
interface Run {
  /** Offset in the slice. */
  readonly at: number;
  readonly dataAt: number;
  readonly length: number;
}

function forEachRun(pages: readonly number[], length: number, use: (run: Run) => void): void {
  for (let i = 0; i < pages.length; ) {
    const first = pages[i] as number;
    let count = 1;
    while (pages[i + count] === first + count) count += 1;
    const at = i * PAGE_BYTES;
    use({ at, dataAt: first * PAGE_BYTES, length: Math.min(count * PAGE_BYTES, length - at) });
    i += count;
  }
}

/** The start of the data, aligned to a page of the operating system. */
const toDataAt = (pages: number): number => Math.ceil((pages * 4) / 4_096) * 4_096;

/** Ranges of remote files in memory: those that jobs are about to read, and as many earlier ones as fit. */
export interface RangeMemory {
  /** A copy of a range's bytes; undefined on a miss. */
  find(source: RangeOwner, range: ByteRange): Uint8Array | undefined;
  has(source: RangeOwner, range: ByteRange): boolean;
  /** Reserves room for ranges, in memory or not, until `release`; null if there is not enough now. */
  reserve(ranges: readonly ByteRange[]): RangeHold | null;
  /** Stores a range without a reservation if there is room. */
  remember(source: RangeOwner, range: ByteRange, bytes: Uint8Array): void;
  /** Marks a range in memory as prefetched and not yet used. */
  markAhead(source: RangeOwner, range: ByteRange): void;
  readonly budgetBytes: number;
  usedBytes(): number;
}

/** The opened source that owns the bytes. A source that is opened again does not get the bytes of the earlier one. */
type RangeOwner = object;

/** The ranges that one job holds. */
export interface RangeHold {
  /** Holds a range that is in memory; null on a miss. */
  hold(source: RangeOwner, range: ByteRange): ArenaSlice | null;
  /** Stores a range that has a reservation, and holds it. */
  store(source: RangeOwner, range: ByteRange, bytes: Uint8Array): ArenaSlice | null;
  /** Ends the hold: the bytes stay as long as there is room. Only the first call counts. */
  release(): void;
}

/** Called with the prefetched bytes that were used, and with those that were not. */
interface AheadHooks {
  readonly onUseful?: (bytes: number) => void;
  readonly onWasted?: (bytes: number) => void;
}

interface Entry {
  readonly slice: ArenaSlice;
  /** The arena space of the range. */
  readonly bytes: number;
  holds: number;
  isAhead: boolean;
}

/** Builds the memory on an arena. Held ranges stay; of the others the least recently used is dropped first. */
export function makeRangeMemory(handle: ArenaHandle, hooks: AheadHooks = {}): RangeMemory {
  const arena = makeArena(handle);
  const budgetBytes = handle.pages * toArenaBytes(1);
  // A Map iterates in insertion order: its first entries are the least recently used.
  const entries = new Map<string, Entry>();
  const serials = new WeakMap<RangeOwner, number>();
  let lastSerial = 0;
  let usedBytes = 0;
  /** Bytes reserved by holds, arrived or not; a range that two holds share counts twice. */
  let reservedBytes = 0;
  let heldBytes = 0;

  function toKey(source: RangeOwner, { offset, length }: ByteRange): string {
    let serial = serials.get(source);
    if (serial === undefined) {
      lastSerial += 1;
      serial = lastSerial;
      serials.set(source, serial);
    }
    return `${serial} ${offset} ${length}`;
  }

  /** Drops ranges that nobody holds until the reserved ones and `more` fit. */
  function makeRoom(more = 0): void {
    for (const [key, entry] of entries) {
      if (usedBytes - heldBytes + reservedBytes + more <= budgetBytes) return;
      if (entry.holds > 0) continue;
      entries.delete(key);
      usedBytes -= entry.bytes;
      arena.free(entry.slice);
      if (entry.isAhead) hooks.onWasted?.(entry.slice.length);
    }
  }

  function use(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    entries.set(key, entry);
    if (entry.isAhead) hooks.onUseful?.(entry.slice.length);
    entry.isAhead = false;
    return entry;
  }

  function put(key: string, data: Uint8Array): Entry | null {
    const slice = arena.store(data);
    if (slice === null) return null;
    const entry = { slice, bytes: toArenaBytes(data.length), holds: 0, isAhead: false };
    entries.set(key, entry);
    usedBytes += entry.bytes;
    return entry;
  }

  return {
    budgetBytes,
    usedBytes: () => usedBytes,
    has: (source, range) => entries.has(toKey(source, range)),
    find(source, range) {
      const entry = use(toKey(source, range));
      return entry === undefined ? undefined : (readSlice(handle, entry.slice) ?? undefined);
    },
    markAhead(source, range) {
      const entry = entries.get(toKey(source, range));
      if (entry !== undefined && entry.holds === 0) entry.isAhead = true;
    },
    remember(source, range, data) {
      const key = toKey(source, range);
      const needed = toArenaBytes(data.length);
      if (entries.has(key) || reservedBytes + needed > budgetBytes) return;
      makeRoom(needed);
      put(key, data);
    },
    reserve(ranges) {
      const bytes = ranges.reduce((sum, { length }) => sum + toArenaBytes(length), 0);
      if (reservedBytes + bytes > budgetBytes) return null;
      reservedBytes += bytes;
      makeRoom();
      const held = new Set<Entry>();
      let isOver = false;
      const take = (entry: Entry): ArenaSlice => {
        if (!isOver && !held.has(entry)) {
          if (entry.holds === 0) heldBytes += entry.bytes;
          entry.holds += 1;
          held.add(entry);
        }
        return entry.slice;
      };
      return {
        hold(source, range) {
          const entry = use(toKey(source, range));
          return entry === undefined ? null : take(entry);
        },
        store(source, range, data) {
          const key = toKey(source, range);
          const entry = use(key) ?? put(key, data);
          return entry === null ? null : take(entry);
        },
        release() {
          if (isOver) return;
          isOver = true;
          reservedBytes -= bytes;
          for (const entry of held) {
            entry.holds -= 1;
            if (entry.holds === 0) heldBytes -= entry.bytes;
          }
          makeRoom();
        },
      };
    },
  };
}
