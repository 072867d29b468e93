/**
 * A semaphore counted in bytes. V8's resource limits do not see typed arrays, so we keep our own account of the
 * pixel memory that running work may hold.
 */
export interface ByteLedger {
  readonly budgetBytes: number;
  usedBytes(): number;
  /** Whether `bytes` would fit right now. */
  hasRoom(bytes: number): boolean;
  /** Books `bytes` and returns the release (calling it twice is harmless), or undefined when they do not fit. */
  take(bytes: number): (() => void) | undefined;
}

/** A ledger with nothing booked yet. */
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
