import type {
  NewScene,
  PutOutcome,
  Scene,
  SceneHit,
  SceneQuery,
  SceneStore,
} from '../../../catalog/index.ts';
import { compareScenes, matchesFilters, toMatchedFields, toScene } from '../../../catalog/index.ts';
import { relates } from '../../../geo/index.ts';

/** A catalog in memory that searches as the ports define it, and counts how often it was asked. */
export interface MadeCatalog {
  readonly scenes: Pick<
    SceneStore,
    'searchHits' | 'findByViewId' | 'findHit' | 'countByDataset' | 'putMany' | 'remove' | 'replace'
  >;
  /** The queries that came. */
  readonly asked: SceneQuery[];
  add(...scenes: readonly NewScene[]): void;
}

/** Builds it. */
export function makeMadeCatalog(...first: readonly NewScene[]): MadeCatalog {
  const stored = new Map<string, Scene>();
  const asked: SceneQuery[] = [];
  const add = (...scenes: readonly NewScene[]): void => {
    for (const scene of scenes) stored.set(scene.viewId, toScene(scene));
  };
  add(...first);
  return {
    asked,
    add,
    scenes: {
      async searchHits(query) {
        asked.push(query);
        const { shape, sort, offset, limit, datasets } = query;
        const found = [...stored.values()]
          .filter((scene) =>
            datasets.some(
              ({ id, filters }) => scene.dataset === id && matchesFilters(toMatchedFields(scene), filters),
            ),
          )
          .filter(
            ({ footprint }) => shape === undefined || relates(footprint, shape.geometry, shape.relation),
          )
          .sort((a, b) => compareScenes(a, b, sort));
        const hits = found.slice(offset, offset + limit).map(({ assets: _, ...hit }): SceneHit => hit);
        return { found: found.length, hits };
      },
      findByViewId: async (viewId) => stored.get(viewId) ?? null,
      findHit: async (viewId) => stored.get(viewId) ?? null,
      async countByDataset() {
        const groups = Map.groupBy(stored.values(), ({ dataset }) => dataset);
        return new Map([...groups].map(([dataset, all]) => [dataset, all.length]));
      },
      async putMany(scenes) {
        const outcomes = scenes.map(({ viewId }): PutOutcome => (stored.has(viewId) ? 'replaced' : 'added'));
        add(...scenes);
        return outcomes;
      },
      async replace(scene, version) {
        if (stored.get(scene.viewId)?.version !== version) return null;
        add(scene);
        return stored.get(scene.viewId) ?? null;
      },
      remove: async (viewId) => stored.delete(viewId),
    },
  };
}
