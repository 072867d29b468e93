/**
 * A semaphore counted in bytes. V8's resource limits do not see typed arrays, so we count the pixel memory that running
 * work may hold ourselves.
 */
export interface ByteLedger {
  readonly budgetBytes: number;
  usedBytes(): number;
  /** Whether `bytes` would fit right now. */
  hasRoom(bytes: number): boolean;
  /** Reserves `bytes` and returns the release (safe to call twice), or undefined when they do not fit. */
  take(bytes: number): (() => void) | undefined;
}

/** Builds a ledger with nothing reserved. */
export function makeByteLedger(budgetBytes: number): ByteLedger {
  let usedBytes = 0;
  const hasRoom = (bytes: number): boolean => usedBytes + bytes <= budgetBytes;
  return {
    budgetBytes,
    usedBytes: () => usedBytes,
    hasRoom,
    take(bytes) {
      if (!hasRoom(bytes)) return undefined;
      usedBytes += bytes;
      let held = true;
      return () => {
        if (held) usedBytes -= bytes;
        held = false;
      };
    },
  };
}
