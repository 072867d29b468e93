/** A bounded cache; the least recently used values go first. */
export interface Lru<Value> {
  get(key: string): Value | undefined;
  /** `size` is 1 where entries are counted, or the bytes of the value. A value larger than the whole cache is not kept. */
  set(key: string, value: Value, size?: number): void;
  delete(key: string): void;
  clear(): void;
  /** The sizes of all values together. */
  readonly size: number;
}

interface LruOptions<Value> {
  /** The most that all sizes together may be. */
  readonly max: number;
  /** Told which value leaves the cache, for whatever reason. */
  readonly onDrop?: (value: Value) => void;
}

/** Builds a cache. */
export function makeLru<Value>({ max, onDrop = () => {} }: LruOptions<Value>): Lru<Value> {
  // A Map remembers the order of insertion: the first key is the one that was used longest ago.
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
    get size() {
      return used;
    },
  };
}
