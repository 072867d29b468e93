import type { Scene, SceneHit, SceneStore } from '../catalog/index.ts';
import { makeLru } from '../lru.ts';
import type { CompareScene } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { CoverageStore, StoredMask } from './coverage-store.ts';
import { toMaskKey } from './coverage-store.ts';
import { notFound } from './errors.ts';
import type { SceneMask } from './plan-mask.ts';
import { describeMask } from './plan-mask.ts';

/** A scene whose mask is known. */
export interface MaskedScene {
  readonly hit: SceneHit;
  readonly sensor: Sensor;
  /** Null if it was not needed to know the mask. */
  readonly scene: Scene | null;
  /** Of the version that is described. */
  readonly key: string;
  /** Null if the scene has no regular grid. */
  readonly mask: SceneMask | null;
}

interface MaskDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly store: Pick<CoverageStore, 'findMasks'>;
  /** Called when masks could not be looked up; they are described again. */
  readonly onForgotten: (error: unknown) => void;
}

/** Finds the masks of scenes. */
export interface SceneMasks {
  /** Looks up the masks of many hits at once, without their records. */
  findMany(hits: readonly SceneHit[]): Promise<void>;
  /** The mask of a scene; one that was not stored is added to `fresh`. */
  find(hit: SceneHit, fresh: StoredMask[]): Promise<MaskedScene>;
  /** The record of a scene, as its files are now. */
  load(hit: SceneHit): Promise<Scene>;
}

/** Descriptions of masks that are cached. */
const MAX_MASKS = 20_000;

/** Builds the finding of masks. A record has kilobytes, and a search finds hundreds: the few numbers of a grid are stored apart. */
export function makeSceneMasks({ scenes, compareScene, store, onForgotten }: MaskDeps): SceneMasks {
  const masks = makeLru<SceneMask | null>({ max: MAX_MASKS });

  async function load({ viewId }: SceneHit): Promise<Scene> {
    const found = await scenes.findByViewId(viewId);
    if (found === null) throw notFound('scene-gone', 'This scene is not in the catalog any more.');
    return compareScene(found, []);
  }

  return {
    load,
    async findMany(hits) {
      const unknown = hits
        .filter(isVersioned)
        .map(toMaskKey)
        .filter((key) => masks.get(key) === undefined);
      if (unknown.length === 0) return;
      try {
        const found = await store.findMasks(unknown);
        for (const [key, mask] of found) masks.set(key, JSON.parse(mask) as SceneMask | null);
      } catch (error) {
        onForgotten(error);
      }
    },
    async find(hit, fresh) {
      const sensor = sensorByDataset(hit.dataset) as Sensor;
      if (isVersioned(hit)) {
        const key = toMaskKey(hit);
        const mask = masks.get(key);
        if (mask !== undefined) return { hit, sensor, scene: null, key, mask };
      }
      const scene = await load(hit);
      const key = toMaskKey(scene);
      const known = masks.get(key);
      if (known !== undefined) return { hit, sensor, scene, key, mask: known };
      const mask = describeMask(scene, sensor);
      masks.set(key, mask);
      fresh.push({ key, mask: JSON.stringify(mask) });
      return { hit, sensor, scene, key, mask };
    },
  };
}

/** Hits of live catalogs do not say the version of their record. */
const isVersioned = ({ version }: SceneHit): boolean => version !== '';
