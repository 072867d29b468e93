import { makeScene } from '../../../catalog/testing/make-scene.ts';
import { makeRecipeApp } from '../../recipes/testing/make-recipe-app.ts';

/** The application over a catalog of one scene, which is a layer, and the recipes of a test; there is no terrain. */
export function makeOgcApp(options: Parameters<typeof makeRecipeApp>[0] = {}) {
  const scene = { ...makeScene(21), version: 'v1' };
  const app = makeRecipeApp({
    scenes: {
      findByViewId: async (viewId) => (viewId === scene.viewId ? scene : null),
      findByName: async () => null,
      countByDataset: async () => new Map([[scene.dataset, 1]]),
      searchHits: async () => ({ found: 1, hits: [scene] }),
    },
    terrain: { listDems: async () => [] },
    ...options,
  });
  return { ...app, scene, sceneLayer: `scene.${scene.viewId.replaceAll('/', '_')}` };
}
