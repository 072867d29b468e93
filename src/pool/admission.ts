import { toCancelled } from '../async/index.ts';
import type { Job, JobFigures, Lane } from './job.ts';
import type { Outcome } from './thread.ts';

/** A run's output and where its time went. */
export interface TimedOutput {
  readonly output: unknown;
  readonly queuedMs: number;
  readonly ranMs: number;
  readonly figures?: JobFigures;
}

/** An admitted job, from its slot in the queue to its end. */
export interface Entry extends Waiting {
  readonly job: Job;
  readonly result: Promise<TimedOutput>;
  /** Marks it as started, and says how it can be stopped from now on. */
  started(stop: (outcome: Outcome) => void): void;
  /** Stops running work; does nothing when it is not running. */
  stop(outcome: Outcome): void;
  /** Tells the caller how it ended; only the first call counts. */
  finish(outcome: Outcome): void;
}

/** What an entry reports to the pool. */
interface EntryHooks {
  /** The caller went away. */
  onAbort(entry: Entry, outcome: Outcome): void;
  /** It did not start within `maxWaitMs`. */
  onLate(entry: Entry): void;
  onFinished(job: Job, outcome: Outcome, ranMs: number): void;
}

/** Starts the wait timeout, and listens to the caller's signal until the job ends. */
export function makeEntry(job: Job, maxWaitMs: number, hooks: EntryHooks): Entry {
  const sinceMs = performance.now();
  let startedMs: number | undefined;
  let stopRun: ((outcome: Outcome) => void) | undefined;
  let finished = false;
  const { promise: result, resolve, reject } = Promise.withResolvers<TimedOutput>();
  const waitTimer = setTimeout(() => hooks.onLate(entry), maxWaitMs);
  const onAbort = (): void => hooks.onAbort(entry, { how: 'cancelled', error: toCancelled() });
  job.signal?.addEventListener('abort', onAbort);

  const entry: Entry = {
    job,
    owner: job.owner,
    lane: job.lane,
    sinceMs,
    result,
    started(stop) {
      clearTimeout(waitTimer);
      startedMs = performance.now();
      stopRun = stop;
    },
    stop: (outcome) => stopRun?.(outcome),
    finish(outcome) {
      if (finished) return;
      finished = true;
      clearTimeout(waitTimer);
      job.signal?.removeEventListener('abort', onAbort);
      const nowMs = performance.now();
      const ranMs = nowMs - (startedMs ?? nowMs);
      hooks.onFinished(job, outcome, ranMs);
      if (outcome.how === 'done') {
        const { output, figures } = outcome;
        const timed = { output, queuedMs: (startedMs ?? nowMs) - sinceMs, ranMs };
        resolve(figures === undefined ? timed : { ...timed, figures });
      } else {
        reject(outcome.error);
      }
    },
  };
  return entry;
}

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

/** Remembers which owners had requests recently. */
interface RecentOwners {
  note(owner: string, nowMs: number): void;
  /** Whether another owner had a request recently. */
  hasOthers(owner: string, nowMs: number): boolean;
}

/** Starts without an owner; the last two distinct ones are enough to answer. */
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

/** What the queue needs to know about a waiting item. */
export interface Waiting {
  readonly lane: Lane;
  readonly owner: string;
  /** Monotonic time at which it began to wait. */
  readonly sinceMs: number;
}

/** The order in which waiting work starts; see `makeFairQueue` for the rules. */
export interface FairQueue<T extends Waiting> {
  push(item: T): void;
  /** Removes and returns the next item that may start, if any. */
  take(nowMs: number, canStart: (item: T) => boolean): T | undefined;
  /** Removes one item from the middle; false when it was not waiting. */
  remove(item: T): boolean;
  /** The newest item of the owner with the longest queue: the first to drop from a full lane. */
  findSurplus(lane: Lane): T | undefined;
  /** Empties the queue. */
  takeAll(): T[];
  /** How many items wait in a lane, of one owner or of all. */
  count(lane: Lane, owner?: string): number;
}

interface Owners<T> {
  /**
   * Each owner's items, oldest first. The Map's insertion order is the rotation: an owner that was served goes to the
   * end.
   */
  readonly owners: Map<string, T[]>;
  size: number;
  /** When the lane was last served, or when it stopped being empty. */
  unservedSinceMs: number;
}

/**
 * A queue with two lanes and three rules:
 * 1. tiles go before tasks, but a task lane that was not served for `patienceMs` goes first, once;
 * 2. inside a lane owners take turns, one item each, so a long list delays another owner by one item;
 * 3. an item that cannot start yet (no room in the ledger) is passed over and keeps its turn, until it has waited
 *    `patienceMs`: then its lane stands still until it fits, so that small work cannot starve large work.
 */
export function makeFairQueue<T extends Waiting>({ patienceMs }: { patienceMs: number }): FairQueue<T> {
  const makeLane = (): Owners<T> => ({ owners: new Map(), size: 0, unservedSinceMs: 0 });
  const lanes: Readonly<Record<Lane, Owners<T>>> = { tile: makeLane(), task: makeLane() };

  function takeFrom(lane: Owners<T>, nowMs: number, canStart: (item: T) => boolean): T | undefined {
    for (const [owner, items] of lane.owners) {
      const item = items[0];
      if (item === undefined) continue;
      if (canStart(item)) {
        items.shift();
        lane.owners.delete(owner);
        if (items.length > 0) lane.owners.set(owner, items);
        lane.size--;
        lane.unservedSinceMs = nowMs;
        return item;
      }
      if (nowMs - item.sinceMs >= patienceMs) return undefined;
    }
    return undefined;
  }

  return {
    push(item) {
      const lane = lanes[item.lane];
      if (lane.size === 0) lane.unservedSinceMs = item.sinceMs;
      const items = lane.owners.get(item.owner);
      if (items === undefined) lane.owners.set(item.owner, [item]);
      else items.push(item);
      lane.size++;
    },

    take(nowMs, canStart) {
      const { tile, task } = lanes;
      const tasksAreHungry = task.size > 0 && nowMs - task.unservedSinceMs >= patienceMs;
      const order = tasksAreHungry ? [task, tile] : [tile, task];
      for (const lane of order) {
        const item = takeFrom(lane, nowMs, canStart);
        if (item !== undefined) return item;
      }
      return undefined;
    },

    remove(item) {
      const lane = lanes[item.lane];
      const items = lane.owners.get(item.owner);
      const index = items?.indexOf(item) ?? -1;
      if (items === undefined || index < 0) return false;
      items.splice(index, 1);
      if (items.length === 0) lane.owners.delete(item.owner);
      lane.size--;
      return true;
    },

    findSurplus(name) {
      let largest: readonly T[] = [];
      for (const items of lanes[name].owners.values()) {
        // Of owners with equally long queues, the last one.
        const isNewer = (items.at(-1)?.sinceMs ?? 0) >= (largest.at(-1)?.sinceMs ?? 0);
        if (items.length > largest.length || (items.length === largest.length && isNewer)) largest = items;
      }
      return largest.at(-1);
    },

    takeAll() {
      const all = [lanes.tile, lanes.task].flatMap((lane) => [...lane.owners.values()].flat());
      for (const lane of [lanes.tile, lanes.task]) {
        lane.owners.clear();
        lane.size = 0;
      }
      return all;
    },

    count(name, owner) {
      const lane = lanes[name];
      return owner === undefined ? lane.size : (lane.owners.get(owner)?.length ?? 0);
    },
  };
}
