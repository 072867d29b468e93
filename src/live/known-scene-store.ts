import type { NewScene, Scene } from '../catalog/index.ts';

/** A scene of a live catalog that was asked for by name, with its files' headers read. */
export interface KnownScene {
  readonly scene: Scene;
  /** The catalog that has it, and the address of its item there. */
  readonly catalog: string;
  readonly itemUrl: string;
  /** The item's `updated` property, or else the ETag of its answer; null if the catalog states neither. */
  readonly itemState: string | null;
  /** When the item was last seen at its source in this state, ISO 8601 in UTC. */
  readonly checkedAt: string;
}

/** A known scene before the store gives it a version. */
export interface NewKnownScene extends Omit<KnownScene, 'scene'> {
  readonly scene: NewScene;
}

/**
 * Scenes of live catalogs that were used: a bounded table from which the least recently used disappear. It is a cache
 * that all nodes share, not a part of the catalog: searches do not read it.
 */
export interface KnownSceneStore {
  findByViewId(viewId: string): Promise<KnownScene | null>;
  /** By scene id or product id within a dataset, as `SceneStore.findByName`. */
  findByName(dataset: string, name: string): Promise<KnownScene | null>;
  /**
   * Inserts or replaces scenes as used at `usedAt`, and then removes the least recently used beyond `max`, except those
   * that are held. Returns the scenes with their versions, in order.
   */
  putMany(
    scenes: readonly NewKnownScene[],
    bounds: { readonly max: number; readonly usedAt: string },
  ): Promise<readonly Scene[]>;
  /** Notes that scenes were used; unknown ones are ignored. */
  touch(viewIds: readonly string[], usedAt: string): Promise<void>;
  /** Keeps scenes from being removed until then, for tasks; a later time counts. */
  hold(viewIds: readonly string[], until: string): Promise<void>;
  /** Notes that the item was seen unchanged at its source. */
  confirm(viewId: string, checkedAt: string): Promise<void>;
  remove(viewId: string): Promise<boolean>;
  count(): Promise<number>;
}
