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

/** Adds up to 56 bits, the lowest first; up to 8 bytes after the stream are overwritten. */
export function putBits(value: u64, count: u64): void {
  waiting |= value << waitingBits;
  waitingBits += count;
  store<u64>(at, waiting);
  at += <usize>(waitingBits >> 3);
  waiting >>= waitingBits & ~7;
  waitingBits &= 7;
}

/** Pads the last byte with zeros; returns the address after it. */
export function endByte(): usize {
  putBits(0, -waitingBits & 7);
  return at;
}

/** Continues after bytes that were written without this module, after `endByte`. */
export function skipTo(end: usize): void {
  at = end;
}

/** The state, for loops that hold it in locals; they return it with `resumeBits`. */
export function bitsAt(): usize {
  return at;
}

/** The waiting bits. */
export function bitsWaiting(): u64 {
  return waiting;
}

/** The number of waiting bits. */
export function bitsWaitingCount(): u64 {
  return waitingBits;
}

/** Restores the state from a loop that held it in locals. */
export function resumeBits(to: usize, bits: u64, count: u64): void {
  at = to;
  waiting = bits;
  waitingBits = count;
}
