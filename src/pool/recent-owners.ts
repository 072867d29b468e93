/** Knows who has asked lately. */
export interface RecentOwners {
  note(owner: string, nowMs: number): void;
  /** Whether somebody else has asked lately. */
  hasOthers(owner: string, nowMs: number): boolean;
}

/** Builds the memory: the last two that were different are all that is needed to answer. */
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
