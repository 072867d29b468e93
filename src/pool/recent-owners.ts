/** Remembers which owners had requests recently. */
export interface RecentOwners {
  note(owner: string, nowMs: number): void;
  /** Whether another owner had a request recently. */
  hasOthers(owner: string, nowMs: number): boolean;
}

/** Builds the memory: the last two distinct owners are enough to answer. */
export function makeRecentOwners(recentMs: number): RecentOwners {
  let last = { owner: '', atMs: Number.NEGATIVE_INFINITY };
  let other = last;
  const isRecent = (atMs: number, nowMs: number): boolean => nowMs - atMs < recentMs;
  return {
    note(owner, nowMs) {
      if (owner !== last.owner) other = last;
      last = { owner, atMs: nowMs };
    },
    hasOthers: (owner, nowMs) =>
      (last.owner !== owner && isRecent(last.atMs, nowMs)) ||
      (other.owner !== owner && isRecent(other.atMs, nowMs)),
  };
}
