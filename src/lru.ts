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
  clear(): void;
  /** All values, those unused for longest first. */
  values(): readonly Value[];
  /** The sum of the sizes of all values. */
  readonly size: number;
}

interface LruOptions<Value> {
  /** The max sum of all sizes. */
  readonly max: number;
  /** The size of a value that is set without one; 1 by default. */
  readonly sizeOf?: (value: Value) => number;
  /** Called with each value that leaves the cache, whatever the reason. */
  readonly onDrop?: (value: Value) => void;
}

/** Builds a cache. */
export function makeLru<Value>({ max, sizeOf = () => 1, onDrop = () => {} }: LruOptions<Value>): Lru<Value> {
  // A Map iterates in insertion order: its first key is the least recently used one.
  const entries = new Map<string, { readonly value: Value; readonly size: number }>();
  let used = 0;

  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    used -= entry.size;
    onDrop(entry.value);
  };

  const use = (key: string): { readonly value: Value } | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  };

  const set = (key: string, value: Value, size = sizeOf(value)): void => {
    drop(key);
    if (size > max) return;
    entries.set(key, { value, size });
    used += size;
    while (used > max) drop(entries.keys().next().value as string);
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
    clear() {
      for (const key of [...entries.keys()]) drop(key);
    },
    values: () => [...entries.values()].map(({ value }) => value),
    get size() {
      return used;
    },
  };
}
