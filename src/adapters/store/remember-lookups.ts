import type { CacheTimes, Changes } from '../../async/index.ts';
import { makeTtlCache } from '../../async/index.ts';
import type { FiledHit, Scene, SceneStore } from '../../catalog/index.ts';
import { isUnavailable } from '../../errors.ts';
import type { KeyRecord, KeyStore } from '../../keys/index.ts';
import type { Recipe, RecipeStore } from '../../library/index.ts';
import type { KnownScene, KnownSceneStore } from '../../live/index.ts';
import type { SessionRecord, SessionStore } from '../../sign-in/index.ts';
import type { DemFile, DemStore, ListedDem } from '../../terrain/index.ts';
import type { Store } from './store.ts';

/** TTLs of cached look-ups. */
export interface LookupTimes {
  readonly nowMs: () => number;
  /** How long a value is served without asking the database, at most; 0 asks each time. */
  readonly freshMs: number;
  /** How long a value is served while the database is unavailable. */
  readonly outageMs: number;
}

/** Values are served no longer than this after the last moment up to which all changes were reported. */
const UNREPORTED_MS = 2_000;

/** The times of a cache whose owner forgets what `changes` reports. */
const toCacheTimes = ({ nowMs, freshMs, outageMs }: LookupTimes, { heard }: Changes): CacheTimes => ({
  nowMs,
  freshMs: Math.min(freshMs, UNREPORTED_MS),
  reported: { heard, maxMs: freshMs },
  outageMs,
});

/**
 * Upper bounds: as many as a busy node uses at a time. A scene may have a few hundred kilobytes, and so may an elevation
 * model's files within bounds.
 */
const MAX = {
  keys: 10_000,
  sessions: 10_000,
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
 * tile makes no round trip. A change made through this store is seen at once, a change made elsewhere as soon as the database
 * reports it. Where changes are not reported, or reports were lost, values are served for two seconds.
 * While the database does not answer, cached answers are served for `outageMs`, so that open maps keep working.
 */
export function rememberLookups(store: Store, times: LookupTimes): Store {
  return {
    ...store,
    keys: rememberKeys(store.keys, times, store.changes('keys')),
    sessions: rememberSessions(store.sessions, times, store.changes('sessions')),
    scenes: rememberScenes(store.scenes, times, {
      changes: store.changes('scenes'),
      names: store.changes('scene-names'),
    }),
    knownScenes: rememberKnownScenes(store.knownScenes, times, {
      changes: store.changes('known-scenes'),
      names: store.changes('known-scene-names'),
    }),
    contrasts: rememberMeasurements(store.contrasts, times, MAX.contrasts),
    intensities: rememberMeasurements(store.intensities, times, MAX.intensities),
    recipes: rememberRecipes(store.recipes, times, store.changes('recipes')),
    dems: rememberDems(store.dems, times, store.changes('dems')),
  };
}

/**
 * TTL of unknown keys; `SWATH_API_KEY` is one of them, because no store has it. A key that is created elsewhere works at
 * once nevertheless: its secret is random and was not tried before.
 */
const UNKNOWN_KEY_MS = 500;

/** Caches look-ups of keys by hash, and by id: readers of public recipes have the key of no one. */
function rememberKeys(keys: KeyStore, lookup: LookupTimes, changes: Changes): KeyStore {
  const times = toCacheTimes(lookup, changes);
  const absentMs = Math.min(UNKNOWN_KEY_MS, times.freshMs);
  const byHash = makeTtlCache<KeyRecord | null>({ name: 'keys', ...times, absentMs, max: MAX.keys });
  const byId = makeTtlCache<KeyRecord | null>({ name: 'keys', ...times, max: MAX.keys });
  function forget(ids: readonly string[] | null): void {
    const changed = new Set(ids);
    for (const cache of [byHash, byId]) {
      cache.forgetWhere((key) => ids === null || (key !== null && changed.has(key.id)));
    }
  }
  changes.watch(forget);
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
      forget([id]);
      return isKnown;
    },
    async change(id, how) {
      const isKnown = await keys.change(id, how);
      forget([id]);
      return isKnown;
    },
  };
}

/** Caches look-ups of sessions; one that does not exist is asked for again. */
function rememberSessions(sessions: SessionStore, lookup: LookupTimes, changes: Changes): SessionStore {
  const byHash = makeTtlCache<SessionRecord | null>({ ...toCacheTimes(lookup, changes), max: MAX.sessions });
  changes.watch((hashes) => {
    if (hashes === null) byHash.forgetAll();
    else for (const hash of hashes) byHash.forget(hash);
  });
  return {
    ...sessions,
    find: (hash) => byHash.find(hash, () => sessions.find(hash)),
    async remove(hash) {
      await sessions.remove(hash);
      byHash.forget(hash);
    },
    async removeAll(keyId) {
      await sessions.removeAll(keyId);
      byHash.forgetWhere((session) => session?.keyId === keyId);
    },
  };
}

/** Caches look-ups of recipes, of their owners and of their public readers; any write may end a share. */
function rememberRecipes(recipes: RecipeStore, lookup: LookupTimes, changes: Changes): RecipeStore {
  const times = toCacheTimes(lookup, changes);
  const byId = makeTtlCache<Recipe | null>({ name: 'recipes', ...times, max: MAX.recipes });
  const byShare = makeTtlCache<Recipe | null>({ name: 'recipes', ...times, max: MAX.recipes });
  function forget(): void {
    byId.forgetAll();
    byShare.forgetAll();
  }
  changes.watch(forget);
  async function forgetAfter<Result>(write: Promise<Result>): Promise<Result> {
    const result = await write;
    forget();
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

/** Reports of changed scenes, and of new ones, which may be found by a name that another scene has too. */
interface SceneReports {
  readonly changes: Changes;
  readonly names: Changes;
}

/** The caches of one kind of scenes, by view id and by name; absent ones are served in an outage only. */
function makeSceneCaches<Found>(
  lookup: LookupTimes,
  { changes, names }: SceneReports,
  { name, ...max }: { readonly name: string; readonly scenes: number; readonly names: number },
) {
  const times = toCacheTimes(lookup, changes);
  const byViewId = makeTtlCache<Found | null>({ name, ...times, max: max.scenes });
  const hits = makeTtlCache<FiledHit | Scene | null>({ name, ...times, max: max.scenes });
  const byName = makeTtlCache<Found | null>({ name, ...times, max: max.names });
  function forget(viewIds: readonly string[] | null): void {
    for (const cache of [byViewId, hits]) {
      if (viewIds === null) cache.forgetAll();
      else for (const viewId of viewIds) cache.forget(viewId);
    }
    // Any of these scenes may now be the one with a cached name.
    byName.forgetAll();
  }
  changes.watch(forget);
  names.watch(() => byName.forgetAll());
  async function forgetAfter<Result>(viewIds: readonly string[], write: Promise<Result>): Promise<Result> {
    const result = await write;
    forget(viewIds);
    return result;
  }
  return { byViewId, hits, byName, forgetAfter };
}

/** Caches look-ups of scenes. */
function rememberScenes(scenes: SceneStore, times: LookupTimes, reports: SceneReports): SceneStore {
  const max = { name: 'scenes', scenes: MAX.scenes, names: MAX.sceneNames };
  const { byViewId, hits, byName, forgetAfter } = makeSceneCaches<Scene>(times, reports, max);
  const { findHit } = scenes;
  return {
    ...scenes,
    ...(findHit === undefined ? {} : { findHit: (viewId) => hits.find(viewId, () => findHit(viewId)) }),
    findByViewId: (viewId) => byViewId.find(viewId, () => scenes.findByViewId(viewId)),
    findByName: (dataset, name) => byName.find(`${dataset} ${name}`, () => scenes.findByName(dataset, name)),
    put: (scene) => forgetAfter([scene.viewId], scenes.put(scene)),
    putMany: (many) =>
      forgetAfter(
        many.map(({ viewId }) => viewId),
        scenes.putMany(many),
      ),
    // Also when nothing was replaced: then the cached record is out of date.
    replace: (scene, version) => forgetAfter([scene.viewId], scenes.replace(scene, version)),
    remove: (viewId) => forgetAfter([viewId], scenes.remove(viewId)),
  };
}

/** Caches look-ups of scenes of live catalogs, as those of the catalog. */
function rememberKnownScenes(
  scenes: KnownSceneStore,
  times: LookupTimes,
  reports: SceneReports,
): KnownSceneStore {
  const max = { name: 'known-scenes', scenes: MAX.knownScenes, names: MAX.knownSceneNames };
  const { byViewId, byName, forgetAfter } = makeSceneCaches<KnownScene>(times, reports, max);
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
function rememberDems(dems: DemStore, lookup: LookupTimes, changes: Changes): DemStore {
  const times = toCacheTimes(lookup, changes);
  const lists = makeTtlCache<readonly ListedDem[]>({ name: 'elevation-models', ...times, max: 1 });
  const files = makeTtlCache<readonly DemFile[]>({ name: 'elevation-models', ...times, max: MAX.demFiles });
  function forget(): void {
    lists.forgetAll();
    files.forgetAll();
  }
  changes.watch(forget);
  async function forgetAfter<Result>(write: Promise<Result>): Promise<Result> {
    const result = await write;
    forget();
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
