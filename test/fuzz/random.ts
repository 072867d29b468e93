/** Pseudo-random numbers that a seed repeats. */
export interface Random {
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mixes the bits of a number, so that neighbours have nothing in common (the finalizer of MurmurHash3). */
function scramble(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The generator of one run: a run is known by these three, whatever ran before it. */
export function makeRandom(seed: number, target: string, run: number): Random {
  let state = scramble(seed) ^ scramble(run + 1);
  for (const char of target) state = scramble(state ^ char.charCodeAt(0));
  const next = () => {
    // steps of the golden ratio visit every state before one comes again
    state = (state + 0x9e3779b9) | 0;
    return scramble(state);
  };
  return {
    below: (limit) => next() % limit,
    pick: (items) => items[next() % items.length]!,
  };
}
