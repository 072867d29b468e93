import { internal } from '../errors.ts';

/**
 * The memory that all threads share, and how it is divided. First come the words that organise it, then pages for
 * pixels. A region is a run of pages; the header of its first page describes it.
 */
export interface SharedHandle {
  readonly memory: SharedArrayBuffer;
  readonly pages: number;
  readonly pageBytes: number;
}

/** Small enough that a block of 256 × 256 bytes wastes nothing, large enough that headers take under 1 %. */
const MIN_PAGE_BYTES = 16 * 1024;
/** The largest caches have larger pages instead: 2²⁰ pages of 16 KiB are 16 GiB. */
const MAX_PAGES = 2 ** 20;

/** Threads that can be members at once: `SWATH_THREADS` ends at 256, and a killed one may take a while to leave. */
export const MAX_MEMBERS = 1_024;
/** Words for blocks being read, by hash: a thread reads 16 at once, so two rarely share one. */
export const CLAIM_WORDS = 4_096;
/** Slots for hints of one hash. */
export const HINT_WAYS = 8;

/** Words of a region's header: two cache lines. */
export const HEADER_WORDS = 32;
/** Offsets in a header. `STATE` is the truth about a page; everything else is valid only through it. */
export const STATE = 0;
export const PAGES = 1;
export const OWNER = 2;
export const USED = 3;
export const KEY = 4;
export const BLOCK_INFO = 10;
/** Four 64-bit numbers. */
export const RESUME = 18;

/** States of a region. */
export const FREE = 0;
/** One thread fills it, and no other touches it. */
export const WRITING = 1;
export const READY = 2;
/** No new readers are admitted; it is free once the last one has left. */
export const LEAVING = 3;

/** Words on cache lines of their own, because all threads write them. */
export const LOCK = 0;
export const HAND = 16;
/** Member slots in use, counted from the first. */
export const MEMBER_TOP = 32;
/** 64-bit counters, see `makeCounters`. */
export const COUNTS = 48;
const CONTROL_WORDS = 64;

/** Where each part begins, in words of the memory (`dataAt` in bytes). */
export interface Layout extends SharedHandle {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly ownersAt: number;
  readonly pinsAt: number;
  readonly claimsAt: number;
  readonly hintsAt: number;
  /** A power of two. */
  readonly hintBuckets: number;
  readonly headersAt: number;
  readonly dataAt: number;
}

/** The words and offsets of a shared cache. */
export function toLayout(handle: SharedHandle): Layout {
  const offsets = planOffsets(handle.pages);
  return { ...handle, ...offsets, words: new Int32Array(handle.memory, 0, offsets.dataAt / 4) };
}

/** Reserves a cache of at most `budgetBytes`, its own tables included. Pages cost memory only once they are used. */
export function makeHandle(budgetBytes: number): SharedHandle {
  let pageBytes = MIN_PAGE_BYTES;
  while (budgetBytes / pageBytes > MAX_PAGES) pageBytes *= 2;
  let pages = Math.max(0, Math.floor(budgetBytes / pageBytes));
  const sizeOf = (count: number) => planOffsets(count).dataAt + count * pageBytes;
  while (pages > 0 && sizeOf(pages) > budgetBytes) {
    pages = Math.max(0, pages - Math.ceil((sizeOf(pages) - budgetBytes) / pageBytes));
  }
  try {
    return { memory: new SharedArrayBuffer(sizeOf(pages)), pages, pageBytes };
  } catch (cause) {
    const mib = Math.round(budgetBytes / 2 ** 20);
    throw internal('no-cache-memory', `The system has no ${mib} MiB for the block cache.`, { cause });
  }
}

function planOffsets(pages: number) {
  // At most one block per page: buckets are half full when all blocks are small, and nearly empty otherwise.
  const hintBuckets = 2 ** Math.ceil(Math.log2(Math.max(1, (2 * pages) / HINT_WAYS)));
  const ownersAt = CONTROL_WORDS;
  const pinsAt = ownersAt + MAX_MEMBERS;
  const claimsAt = pinsAt + MAX_MEMBERS;
  const hintsAt = claimsAt + CLAIM_WORDS;
  const headersAt = hintsAt + hintBuckets * HINT_WAYS;
  // Aligned to a page of the operating system.
  const dataAt = Math.ceil(((headersAt + pages * HEADER_WORDS) * 4) / 4_096) * 4_096;
  return { ownersAt, pinsAt, claimsAt, hintsAt, hintBuckets, headersAt, dataAt };
}
