import { isUnavailable } from '../errors.ts';
import { countsOf, makeLru } from '../lru.ts';
import { makeSingleFlight, throwIfCancelled } from './single-flight.ts';

/** A span of time, by the monotonic clock, in which every change was reported. */
export interface Heard {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Reports of changes that any process makes to one kind of stored things, this process included. */
export interface Changes {
  /** The last such span; null if there was none. */
  heard(): Heard | null;
  /** Calls the listener with the ids that have changed, or with null if any may have. Returns the function that ends this. */
  watch(listener: (ids: readonly string[] | null) => void): () => void;
}

/** Reports nothing: for a store that is asked each time. */
export const unheard: Changes = { heard: () => null, watch: () => () => {} };

/** How long values are served. */
export interface CacheTimes {
  readonly nowMs: () => number;
  /** How long a value is served without asking the store; 0 asks each time. */
  readonly freshMs: number;
  /**
   * The TTL of values whose changes are reported, if the owner of the cache calls `forget` for each report. Values are served
   * for `freshMs` after the last moment up to which all changes were reported, and never longer than `maxMs`.
   */
  readonly reported?: { readonly heard: () => Heard | null; readonly maxMs: number } | undefined;
  /** The same for null, the value of an absent key; 0 by default. */
  readonly absentMs?: number;
  /** How long a value is served while the store is unavailable; 0 by default. */
  readonly outageMs?: number;
}

interface CacheOptions<Value> extends CacheTimes {
  /** The name under which the metrics count its hits. */
  readonly name?: string | undefined;
  /** Upper bound of the sum of all sizes; absent keys have the same bound for themselves. */
  readonly max: number;
  /** The size of a value; 1 by default. */
  readonly sizeOf?: (value: Value) => number;
}

interface FindOptions {
  readonly signal?: AbortSignal | undefined;
  /** Overrides that of the cache. */
  readonly freshMs?: number;
}

/** A look-up in flight. */
interface Loading<Value> {
  /** Aborts when no caller is left. */
  readonly signal: AbortSignal;
  /** The expired value, if the cache has one. */
  readonly known: Value | undefined;
}

/** Values that are served for a while, and for longer during an outage. Failures are not cached. */
export interface TtlCache<Value> {
  /** A fresh value, or a new one from `load`. Equal look-ups in flight share one. */
  find(key: string, load: (loading: Loading<Value>) => Promise<Value>, options?: FindOptions): Promise<Value>;
  /** Caches a value that was not looked up. */
  set(key: string, value: Value): void;
  /** Call this after a write: the result of a look-up in flight is not cached either. */
  forget(key: string): void;
  /** The same for a change whose keys are not known: forgets the values that may have changed, and all look-ups in flight. */
  forgetWhere(mayHaveChanged: (value: Value) => boolean): void;
  forgetAll(): void;
}

interface Entry<Value> {
  readonly value: Value;
  /** When the look-up began: the value may miss later writes. */
  readonly askedMs: number;
  /** The last moment at which the value was known to be right. */
  knownMs: number;
}

/** Builds the cache. */
export function makeTtlCache<Value>({
  name,
  nowMs,
  freshMs,
  reported,
  absentMs = 0,
  outageMs = 0,
  max,
  sizeOf = () => 1,
}: CacheOptions<Value>): TtlCache<Value> {
  const found = makeLru<Entry<Value>>({ max, sizeOf: ({ value }) => sizeOf(value) });
  // A cache of its own, so that a flood of wrong keys does not evict values.
  const absent = makeLru<Entry<Value>>({ max });
  const flights = makeSingleFlight<Value>();
  const counts = countsOf(name);
  /** Look-ups in flight whose results may be cached. */
  const asking = new Map<string, object>();

  const recall = (key: string): Entry<Value> | undefined => found.get(key) ?? absent.get(key);
  // A wall clock that was set back makes a value seem to come from the future.
  const isYoung = (sinceMs: number, ageMs: number): boolean => Math.abs(nowMs() - sinceMs) < ageMs;

  /** Called at each use, so that a later span of reports does not make the value older than it is. */
  function noteKnown(entry: Entry<Value>): number {
    const heard = reported?.heard() ?? null;
    if (heard !== null && entry.knownMs >= heard.fromMs && heard.untilMs > entry.knownMs)
      entry.knownMs = heard.untilMs;
    return entry.knownMs;
  }

  function isFresh(entry: Entry<Value>, ttlMs: number | undefined): boolean {
    if (entry.value === null) return isYoung(entry.askedMs, absentMs);
    if (ttlMs !== undefined) return isYoung(entry.askedMs, ttlMs);
    return isYoung(noteKnown(entry), freshMs) && isYoung(entry.askedMs, reported?.maxMs ?? freshMs);
  }

  function store(key: string, entry: Entry<Value>): void {
    found.delete(key);
    absent.delete(key);
    (entry.value === null ? absent : found).set(key, entry);
  }

  function forget(key: string): void {
    found.delete(key);
    absent.delete(key);
    asking.delete(key);
    flights.forget(key);
  }

  function forgetLookups(): void {
    for (const key of asking.keys()) flights.forget(key);
    asking.clear();
  }

  return {
    async find(key, load, options = {}) {
      throwIfCancelled(options.signal);
      const known = recall(key);
      if (known !== undefined && isFresh(known, options.freshMs)) {
        counts.hits += 1;
        return known.value;
      }
      counts.misses += 1;
      const start = async ({ signal }: { readonly signal: AbortSignal }): Promise<Value> => {
        const asked = {};
        asking.set(key, asked);
        const askedMs = nowMs();
        try {
          const value = await load({ signal, known: known?.value });
          if (asking.get(key) === asked) store(key, { value, askedMs, knownMs: askedMs });
          return value;
        } finally {
          if (asking.get(key) === asked) asking.delete(key);
        }
      };
      try {
        return (await flights.run({ key, signal: options.signal, start })).value;
      } catch (error) {
        const last = isUnavailable(error) ? recall(key) : undefined;
        if (last === undefined || !isYoung(noteKnown(last), outageMs)) throw error;
        return last.value;
      }
    },
    set(key, value) {
      forget(key);
      store(key, { value, askedMs: nowMs(), knownMs: nowMs() });
    },
    forget,
    forgetWhere(mayHaveChanged) {
      for (const cached of [found, absent]) {
        cached.deleteWhere(({ value }) => mayHaveChanged(value));
      }
      forgetLookups();
    },
    forgetAll() {
      found.clear();
      absent.clear();
      forgetLookups();
    },
  };
}
