import type { ByteRange } from './byte-range.ts';

/** Ranges of remote files in memory: those that jobs are about to read, and as many earlier ones as there is room for. */
export interface RangeMemory {
  /** The bytes of a range; undefined when they are not here. They may be read, never written. */
  find(source: RangeOwner, range: ByteRange): Uint8Array | undefined;
  /**
   * Promises room for so many bytes, those of ranges that are here already included, until `release`; null when there is
   * none now.
   */
  reserve(bytes: number): RangeHold | null;
  /** Stores a range that no job has asked for yet, if there is room without it being held. */
  storeAhead(source: RangeOwner, range: ByteRange, bytes: Uint8Array): void;
  readonly budgetBytes: number;
  usedBytes(): number;
}

/** Whose bytes they are: an opened source. One that is opened again has none of the bytes of the one before. */
export type RangeOwner = object;

/** What one job holds. */
export interface RangeHold {
  /** Holds a range that is here already; false when it is not. */
  hold(source: RangeOwner, range: ByteRange): boolean;
  store(source: RangeOwner, range: ByteRange, bytes: Uint8Array): void;
  /** Ends it: the bytes stay as long as there is room. Only the first call counts. */
  release(): void;
}

/** Told how much of what was read ahead was asked for, and how much was not. */
export interface AheadHooks {
  readonly onUseful?: (bytes: number) => void;
  readonly onWasted?: (bytes: number) => void;
}

interface Entry {
  readonly bytes: Uint8Array;
  holds: number;
  isAhead: boolean;
}

/** Builds a memory of at most `budgetBytes`. Held ranges stay; of the others the one unused for longest goes first. */
export function makeRangeMemory(budgetBytes: number, hooks: AheadHooks = {}): RangeMemory {
  // A Map iterates in insertion order: its first entries are those unused for longest.
  const entries = new Map<string, Entry>();
  let usedBytes = 0;
  /** Promised to holds, whether it has arrived or not; what two of them share counts twice. */
  let reservedBytes = 0;
  let heldBytes = 0;
  const serials = new WeakMap<RangeOwner, number>();
  let lastSerial = 0;
  const isFull = (): boolean => usedBytes - heldBytes + reservedBytes > budgetBytes;

  function toKey(source: RangeOwner, { offset, length }: ByteRange): string {
    let serial = serials.get(source);
    if (serial === undefined) {
      lastSerial += 1;
      serial = lastSerial;
      serials.set(source, serial);
    }
    return `${serial} ${offset} ${length}`;
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (!isFull()) return;
      if (entry.holds > 0) continue;
      entries.delete(key);
      usedBytes -= entry.bytes.length;
      if (entry.isAhead) hooks.onWasted?.(entry.bytes.length);
    }
  }

  function use(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    entries.set(key, entry);
    if (entry.isAhead) hooks.onUseful?.(entry.bytes.length);
    entry.isAhead = false;
    return entry;
  }

  function put(key: string, entry: Entry): void {
    entries.set(key, entry);
    usedBytes += entry.bytes.length;
  }

  return {
    budgetBytes,
    usedBytes: () => usedBytes,
    find: (source, range) => use(toKey(source, range))?.bytes,
    storeAhead(source, range, bytes) {
      const key = toKey(source, range);
      if (entries.has(key) || reservedBytes + bytes.length > budgetBytes) return;
      put(key, { bytes, holds: 0, isAhead: true });
      makeRoom();
    },
    reserve(bytes) {
      if (reservedBytes + bytes > budgetBytes) return null;
      reservedBytes += bytes;
      makeRoom();
      const held = new Set<Entry>();
      let isOver = false;
      const take = (entry: Entry): void => {
        if (isOver || held.has(entry)) return;
        if (entry.holds === 0) heldBytes += entry.bytes.length;
        entry.holds += 1;
        held.add(entry);
      };
      return {
        hold(source, range) {
          const entry = use(toKey(source, range));
          if (entry !== undefined) take(entry);
          return entry !== undefined;
        },
        store(source, range, data) {
          const key = toKey(source, range);
          const known = use(key);
          const entry = known ?? { bytes: data, holds: 0, isAhead: false };
          if (known === undefined) put(key, entry);
          take(entry);
          makeRoom();
        },
        release() {
          if (isOver) return;
          isOver = true;
          reservedBytes -= bytes;
          for (const entry of held) {
            entry.holds -= 1;
            if (entry.holds === 0) heldBytes -= entry.bytes.length;
          }
          makeRoom();
        },
      };
    },
  };
}
