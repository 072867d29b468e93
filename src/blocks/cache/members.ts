import { internal } from '../../errors.ts';
import type { Layout } from './layout.ts';
import { HEADER_WORDS, MAX_MEMBERS, MEMBER_TOP, READY, STATE } from './layout.ts';

/** What a thread reads right now: it pins one region at a time, and a pinned region is never reused. */
export interface Pin {
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
