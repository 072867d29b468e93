import { tooBusy } from '../../errors.ts';

/** Counts the bytes of request bodies in memory. */
export interface BodyBudget {
  /** Counts more bytes of a caller's body; throws when the caller, or all together, would hold too many. */
  take(owner: string, bytes: number): void;
  give(owner: string, bytes: number): void;
}

interface BodyBudgetOptions {
  readonly maxBytes: number;
  readonly maxBytesPerOwner: number;
}

/** Builds the budget: one caller's slow bodies fill its own part of the memory and no more. */
export function makeBodyBudget({ maxBytes, maxBytesPerOwner }: BodyBudgetOptions): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  const change = (owner: string, bytes: number): void => {
    const own = (held.get(owner) ?? 0) + bytes;
    total += bytes;
    if (own > 0) held.set(owner, own);
    else held.delete(owner);
  };
  return {
    take(owner, bytes) {
      if (total + bytes > maxBytes || (held.get(owner) ?? 0) + bytes > maxBytesPerOwner) {
        throw tooBusy('too-many-bodies', 'Too many request bodies are on their way; ask again in a moment.');
      }
      change(owner, bytes);
    },
    give: (owner, bytes) => change(owner, -bytes),
  };
}
