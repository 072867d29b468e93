/** A bounded cache that evicts the least recently used values first. */
export interface Lru<Value> {
  get(key: string): Value | undefined;
  /**
   * `size` is 1 where entries are counted, or the bytes of the value. A value larger than the whole cache is not
   * cached.
   */
  set(key: string, value: Value, size?: number): void;
  /** The cached value; if there is none, `make` makes it and it is cached. Nothing is cached when `make` throws. */
  remember(key: string, make: () => Value): Value;
  /** The same for a value that takes time to make. Equal calls at the same time each make their own. */
  rememberLater(key: string, make: () => Promise<Value>): Promise<Value>;
  delete(key: string): void;
  deleteWhere(isUnwanted: (value: Value) => boolean): void;
  clear(): void;
  /** All values, those unused for longest first. */
  values(): readonly Value[];
  /** The sum of the sizes of all values. */
  readonly size: number;
}

/** Look-ups in the caches of one name since the start of the thread. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

const named = new Map<string, CacheCounts>();

/** The counts of caches with this name: those of one kind share them. Without a name nobody reads them. */
export function countsOf(name: string | undefined): CacheCounts {
  const counts = (name === undefined ? undefined : named.get(name)) ?? { hits: 0, misses: 0 };
  if (name !== undefined) named.set(name, counts);
  return counts;
}

/** The counts of all named caches of this thread. */
export const readCacheCounts = (): ReadonlyMap<string, Readonly<CacheCounts>> => named;

interface LruOptions<Value> {
  /** The name under which the metrics count its hits. */
  readonly name?: string | undefined;
  /** The max sum of all sizes. */
  readonly max: number;
  /** The size of a value that is set without one; 1 by default. */
  readonly sizeOf?: (value: Value) => number;
  /** Called with each value that leaves the cache, whatever the reason. */
  readonly onDrop?: (value: Value) => void;
}

/** A cached value between those that were used before and after it. */
interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly size: number;
  older: Entry<Value> | null;
  newer: Entry<Value> | null;
}

/** Builds a cache. */
export function makeLru<Value>({
  name,
  max,
  sizeOf = () => 1,
  onDrop = () => {},
}: LruOptions<Value>): Lru<Value> {
  const counts = countsOf(name);
  // The order of use is a chain of its own: a Map whose keys leave and come back is copied every few times.
  const entries = new Map<string, Entry<Value>>();
  let oldest: Entry<Value> | null = null;
  let newest: Entry<Value> | null = null;
  let used = 0;

  const unlink = (entry: Entry<Value>): void => {
    const { older, newer } = entry;
    if (older === null) oldest = newer;
    else older.newer = newer;
    if (newer === null) newest = older;
    else newer.older = older;
  };

  const append = (entry: Entry<Value>): void => {
    entry.older = newest;
    entry.newer = null;
    if (newest === null) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  };

  const dropEntry = (entry: Entry<Value>): void => {
    entries.delete(entry.key);
    unlink(entry);
    used -= entry.size;
    onDrop(entry.value);
  };

  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry !== undefined) dropEntry(entry);
  };

  const use = (key: string): Entry<Value> | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) {
      counts.misses += 1;
      return undefined;
    }
    counts.hits += 1;
    if (entry !== newest) {
      unlink(entry);
      append(entry);
    }
    return entry;
  };

  const set = (key: string, value: Value, size = sizeOf(value)): void => {
    drop(key);
    if (size > max) return;
    const entry = { key, value, size, older: null, newer: null };
    entries.set(key, entry);
    append(entry);
    used += size;
    while (used > max && oldest !== null) dropEntry(oldest);
  };

  /** All entries, the oldest first: a copy, because what is called with them may change the cache. */
  const list = (): Entry<Value>[] => {
    const all: Entry<Value>[] = [];
    for (let entry = oldest; entry !== null; entry = entry.newer) all.push(entry);
    return all;
  };

  return {
    get: (key) => use(key)?.value,
    set,
    remember(key, make) {
      const known = use(key);
      if (known !== undefined) return known.value;
      const value = make();
      set(key, value);
      return value;
    },
    async rememberLater(key, make) {
      const known = use(key);
      if (known !== undefined) return known.value;
      const value = await make();
      set(key, value);
      return value;
    },
    delete: drop,
    deleteWhere(isUnwanted) {
      for (const { key, value } of list()) if (isUnwanted(value)) drop(key);
    },
    clear() {
      for (const { key } of list()) drop(key);
    },
    values: () => list().map(({ value }) => value),
    get size() {
      return used;
    },
  };
}
