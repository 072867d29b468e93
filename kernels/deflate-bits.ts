/** The stream being written: whole bytes lie before `at`, and fewer than 8 bits wait in `waiting`. */
let at: usize = 0;
let waiting: u64 = 0;
let waitingBits: u64 = 0;

/** Starts a stream at an address. */
export function beginBits(out: usize): void {
  at = out;
  waiting = 0;
  waitingBits = 0;
}

/** Adds up to 56 bits, the lowest first; up to 8 bytes behind the stream are overwritten. */
export function putBits(value: u64, count: u64): void {
  waiting |= value << waitingBits;
  waitingBits += count;
  store<u64>(at, waiting);
  at += <usize>(waitingBits >> 3);
  waiting >>= waitingBits & ~7;
  waitingBits &= 7;
}

/** Fills the last byte with zeros; returns the address behind it. */
export function endByte(): usize {
  putBits(0, -waitingBits & 7);
  return at;
}

/** Goes on behind bytes that were written past this module, after `endByte`. */
export function skipTo(end: usize): void {
  at = end;
}

/** The state, for loops that keep it in locals; they give it back with `resumeBits`. */
export function bitsAt(): usize {
  return at;
}

/** The bits that wait. */
export function bitsWaiting(): u64 {
  return waiting;
}

/** How many bits wait. */
export function bitsWaitingCount(): u64 {
  return waitingBits;
}

/** Takes the state back from a loop that kept it in locals. */
export function resumeBits(to: usize, bits: u64, count: u64): void {
  at = to;
  waiting = bits;
  waitingBits = count;
}
