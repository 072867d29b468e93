import { hash } from 'node:crypto';
import { makeBatch } from '../async/index.ts';
import type { Scene } from '../catalog/index.ts';
import type { Summary } from '../numbers/index.ts';
import type { ComparedScene } from '../render/native/index.ts';
import { PIXELS_VERSION } from '../render/native/index.ts';
import type { StatisticsOrder } from './statistics-order.ts';

/** What was measured of one expression in one scene; plain JSON. */
export interface Measured {
  /** Null where no pixel counts. */
  readonly statistics: Summary | null;
  /** Pixels of the whole area, also of its part beyond the image. */
  readonly areaPx: number;
  /** Pixels of the area with data, clouds included. */
  readonly validPx: number;
  /** Pixels with data that are clouds; null where the scene has no mask of clouds. */
  readonly cloudPx: number | null;
  /** The area holds no pixel centre, so that the pixels that it touches count. */
  readonly isTouched: boolean;
  /** Pixels in each bin; null if none were ordered. */
  readonly histogram: readonly number[] | null;
}

/** Where measurements are stored, so that each is made once: the newest ones, up to a number that the store decides. */
export interface SceneStatisticsStore {
  /** The stored measurements, by key. */
  findMany(keys: readonly string[]): Promise<ReadonlyMap<string, Measured>>;
  /** Stores measurements, or replaces those of the same keys; all of them or, on failure, none. */
  putMany(entries: readonly (readonly [key: string, measured: Measured])[]): Promise<void>;
}

/** Bump when results change for the same order. */
const STATISTICS_VERSION = 2;

interface KeyParts {
  readonly text: string;
  readonly scene: ComparedScene;
  readonly classified: { readonly scene: Scene } | null;
  readonly areaKey: string;
  readonly masksClouds: boolean;
  readonly order: StatisticsOrder;
}

/** The key of a measurement: it covers all that its numbers depend on. */
export function toMeasurementKey({ text, scene, classified, areaKey, masksClouds, order }: KeyParts): string {
  const { viewId, version, earlier } = scene;
  const parts = [
    ...[STATISTICS_VERSION, PIXELS_VERSION, viewId, version, text, areaKey, masksClouds],
    ...[earlier?.viewId ?? null, earlier?.version ?? null, order.clouds.level, order.histogram],
    ...[classified?.scene.viewId ?? null, classified?.scene.version ?? null],
  ];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

interface GatherOptions {
  /** How long measurements wait for others. */
  readonly delayMs: number;
  /** The max number of measurements in one write. */
  readonly max: number;
  /** Called when measurements could not be stored. */
  readonly onForgotten: (error: unknown) => void;
}

/** A store whose writes are gathered; reads see measurements that are not written yet. */
interface GatheredStore extends SceneStatisticsStore {
  /** Writes all waiting measurements. */
  flush(): Promise<void>;
}

/**
 * Gathers the measurements of many orders into one write, instead of a commit for each. They are only a cache: what a
 * killed process has not written is measured again.
 */
export function gatherWrites(
  store: SceneStatisticsStore,
  { delayMs, max, onForgotten }: GatherOptions,
): GatheredStore {
  /** Measurements that are not written yet. */
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
