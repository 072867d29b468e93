import type { NewScene, SceneQuery } from '../../src/catalog/index.ts';
import { compareScenes, matchesFilters, toMatchedFields } from '../../src/catalog/index.ts';
import { relates } from '../../src/geo/index.ts';

/**
 * A search that looks at every scene. The stores, which search in SQL and use none of these functions but `relates`,
 * must agree with it, and so with what Swath finds in lists of other catalogs.
 */
export function searchNaively(scenes: readonly NewScene[], query: SceneQuery) {
  const matching = scenes.filter(
    (scene) =>
      query.datasets.some(
        ({ id, filters }) => id === scene.dataset && matchesFilters(toMatchedFields(scene), filters),
      ) &&
      (query.shape === undefined || relates(scene.footprint, query.shape.geometry, query.shape.relation)),
  );
  matching.sort((a, b) => compareScenes(a, b, query.sort));
  return {
    found: matching.length,
    viewIds: matching.slice(query.offset, query.offset + query.limit).map(({ viewId }) => viewId),
  };
}
