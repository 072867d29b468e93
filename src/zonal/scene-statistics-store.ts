import type { Measured } from './scene-statistics.ts';

/** Where measurements are stored, so that each is made once: the newest ones, up to a number that the store decides. */
export interface SceneStatisticsStore {
  /** Those that are stored, by key. */
  findMany(keys: readonly string[]): Promise<ReadonlyMap<string, Measured>>;
  /** Stores measurements, or replaces those of the same keys; all of them or, on failure, none. */
  putMany(entries: readonly (readonly [key: string, measured: Measured])[]): Promise<void>;
}
