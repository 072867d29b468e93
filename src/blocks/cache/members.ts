import { internal } from '../../errors.ts';
import type { Layout } from './layout.ts';
import { HEADER_WORDS, MAX_MEMBERS, MEMBER_TOP, READY, STATE } from './layout.ts';

/** What a thread reads right now: it pins one region at a time, and a pinned region is never given away. */
export interface Pin {
  /** True when the region was ready after it was pinned: then it stays as it is until `unpin`. */
  pin(page: number): boolean;
  unpin(): void;
}

/**
 * Takes a place among the members. The place itself is the pin (a hazard pointer): a killed thread leaves one word
 * behind that says what it held, and the main thread clears it.
 */
export function joinMembers(layout: Layout, owner: number): Pin {
  const { words, pinsAt, headersAt } = layout;
  const place = takePlace(layout, owner);
  return {
    pin(page) {
      if (words[pinsAt + place] !== 0) {
        throw internal('nested-block', 'A thread looks at two blocks of the cache at once.');
      }
      // First the pin, then the look; who takes regions away first marks them and then looks for pins. Atomics have
      // one order for all threads, so one of the two sees the other.
      Atomics.store(words, pinsAt + place, page + 1);
      if (Atomics.load(words, headersAt + page * HEADER_WORDS + STATE) === READY) return true;
      Atomics.store(words, pinsAt + place, 0);
      return false;
    },
    unpin() {
      Atomics.store(words, pinsAt + place, 0);
    },
  };
}

function takePlace({ words, ownersAt }: Layout, owner: number): number {
  for (let place = 0; place < MAX_MEMBERS; place += 1) {
    if (Atomics.compareExchange(words, ownersAt + place, 0, owner) !== 0) continue;
    // Whoever looks for pins must look at this place from now on.
    for (;;) {
      const top = Atomics.load(words, MEMBER_TOP);
      if (top > place || Atomics.compareExchange(words, MEMBER_TOP, top, place + 1) === top) return place;
    }
  }
  throw internal('block-cache-full', `More than ${MAX_MEMBERS} threads want to share the cache of blocks.`);
}

/** Whether any thread reads the region that begins at `page`. */
export function isPinned({ words, pinsAt }: Layout, page: number): boolean {
  const top = Atomics.load(words, MEMBER_TOP);
  for (let place = 0; place < top; place += 1) {
    if (Atomics.load(words, pinsAt + place) === page + 1) return true;
  }
  return false;
}

/** Gives back the place, and the pin on it, of a thread that is no more. */
export function leaveMembers({ words, ownersAt, pinsAt }: Layout, owner: number): void {
  const top = Atomics.load(words, MEMBER_TOP);
  for (let place = 0; place < top; place += 1) {
    if (Atomics.load(words, ownersAt + place) !== owner) continue;
    Atomics.store(words, pinsAt + place, 0);
    Atomics.store(words, ownersAt + place, 0);
  }
}
