import type { BlockKey } from './block-key.ts';
import { hashKey, hasKey, readKey } from './block-key.ts';
import type { Layout } from './layout.ts';
import { HEADER_WORDS, HINT_WAYS, KEY, READY, STATE } from './layout.ts';

/**
 * Where blocks may be found. These are only hints: the header of a region is the truth, so a hint may be stale or lost
 * without harm, and threads write them without a lock.
 */
export interface Hints {
  /** The first page where the block seems to begin and that `accept`, which checks it under a pin, confirms. */
  find(key: BlockKey, accept: (page: number) => boolean): number | null;
  /** Notes where a block begins, replacing an older hint for it. */
  add(key: BlockKey, page: number): void;
}

/** The hints as one thread sees them. */
export function makeHints({ words, hintsAt, hintBuckets, headersAt }: Layout): Hints {
  const bucketOf = (key: BlockKey): number => hintsAt + (hashKey(key) & (hintBuckets - 1)) * HINT_WAYS;
  const headerOf = (page: number): number => headersAt + page * HEADER_WORDS;
  /** Which hint of a full bucket is replaced; each in turn. */
  let turn = 0;

  /** A check without a pin: good enough to skip other blocks. */
  const seems = (page: number, key: BlockKey): boolean =>
    words[headerOf(page) + STATE] === READY && hasKey(words, headerOf(page) + KEY, key);

  function isStale(page: number, bucket: number): boolean {
    const header = headerOf(page);
    return words[header + STATE] !== READY || bucketOf(readKey(words, header + KEY)) !== bucket;
  }

  function chooseWay(bucket: number, key: BlockKey): number {
    let way: number | null = null;
    for (let i = 0; i < HINT_WAYS; i += 1) {
      const page = words[bucket + i]! - 1;
      if (page >= 0 && seems(page, key)) return i;
      if (way === null && (page < 0 || isStale(page, bucket))) way = i;
    }
    turn = (turn + 1) % HINT_WAYS;
    return way ?? turn;
  }

  return {
    find(key, accept) {
      const bucket = bucketOf(key);
      for (let i = 0; i < HINT_WAYS; i += 1) {
        const page = words[bucket + i]! - 1;
        if (page >= 0 && seems(page, key) && accept(page)) return page;
      }
      return null;
    },
    add(key, page) {
      const bucket = bucketOf(key);
      Atomics.store(words, bucket + chooseWay(bucket, key), page + 1);
    },
  };
}
