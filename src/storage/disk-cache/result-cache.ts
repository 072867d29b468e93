import { makeLru } from '../../lru.ts';
import type { DiskCache, DiskCacheStats } from './disk-cache.ts';
import type { CacheEntry } from './entry-file.ts';

/** Finished results by a name that covers all that decides them, so that nothing goes stale. */
export interface ResultCache {
  find(name: string): Promise<CacheEntry | null>;
  /** Offers a complete result, never a failed one; true if it is cached. */
  store(name: string, entry: CacheEntry): boolean;
  stats(): DiskCacheStats;
}

/** One or two screens of everyone who looks at the same area: some thousand pictures of 20 kB. */
const MEMORY_BYTES = 32 * 2 ** 20;

/** Builds the cache: on disk, with the most recent results in memory too; without a disk nothing is cached. */
export function makeResultCache(disk: DiskCache | null): ResultCache {
  const memory = makeLru<CacheEntry>({ max: MEMORY_BYTES });
  let hits = 0;
  return {
    async find(name) {
      if (disk === null) return null;
      const known = memory.get(name);
      if (known !== undefined) {
        hits += 1;
        return known;
      }
      const entry = await disk.get(name);
      if (entry !== null) memory.set(name, entry, entry.bytes.length);
      return entry;
    },
    store(name, entry) {
      if (disk === null) return false;
      memory.set(name, entry, entry.bytes.length);
      disk.put(name, entry);
      return true;
    },
    stats() {
      const onDisk = disk?.stats() ?? NOTHING;
      return { ...onDisk, hits: hits + onDisk.hits };
    },
  };
}

const NOTHING: DiskCacheStats = {
  hits: 0,
  misses: 0,
  written: 0,
  dropped: 0,
  evicted: 0,
  usedBytes: 0,
  budgetBytes: 0,
};
