/** Values of known size within a byte budget; the least recently used go first. */
export interface ByteLru<Value> {
  get(key: string): Value | undefined;
  /** A value larger than the whole budget is not kept. */
  set(key: string, value: Value, bytes: number): void;
  delete(key: string): void;
  readonly usedBytes: number;
}

/** Builds a cache; `onDrop` is told what leaves it. */
export function makeByteLru<Value>(
  budgetBytes: number,
  onDrop: (value: Value) => void = () => {},
): ByteLru<Value> {
  // A Map remembers the order of insertion: the first key is the one that was used longest ago.
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let usedBytes = 0;

  const drop = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    usedBytes -= entry.bytes;
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
    set(key, value, bytes) {
      drop(key);
      if (bytes > budgetBytes) return;
      entries.set(key, { value, bytes });
      usedBytes += bytes;
      while (usedBytes > budgetBytes) drop(entries.keys().next().value as string);
    },
    delete: drop,
    get usedBytes() {
      return usedBytes;
    },
  };
}
