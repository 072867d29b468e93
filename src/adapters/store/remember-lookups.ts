import type { CacheTimes } from '../../async/index.ts';
import { makeTtlCache } from '../../async/index.ts';
import type { Scene, SceneStore } from '../../catalog/index.ts';
import { isUnavailable } from '../../errors.ts';
import type { KeyRecord, KeyStore } from '../../keys/index.ts';
import type { DemFile, DemStore, ListedDem } from '../../terrain/index.ts';
import type { Store } from './store.ts';

/** How long the look-ups of a store are remembered. */
export type LookupTimes = Omit<Required<CacheTimes>, 'absentMs'>;

/**
 * As many as are in use at a time on a busy node. A scene may have some hundred kilobytes, and so may the files of an
 * elevation model within bounds.
 */
const MAX = {
  keys: 10_000,
  scenes: 256,
  sceneNames: 64,
  contrasts: 10_000,
  intensities: 1_000,
  demFiles: 256,
} as const;

/**
 * A store that remembers what every picture looks up: the key, the scene, what was measured of the scene, and elevation
 * models. Keys, scenes and models are used for `freshMs` without asking again, so that a warm tile makes no round trip to
 * the database. A change made through this store is seen at once, a change made elsewhere after `freshMs`. While the
 * database does not answer, answers stay in use for `outageMs`, so that maps that are being looked at go on.
 */
export function rememberLookups(store: Store, times: LookupTimes): Store {
  return {
    ...store,
    keys: rememberKeys(store.keys, times),
    scenes: rememberScenes(store.scenes, times),
    contrasts: rememberMeasurements(store.contrasts, times, MAX.contrasts),
    intensities: rememberMeasurements(store.intensities, times, MAX.intensities),
    dems: rememberDems(store.dems, times),
  };
}

/**
 * For so long an unknown key stays unknown, `SWATH_API_KEY` among them, which is in no store. A key that is created
 * elsewhere works at once all the same: its secret is random and was not tried before.
 */
const UNKNOWN_KEY_MS = 500;

/** Keys whose look-ups by hash are remembered. */
function rememberKeys(keys: KeyStore, times: LookupTimes): KeyStore {
  const absentMs = Math.min(UNKNOWN_KEY_MS, times.freshMs);
  const byHash = makeTtlCache<KeyRecord | null>({ ...times, absentMs, max: MAX.keys });
  return {
    ...keys,
    findByHash: (hash) => byHash.find(hash, () => keys.findByHash(hash)),
    async insert(record, hash) {
      await keys.insert(record, hash);
      byHash.forget(hash);
    },
    async revoke(id, revokedAt) {
      const isKnown = await keys.revoke(id, revokedAt);
      // Which hash the id has is not known here, and keys are seldom revoked.
      byHash.forgetAll();
      return isKnown;
    },
  };
}

/** Scenes whose look-ups by view id and by name are remembered; absent ones only for an outage. */
function rememberScenes(scenes: SceneStore, times: LookupTimes): SceneStore {
  const byViewId = makeTtlCache<Scene | null>({ ...times, max: MAX.scenes });
  const byName = makeTtlCache<Scene | null>({ ...times, max: MAX.sceneNames });
  async function forgetAfter<Result>(
    changed: readonly { readonly viewId: string }[],
    write: Promise<Result>,
  ): Promise<Result> {
    const result = await write;
    for (const { viewId } of changed) byViewId.forget(viewId);
    // Any of them may be the scene that a name leads to now.
    byName.forgetAll();
    return result;
  }
  return {
    ...scenes,
    findByViewId: (viewId) => byViewId.find(viewId, () => scenes.findByViewId(viewId)),
    findByName: (dataset, name) => byName.find(`${dataset} ${name}`, () => scenes.findByName(dataset, name)),
    put: (scene) => forgetAfter([scene], scenes.put(scene)),
    putMany: (many) => forgetAfter(many, scenes.putMany(many)),
    // Also when it was not replaced: then the record is another one than we know.
    replace: (scene, version) => forgetAfter([scene], scenes.replace(scene, version)),
    remove: (viewId) => forgetAfter([{ viewId }], scenes.remove(viewId)),
  };
}

/** Elevation models whose list and look-ups of files are remembered; any write may change any answer. */
function rememberDems(dems: DemStore, times: LookupTimes): DemStore {
  const lists = makeTtlCache<readonly ListedDem[]>({ ...times, max: 1 });
  const files = makeTtlCache<readonly DemFile[]>({ ...times, max: MAX.demFiles });
  async function forgetAfter<Result>(write: Promise<Result>): Promise<Result> {
    const result = await write;
    lists.forgetAll();
    files.forgetAll();
    return result;
  }
  return {
    ...dems,
    list: () => lists.find('', () => dems.list()),
    findFiles(layers, bounds, limit) {
      const { west, south, east, north } = bounds;
      const named = layers.map(({ dem, overview }) => [dem, overview]);
      const key = JSON.stringify([limit, west, south, east, north, named]);
      return files.find(key, () => dems.findFiles(layers, bounds, limit));
    },
    putDem: (dem) => forgetAfter(dems.putDem(dem)),
    putFiles: (many) => forgetAfter(dems.putFiles(many)),
    removeFiles: (ids) => forgetAfter(dems.removeFiles(ids)),
    removeDem: (name) => forgetAfter(dems.removeDem(name)),
  };
}

/** Where measurements are stored under a name of all that decides them: a value that was right once stays right. */
interface Measurements<Value> {
  find(key: string): Promise<Value | null>;
  put(key: string, value: Value): Promise<void>;
}

/**
 * Measurements that are remembered for as long as there is room. If the store does not answer, or could not store one,
 * it is measured once here instead of for every picture.
 */
function rememberMeasurements<Value>(
  store: Measurements<Value>,
  { nowMs }: LookupTimes,
  max: number,
): Measurements<Value> {
  const recent = makeTtlCache<Value | null>({ nowMs, freshMs: Infinity, outageMs: Infinity, max });
  return {
    async find(key) {
      try {
        return await recent.find(key, () => store.find(key));
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return null;
      }
    },
    async put(key, value) {
      recent.set(key, value);
      await store.put(key, value);
    },
  };
}
