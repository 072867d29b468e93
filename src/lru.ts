/** A bounded cache that evicts the least recently used values first. */
export interface Lru<Value> {
  get(key: string): Value | undefined;
  /**
   * `size` is 1 where entries are counted, or the bytes of the value. A value larger than the whole cache is not
   * cached.
   */
  set(key: string, value: Value, size?: number): void;
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
  /** Called with each value that leaves the cache, whatever the reason. */
  readonly onDrop?: (value: Value) => void;
}

/** Builds a cache. */
export function makeLru<Value>({ max, onDrop = () => {} }: LruOptions<Value>): Lru<Value> {
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

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size = 1) {
      drop(key);
      if (size > max) return;
      entries.set(key, { value, size });
      used += size;
      while (used > max) drop(entries.keys().next().value as string);
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
