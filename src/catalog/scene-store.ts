import type { AreaGeometry, PointGeometry } from '../geo/index.ts';
import type { FieldValue, NewScene, Scene } from './scene.ts';
import type { ShapeRelation } from './shape-relation.ts';

/** One condition on a dataset field; bounds are inclusive. */
export type FieldFilter =
  | { readonly field: string; readonly kind: 'range'; readonly from?: FieldValue; readonly to?: FieldValue }
  | { readonly field: string; readonly kind: 'one-of'; readonly values: readonly FieldValue[] };

/** What to look for: the union over datasets, each with its own filters. */
export interface SceneQuery {
  readonly datasets: readonly { readonly id: string; readonly filters: readonly FieldFilter[] }[];
  readonly shape?: { readonly geometry: PointGeometry | AreaGeometry; readonly relation: ShapeRelation };
  /** Ties are broken by scene id, so that pages never overlap. */
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly offset: number;
  readonly limit: number;
}

/** One page of scenes and how many match in all. */
export interface ScenePage {
  readonly found: number;
  readonly scenes: readonly Scene[];
}

/** Where scenes are kept. */
export interface SceneStore {
  /** Inserts, or replaces the scene of the same view id; resolves when it is on disk. */
  put(scene: NewScene): Promise<Scene>;
  findByViewId(viewId: string): Promise<Scene | null>;
  search(query: SceneQuery): Promise<ScenePage>;
  count(): Promise<number>;
}
