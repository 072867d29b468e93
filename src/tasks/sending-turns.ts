/** Which owners may have another callback begun. */
export interface SendingTurns {
  begin(owner: string): void;
  end(owner: string): void;
  /** Owners that have as many callbacks under way as they may, or have begun as many within a minute. */
  findBusy(): readonly string[];
}

/** Callbacks of one owner under way: its slow receiver does not delay the callbacks of others. */
const AT_ONCE = 4;

const MINUTE_MS = 60_000;

interface OwnerTurns {
  underWay: number;
  /** When callbacks were begun, within the last minute; oldest first. */
  begunMs: readonly number[];
}

/** Counts the callbacks of one process: at most `perMinute` of an owner, so that no one makes it flood a receiver. */
export function makeSendingTurns({
  perMinute,
  nowMs,
}: {
  readonly perMinute: number;
  readonly nowMs: () => number;
}): SendingTurns {
  const owners = new Map<string, OwnerTurns>();
  const isRecent = (atMs: number): boolean => nowMs() - atMs < MINUTE_MS;
  return {
    begin(owner) {
      const { underWay = 0, begunMs = [] } = owners.get(owner) ?? {};
      owners.set(owner, { underWay: underWay + 1, begunMs: [...begunMs.filter(isRecent), nowMs()] });
    },
    end(owner) {
      const turns = owners.get(owner);
      if (turns !== undefined) turns.underWay -= 1;
    },
    findBusy() {
      const busy: string[] = [];
      for (const [owner, { underWay, begunMs }] of owners) {
        const recent = begunMs.filter(isRecent).length;
        if (underWay === 0 && recent === 0) owners.delete(owner);
        else if (underWay >= AT_ONCE || recent >= perMinute) busy.push(owner);
      }
      return busy;
    },
  };
}
