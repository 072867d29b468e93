import type { Lane } from '../../pool/index.ts';
import { makeFairQueue } from '../../pool/index.ts';

/** A fetch that is about to read from an origin. */
export interface Reading {
  readonly lane: Lane;
  readonly owner: string;
  readonly bytes: number;
}

/**
 * Lets fetches read from an origin in turns, tiles before tasks and owners one after the other: what is read at the same
 * time shares the line, and all of it would be complete late.
 */
export interface ReadingTurns {
  /** Waits for the turn; rejects with the reason of the signal. The result ends it. */
  enter(origin: string, reading: Reading, signal: AbortSignal): Promise<() => void>;
}

interface WaitingReading extends Reading {
  readonly sinceMs: number;
  readonly start: () => void;
}

/** A large fetch lets smaller ones pass for this long, as a large job of the pool does. */
const PATIENCE_MS = 2_000;
/** The part of the line that tasks may take. */
const TASK_SHARE = 0.5;

/** Builds the turns; of each origin so many bytes are read at once, or one fetch. */
export function makeReadingTurns(bytesAtOnce: number): ReadingTurns {
  const origins = new Map<string, ReturnType<typeof makeOrigin>>();

  function makeOrigin() {
    const queue = makeFairQueue<WaitingReading>({ patienceMs: PATIENCE_MS });
    const reading: Record<Lane, number> = { tile: 0, task: 0 };
    const hasTurn = ({ lane, bytes }: Reading): boolean => {
      const all = reading.tile + reading.task;
      const isFree = all === 0 || all + bytes <= bytesAtOnce;
      const isShare =
        lane === 'tile' || reading.task === 0 || reading.task + bytes <= TASK_SHARE * bytesAtOnce;
      return isFree && isShare;
    };
    function pump(): void {
      for (;;) {
        const next = queue.take(performance.now(), hasTurn);
        if (next === undefined) return;
        reading[next.lane] += next.bytes;
        next.start();
      }
    }
    const isIdle = (): boolean =>
      reading.tile + reading.task === 0 && queue.count('tile') + queue.count('task') === 0;
    return { queue, reading, pump, isIdle };
  }

  return {
    enter(origin, { lane, owner, bytes }, signal) {
      signal.throwIfAborted();
      const known = origins.get(origin) ?? makeOrigin();
      origins.set(origin, known);
      const { queue, reading, pump, isIdle } = known;
      const forget = (): void => {
        pump();
        if (isIdle()) origins.delete(origin);
      };
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          reading[lane] -= bytes;
          forget();
        };
        const entry: WaitingReading = {
          lane,
          owner,
          bytes,
          sinceMs: performance.now(),
          start() {
            signal.removeEventListener('abort', giveUp);
            resolve(leave);
          },
        };
        const giveUp = (): void => {
          queue.remove(entry);
          reject(signal.reason);
          forget();
        };
        signal.addEventListener('abort', giveUp, { once: true });
        queue.push(entry);
        pump();
      });
    },
  };
}
