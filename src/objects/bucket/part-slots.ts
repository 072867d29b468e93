import { makeGate } from '../../async/index.ts';

/** A slot, with memory for one part. */
export interface PartSlot {
  readonly memory: Uint8Array;
  /** Gives it back; memory that a broken request may still hold is not used again. */
  leave(outcome: 'well' | 'failed'): void;
}

/** The parts that all uploads together may have in memory and on their way. */
export interface PartSlots {
  /** Waits for a slot; rejects with the signal's reason if it is aborted before. */
  enter(bytes: number, signal: AbortSignal): Promise<PartSlot>;
}

/** Builds that many slots. Their memory is used again, because new memory for each part would pile up until it is collected. */
export function makePartSlots(slots: number): PartSlots {
  const gate = makeGate(slots);
  const free: Uint8Array[] = [];
  let inUse = 0;
  return {
    async enter(bytes, signal) {
      const leave = await gate.enter(signal);
      inUse += 1;
      const known = free.pop();
      const memory = known !== undefined && known.length >= bytes ? known : new Uint8Array(bytes);
      return {
        memory,
        leave(outcome) {
          inUse -= 1;
          if (outcome === 'well') free.push(memory);
          // A service that uploads nothing holds nothing.
          if (inUse === 0) free.length = 0;
          leave();
        },
      };
    },
  };
}
