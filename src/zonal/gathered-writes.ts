import { makeBatch } from '../async/index.ts';
import type { Measured } from './scene-statistics.ts';
import type { SceneStatisticsStore } from './scene-statistics-store.ts';

interface GatherOptions {
  /** So long measurements wait for others. */
  readonly delayMs: number;
  /** So many are written at once. */
  readonly max: number;
  /** Told of measurements that could not be stored. */
  readonly onForgotten: (error: unknown) => void;
}

/** A store whose writes are gathered; what waits is found already. */
export interface GatheredStore extends SceneStatisticsStore {
  /** Writes what waits. */
  flush(): Promise<void>;
}

/**
 * Gathers the measurements of many orders into one write: each would be a commit of its own. They are only a cache: those
 * that a killed process has not written are measured again.
 */
export function gatherWrites(
  store: SceneStatisticsStore,
  { delayMs, max, onForgotten }: GatherOptions,
): GatheredStore {
  /** What is not written yet. */
  const waiting = new Map<string, Measured>();

  async function write(entries: readonly (readonly [string, Measured])[]): Promise<readonly undefined[]> {
    // Of two measurements with one key the last one is written.
    await store.putMany([...new Map(entries)]).catch(onForgotten);
    for (const [key, measured] of entries) if (waiting.get(key) === measured) waiting.delete(key);
    return entries.map(() => undefined);
  }
  const batch = makeBatch({ run: write, max, maxRuns: 1, delayMs });

  return {
    flush: () => batch.flush(),
    async findMany(keys) {
      const known = new Map<string, Measured>();
      const others: string[] = [];
      for (const key of keys) {
        const found = waiting.get(key);
        if (found === undefined) others.push(key);
        else known.set(key, found);
      }
      if (others.length > 0) for (const [key, found] of await store.findMany(others)) known.set(key, found);
      return known;
    },
    async putMany(entries) {
      for (const [key, measured] of entries) {
        waiting.set(key, measured);
        void batch.add([key, measured]);
      }
      if (waiting.size >= max) await batch.flush();
    },
  };
}
