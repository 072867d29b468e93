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

/** The arena, as seen by the thread that fills it. */
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
  const data = new Uint8Array(memory, toDataAt(pages));
  // Taken from the end: pages that follow each other are copied in one go.
  const free = Array.from({ length: pages }, (_, page) => pages - 1 - page);
  // A thread that died may have left slices behind that others still hold.
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
      // Before anything is written into them again.
      for (const page of slice.pages) Atomics.add(generations, page, 1);
      free.push(...slice.pages.toReversed());
    },
  };
}

/** A copy of a slice, in any thread; null when a page of it was freed. */
export function readSlice(handle: ArenaHandle, slice: ArenaSlice): Uint8Array<ArrayBuffer> | null {
  // Not cleared first: every byte is written.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(slice.length).buffer);
  return copySlice(handle, slice, bytes) ? bytes : null;
}

/** Copies a slice, in any thread, into memory of its length; false when a page of it was freed. */
export function copySlice({ memory, pages }: ArenaHandle, slice: ArenaSlice, target: Uint8Array): boolean {
  const generations = new Int32Array(memory, 0, pages);
  const data = new Uint8Array(memory, toDataAt(pages));
  forEachRun(slice.pages, slice.length, ({ at, dataAt, length }) =>
    target.set(data.subarray(dataAt, dataAt + length), at),
  );
  // Adding nothing instead of loading: a load may be done before the copy is complete.
  return slice.pages.every((page, i) => Atomics.add(generations, page, 0) === slice.generations[i]);
}

/** Bytes that lie together in a slice and in the arena. */
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

/** Aligned to a page of the operating system. */
const toDataAt = (pages: number): number => Math.ceil((pages * 4) / 4_096) * 4_096;
