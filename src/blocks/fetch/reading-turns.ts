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
  /** Waits for the turn; rejects with the reason of the signal. */
  enter(origin: string, reading: Reading, signal: AbortSignal): Promise<EndTurn>;
}

/** Ends a turn; true when all its bytes were read. */
export type EndTurn = (isRead: boolean) => void;

interface TurnOptions {
  /** Of each origin so many bytes are read at once, or one fetch. */
  readonly leastBytes: number;
  /** So many where it takes more to keep the line full, because it is long and wide; `leastBytes` by default. */
  readonly mostBytes?: number;
  readonly nowMs?: () => number;
}

interface WaitingReading extends Reading {
  readonly sinceMs: number;
  readonly start: () => void;
}

/** A large fetch lets smaller ones pass for this long, as a large job of the pool does. */
const PATIENCE_MS = 2_000;
/** The part of the line that tasks may take. */
const TASK_SHARE = 0.5;
/** Origins that are remembered while nothing is read from them. */
const MAX_IDLE_ORIGINS = 64;

/** Builds the turns. */
export function makeReadingTurns({
  leastBytes,
  mostBytes = leastBytes,
  nowMs = () => performance.now(),
}: TurnOptions): ReadingTurns {
  const origins = new Map<string, ReturnType<typeof makeOrigin>>();

  function makeOrigin() {
    const queue = makeFairQueue<WaitingReading>({ patienceMs: PATIENCE_MS });
    const line = makeLineEstimate(nowMs);
    const reading: Record<Lane, number> = { tile: 0, task: 0 };
    const hasTurn = ({ lane, bytes }: Reading): boolean => {
      const bytesAtOnce = Math.min(mostBytes, Math.max(leastBytes, line.bytesUnderWay));
      const all = reading.tile + reading.task;
      const isFree = all === 0 || all + bytes <= bytesAtOnce;
      const isShare =
        lane === 'tile' || reading.task === 0 || reading.task + bytes <= TASK_SHARE * bytesAtOnce;
      return isFree && isShare;
    };
    function pump(): void {
      for (;;) {
        const next = queue.take(nowMs(), hasTurn);
        if (next === undefined) return;
        reading[next.lane] += next.bytes;
        next.start();
      }
    }
    const isIdle = (): boolean =>
      reading.tile + reading.task === 0 && queue.count('tile') + queue.count('task') === 0;
    return { queue, line, reading, pump, isIdle };
  }

  /** The origin, remembered as the last that was used. */
  function findOrigin(name: string) {
    const found = origins.get(name) ?? makeOrigin();
    origins.delete(name);
    origins.set(name, found);
    if (origins.size > MAX_IDLE_ORIGINS) {
      for (const [other, { isIdle }] of origins) {
        if (other === name || !isIdle()) continue;
        origins.delete(other);
        break;
      }
    }
    return found;
  }

  return {
    enter(origin, { lane, owner, bytes }, signal) {
      signal.throwIfAborted();
      const { queue, line, reading, pump } = findOrigin(origin);
      return new Promise((resolve, reject) => {
        const entry: WaitingReading = {
          lane,
          owner,
          bytes,
          sinceMs: nowMs(),
          start() {
            signal.removeEventListener('abort', giveUp);
            const noteRead = line.begin(bytes);
            resolve((isRead) => {
              if (isRead) noteRead();
              reading[lane] -= bytes;
              pump();
            });
          },
        };
        const giveUp = (): void => {
          queue.remove(entry);
          reject(signal.reason);
          pump();
        };
        signal.addEventListener('abort', giveUp, { once: true });
        queue.push(entry);
        pump();
      });
    },
  };
}

/** A guess of what the line to an origin carries, from reads that were complete. */
interface LineEstimate {
  /** Begins a read; the result is called when all its bytes are there. */
  begin(bytes: number): () => void;
  /** Bytes under way that keep the line full; 0 before anything is known. */
  readonly bytesUnderWay: number;
}

interface Sample {
  sinceMs: number;
  shortestMs: number;
  /** Bytes of all reads in a millisecond. */
  fastest: number;
}

/** What was measured counts for one to two of these. */
const EPOCH_MS = 5_000;
/** Twice the product, as BBR has it: answers come in bursts, and with less the line would be empty between them. */
const GAIN = 2;

const makeSample = (sinceMs: number): Sample => ({
  sinceMs,
  shortestMs: Number.POSITIVE_INFINITY,
  fastest: 0,
});

/**
 * Measures a line as TCP's BBR does: the fastest rate at which bytes arrived, all reads together, times the shortest time
 * that a read took.
 */
export function makeLineEstimate(nowMs: () => number): LineEstimate {
  let arrived = 0;
  let before = makeSample(nowMs());
  let current = before;
  return {
    begin(bytes) {
      const startedMs = nowMs();
      const arrivedBefore = arrived;
      return () => {
        const endMs = nowMs();
        arrived += bytes;
        if (endMs - current.sinceMs > EPOCH_MS) {
          before = current;
          current = makeSample(endMs);
        }
        // Clocks have steps of a tenth of a millisecond or more.
        const tookMs = Math.max(0.1, endMs - startedMs);
        current.shortestMs = Math.min(current.shortestMs, tookMs);
        current.fastest = Math.max(current.fastest, (arrived - arrivedBefore) / tookMs);
      };
    },
    get bytesUnderWay() {
      const fastest = Math.max(before.fastest, current.fastest);
      return fastest === 0 ? 0 : GAIN * fastest * Math.min(before.shortestMs, current.shortestMs);
    },
  };
}
