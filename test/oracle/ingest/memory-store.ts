import type { NewScene, Scene, SceneStore } from '../../../src/catalog/index.ts';
import { toScene } from '../../../src/catalog/index.ts';

/** As much of a store as an ingest needs. */
export function makeMemoryStore(): {
  readonly store: Pick<SceneStore, 'findByViewId' | 'putMany'>;
  readonly scenes: ReadonlyMap<string, Scene>;
} {
  const scenes = new Map<string, Scene>();
  const put = (given: NewScene) => {
    const scene = toScene(given);
    const known = scenes.get(scene.viewId);
    if (known?.version === scene.version) return 'unchanged';
    scenes.set(scene.viewId, scene);
    return known === undefined ? 'added' : 'replaced';
  };
  return {
    store: {
      findByViewId: async (viewId) => scenes.get(viewId) ?? null,
      putMany: async (given) => given.map(put),
    },
    scenes,
  };
}
