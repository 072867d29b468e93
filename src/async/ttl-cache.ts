import { isUnavailable } from '../errors.ts';
import { makeLru } from '../lru.ts';
import { makeSingleFlight, throwIfCancelled } from './single-flight.ts';

/** How long values are served. */
export interface CacheTimes {
  readonly nowMs: () => number;
  /** How long a value is served without asking the store; 0 asks each time. */
  readonly freshMs: number;
  /** The same for null, the value of an absent key; 0 by default. */
  readonly absentMs?: number;
  /** How long a value is served while the store is unavailable; 0 by default. */
  readonly outageMs?: number;
}

interface CacheOptions<Value> extends CacheTimes {
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
  forgetAll(): void;
}

interface Entry<Value> {
  readonly value: Value;
  /** When the look-up began: the value may miss later writes. */
  readonly askedMs: number;
}

/** Builds the cache. */
export function makeTtlCache<Value>({
  nowMs,
  freshMs,
  absentMs = 0,
  outageMs = 0,
  max,
  sizeOf = () => 1,
}: CacheOptions<Value>): TtlCache<Value> {
  const found = makeLru<Entry<Value>>({ max, sizeOf: ({ value }) => sizeOf(value) });
  // A cache of its own, so that a flood of wrong keys does not evict values.
  const absent = makeLru<Entry<Value>>({ max });
  const flights = makeSingleFlight<Value>();
  /** Look-ups in flight whose results may be cached. */
  const asking = new Map<string, object>();

  const recall = (key: string): Entry<Value> | undefined => found.get(key) ?? absent.get(key);
  // A wall clock that was set back makes a value seem to come from the future.
  const isYoung = ({ askedMs }: Entry<Value>, ageMs: number): boolean => Math.abs(nowMs() - askedMs) < ageMs;

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

  return {
    async find(key, load, options = {}) {
      throwIfCancelled(options.signal);
      const known = recall(key);
      if (known !== undefined) {
        const validMs = known.value === null ? absentMs : (options.freshMs ?? freshMs);
        if (isYoung(known, validMs)) return known.value;
      }
      const start = async ({ signal }: { readonly signal: AbortSignal }): Promise<Value> => {
        const asked = {};
        asking.set(key, asked);
        const askedMs = nowMs();
        try {
          const value = await load({ signal, known: known?.value });
          if (asking.get(key) === asked) store(key, { value, askedMs });
          return value;
        } finally {
          if (asking.get(key) === asked) asking.delete(key);
        }
      };
      try {
        return (await flights.run({ key, signal: options.signal, start })).value;
      } catch (error) {
        const last = isUnavailable(error) ? recall(key) : undefined;
        if (last === undefined || !isYoung(last, outageMs)) throw error;
        return last.value;
      }
    },
    set(key, value) {
      forget(key);
      store(key, { value, askedMs: nowMs() });
    },
    forget,
    forgetAll() {
      found.clear();
      absent.clear();
      for (const key of asking.keys()) flights.forget(key);
      asking.clear();
    },
  };
}
