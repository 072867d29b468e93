import type { CacheTimes } from '../../async/index.ts';
import { makeTtlCache } from '../../async/index.ts';
import type { Scene, SceneStore } from '../../catalog/index.ts';
import { isUnavailable } from '../../errors.ts';
import type { KeyRecord, KeyStore } from '../../keys/index.ts';
import type { Recipe, RecipeStore } from '../../library/index.ts';
import type { KnownScene, KnownSceneStore } from '../../live/index.ts';
import type { DemFile, DemStore, ListedDem } from '../../terrain/index.ts';
import type { Store } from './store.ts';

/** TTLs of cached look-ups. */
export type LookupTimes = Omit<Required<CacheTimes>, 'absentMs'>;

/**
 * Upper bounds: as many as a busy node uses at a time. A scene may have a few hundred kilobytes, and so may an elevation
 * model's files within bounds.
 */
const MAX = {
  keys: 10_000,
  scenes: 256,
  sceneNames: 64,
  knownScenes: 256,
  knownSceneNames: 64,
  contrasts: 10_000,
  intensities: 1_000,
  recipes: 1_000,
  demFiles: 256,
} as const;

/**
 * A store that caches the look-ups of every picture: the key, the recipe, the scene, its measurements, and elevation models.
 * Keys, recipes, scenes (those of live catalogs too) and models are served for `freshMs` without asking the database, so that a warm
 * tile makes no round trip. A change made through this store is seen at once, a change made elsewhere after `freshMs`.
 * While the database does not answer, cached answers are served for `outageMs`, so that open maps keep working.
 */
export function rememberLookups(store: Store, times: LookupTimes): Store {
  return {
    ...store,
    keys: rememberKeys(store.keys, times),
    scenes: rememberScenes(store.scenes, times),
    knownScenes: rememberKnownScenes(store.knownScenes, times),
    contrasts: rememberMeasurements(store.contrasts, times, MAX.contrasts),
    intensities: rememberMeasurements(store.intensities, times, MAX.intensities),
    recipes: rememberRecipes(store.recipes, times),
    dems: rememberDems(store.dems, times),
  };
}

/**
 * TTL of unknown keys; `SWATH_API_KEY` is one of them, because no store has it. A key that is created elsewhere works at
 * once nevertheless: its secret is random and was not tried before.
 */
const UNKNOWN_KEY_MS = 500;

/** Caches look-ups of keys by hash, and by id: readers of public recipes have the key of no one. */
function rememberKeys(keys: KeyStore, times: LookupTimes): KeyStore {
  const absentMs = Math.min(UNKNOWN_KEY_MS, times.freshMs);
  const byHash = makeTtlCache<KeyRecord | null>({ ...times, absentMs, max: MAX.keys });
  const byId = makeTtlCache<KeyRecord | null>({ ...times, max: MAX.keys });
  return {
    ...keys,
    findByHash: (hash) => byHash.find(hash, () => keys.findByHash(hash)),
    findById: (id) => byId.find(id, () => keys.findById(id)),
    async insert(record, hash) {
      await keys.insert(record, hash);
      byHash.forget(hash);
    },
    async revoke(id, revokedAt) {
      const isKnown = await keys.revoke(id, revokedAt);
      // The hash for the id is not known here, and keys are seldom revoked.
      byHash.forgetAll();
      byId.forget(id);
      return isKnown;
    },
  };
}

/** Caches look-ups of recipes, of their owners and of their public readers; any write may end a share. */
function rememberRecipes(recipes: RecipeStore, times: LookupTimes): RecipeStore {
  const byId = makeTtlCache<Recipe | null>({ ...times, max: MAX.recipes });
  const byShare = makeTtlCache<Recipe | null>({ ...times, max: MAX.recipes });
  async function forgetAfter<Result>(write: Promise<Result>): Promise<Result> {
    const result = await write;
    byId.forgetAll();
    byShare.forgetAll();
    return result;
  }
  return {
    ...recipes,
    find: (id, owner) => byId.find(`${id} ${owner}`, () => recipes.find(id, owner)),
    findShared: (shareId) => byShare.find(shareId, () => recipes.findShared(shareId)),
    put: (recipe, max) => forgetAfter(recipes.put(recipe, max)),
    change: (id, owner, changes) => forgetAfter(recipes.change(id, owner, changes)),
    remove: (id, owner) => forgetAfter(recipes.remove(id, owner)),
    removeAll: (owner) => forgetAfter(recipes.removeAll(owner)),
  };
}

/** Caches look-ups of scenes by view id and by name; absent ones only for an outage. */
function rememberScenes(scenes: SceneStore, times: LookupTimes): SceneStore {
  const byViewId = makeTtlCache<Scene | null>({ ...times, max: MAX.scenes });
  const byName = makeTtlCache<Scene | null>({ ...times, max: MAX.sceneNames });
  async function forgetAfter<Result>(
    changed: readonly { readonly viewId: string }[],
    write: Promise<Result>,
  ): Promise<Result> {
    const result = await write;
    for (const { viewId } of changed) byViewId.forget(viewId);
    // Any of these scenes may now be the one with a cached name.
    byName.forgetAll();
    return result;
  }
  return {
    ...scenes,
    findByViewId: (viewId) => byViewId.find(viewId, () => scenes.findByViewId(viewId)),
    findByName: (dataset, name) => byName.find(`${dataset} ${name}`, () => scenes.findByName(dataset, name)),
    put: (scene) => forgetAfter([scene], scenes.put(scene)),
    putMany: (many) => forgetAfter(many, scenes.putMany(many)),
    // Also when nothing was replaced: then the cached record is out of date.
    replace: (scene, version) => forgetAfter([scene], scenes.replace(scene, version)),
    remove: (viewId) => forgetAfter([{ viewId }], scenes.remove(viewId)),
  };
}

/**
 * Caches look-ups of scenes of live catalogs, as those of the catalog. A scene that is evicted by a put is served for
 * `freshMs` more, as if another node had removed it.
 */
function rememberKnownScenes(scenes: KnownSceneStore, times: LookupTimes): KnownSceneStore {
  const byViewId = makeTtlCache<KnownScene | null>({ ...times, max: MAX.knownScenes });
  const byName = makeTtlCache<KnownScene | null>({ ...times, max: MAX.knownSceneNames });
  async function forgetAfter<Result>(viewIds: readonly string[], write: Promise<Result>): Promise<Result> {
    const result = await write;
    for (const viewId of viewIds) byViewId.forget(viewId);
    byName.forgetAll();
    return result;
  }
  return {
    ...scenes,
    findByViewId: (viewId) => byViewId.find(viewId, () => scenes.findByViewId(viewId)),
    findByName: (dataset, name) => byName.find(`${dataset} ${name}`, () => scenes.findByName(dataset, name)),
    putMany: (many, bounds) =>
      forgetAfter(
        many.map(({ scene }) => scene.viewId),
        scenes.putMany(many, bounds),
      ),
    confirm: (viewId, checkedAt) => forgetAfter([viewId], scenes.confirm(viewId, checkedAt)),
    remove: (viewId) => forgetAfter([viewId], scenes.remove(viewId)),
  };
}

/** Caches the list of elevation models and look-ups of files; any write may change any answer. */
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

/** Measurements under a digest of all their inputs: a right value stays right. */
interface Measurements<Value> {
  find(key: string): Promise<Value | null>;
  put(key: string, value: Value): Promise<void>;
}

/**
 * Caches measurements as long as there is room. If the store does not answer, or cannot store a measurement, this process
 * measures once instead of for every picture.
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
