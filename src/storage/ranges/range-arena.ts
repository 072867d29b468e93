import { internal } from '../../errors.ts';

/**
 * Memory for stored bytes that all threads share, in pages. One thread fills and frees them; others copy from them, and
 * notice by the generation of a page that it was freed meanwhile.
 */
export interface ArenaHandle {
  readonly memory: SharedArrayBuffer;
  readonly pages: number;
}

/** Where bytes lie in the arena; plain data. Valid as long as its pages have these generations. */
export interface ArenaSlice {
  readonly length: number;
  readonly pages: readonly number[];
  readonly generations: readonly number[];
}

/** The arena as the thread sees it that fills it. */
export interface Arena {
  /** Copies bytes into free pages; null when there are not enough. */
  store(bytes: Uint8Array): ArenaSlice | null;
  free(slice: ArenaSlice): void;
}

/** A block of a COG takes some dozen; the last one is half empty on average. */
const PAGE_BYTES = 8 * 1024;

/** What a range takes of the arena. */
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

/** The arena of the one thread that fills it. */
export function makeArena({ memory, pages }: ArenaHandle): Arena {
  const generations = new Int32Array(memory, 0, pages);
  const dataAt = toDataAt(pages);
  const free = Array.from({ length: pages }, (_, page) => pages - 1 - page);
  // A thread that died may have left slices behind that others still hold.
  for (let page = 0; page < pages; page += 1) Atomics.add(generations, page, 1);
  return {
    store(bytes) {
      const count = Math.ceil(bytes.length / PAGE_BYTES);
      if (count > free.length) return null;
      const taken = free.splice(free.length - count, count);
      for (const [i, page] of taken.entries()) {
        const part = bytes.subarray(i * PAGE_BYTES, (i + 1) * PAGE_BYTES);
        new Uint8Array(memory, dataAt + page * PAGE_BYTES, part.length).set(part);
      }
      return {
        length: bytes.length,
        pages: taken,
        generations: taken.map((page) => Atomics.load(generations, page)),
      };
    },
    free(slice) {
      // Before anything is written into them again.
      for (const page of slice.pages) Atomics.add(generations, page, 1);
      free.push(...slice.pages);
    },
  };
}

/** Copies a slice, in any thread; null when a page of it was freed. */
export function readSlice({ memory, pages }: ArenaHandle, slice: ArenaSlice): Uint8Array<ArrayBuffer> | null {
  const generations = new Int32Array(memory, 0, pages);
  const dataAt = toDataAt(pages);
  const bytes = new Uint8Array(slice.length);
  for (const [i, page] of slice.pages.entries()) {
    const at = i * PAGE_BYTES;
    const length = Math.min(PAGE_BYTES, slice.length - at);
    bytes.set(new Uint8Array(memory, dataAt + page * PAGE_BYTES, length), at);
  }
  // Adding nothing instead of loading: a load may be done before the copy is complete.
  const isWhole = slice.pages.every((page, i) => Atomics.add(generations, page, 0) === slice.generations[i]);
  return isWhole ? bytes : null;
}

/** Aligned to a page of the operating system. */
const toDataAt = (pages: number): number => Math.ceil((pages * 4) / 4_096) * 4_096;
