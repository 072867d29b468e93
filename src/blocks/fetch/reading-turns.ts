import type { Lane } from '../../pool/index.ts';
import { makeFairQueue } from '../../pool/index.ts';

/** A fetch that is about to read from an origin. */
export interface Reading {
  readonly lane: Lane;
  readonly owner: string;
  readonly bytes: number;
}

/**
 * Lets fetches read from an origin in turns, tiles before tasks and owners one after the other. Concurrent reads share
 * the bandwidth, so starting all at once makes every one finish late.
 */
export interface ReadingTurns {
  /** Waits for the turn; rejects with the reason of the signal. */
  enter(origin: string, reading: Reading, signal: AbortSignal): Promise<EndTurn>;
}

/** Ends a turn; true when all its bytes were read. */
export type EndTurn = (isRead: boolean) => void;

interface TurnOptions {
  /** Bytes read from one origin at once, at least; a larger fetch is read alone. */
  readonly leastBytes: number;
  /** Upper bound for origins whose bandwidth-delay product is larger; `leastBytes` by default. */
  readonly mostBytes?: number;
  readonly nowMs?: () => number;
}

interface WaitingReading extends Reading {
  readonly sinceMs: number;
  readonly start: () => void;
}

/** A large fetch lets smaller ones pass for this long, as a large job of the pool does. */
const PATIENCE_MS = 2_000;
/** The share of the bandwidth that tasks may take while tiles are read too. */
const TASK_SHARE = 0.5;
/** How long after the last tile tasks still leave room for the next one. */
const TILES_MS = 5_000;
/** Idle origins whose estimates are kept. */
const MAX_IDLE_ORIGINS = 64;

/** Builds the turns, with a queue and an estimate per origin. */
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
    let tileMs = Number.NEGATIVE_INFINITY;
    const hasTurn = ({ lane, bytes }: Reading): boolean => {
      const bytesAtOnce = Math.min(mostBytes, Math.max(leastBytes, line.bytesUnderWay));
      const taskBytes = TASK_SHARE * bytesAtOnce;
      if (lane === 'tile') {
        // Tasks that were alone may have taken more than their share: a tile does not wait for it.
        const others = reading.tile + Math.min(reading.task, taskBytes);
        return others === 0 || others + bytes <= bytesAtOnce;
      }
      // With half the bandwidth the estimate, twice what was in flight, would never grow.
      const isAlone = nowMs() - tileMs > TILES_MS;
      const all = reading.tile + reading.task;
      if (all > 0 && all + bytes > bytesAtOnce) return false;
      return isAlone || reading.task === 0 || reading.task + bytes <= taskBytes;
    };
    function pump(): void {
      for (;;) {
        const next = queue.take(nowMs(), hasTurn);
        if (next === undefined) return;
        reading[next.lane] += next.bytes;
        if (next.lane === 'tile') tileMs = nowMs();
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

/** An estimate of the bandwidth-delay product of an origin, from completed reads. */
interface LineEstimate {
  /** Begins a read; call the result when all of its bytes have arrived. */
  begin(bytes: number): () => void;
  /** Bytes in flight that keep the link full; 0 before anything is known. */
  readonly bytesUnderWay: number;
}

interface Sample {
  sinceMs: number;
  shortestMs: number;
  /** Bytes of all reads per millisecond. */
  fastest: number;
}

/** A measurement counts for one to two epochs. */
const EPOCH_MS = 5_000;
/** Twice the product, as in BBR: answers come in bursts, and with less the link would be idle between them. */
const GAIN = 2;

const makeSample = (sinceMs: number): Sample => ({
  sinceMs,
  shortestMs: Number.POSITIVE_INFINITY,
  fastest: 0,
});

/**
 * Measures a link as TCP's BBR does: the fastest rate at which bytes of all reads arrived, times the shortest duration of
 * a read.
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
