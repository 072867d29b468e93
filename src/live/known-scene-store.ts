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

/** What is written together with scenes. */
export interface PutBounds {
  /** The most scenes of the table. */
  readonly max: number;
  readonly usedAt: string;
  /** As `hold`. */
  readonly heldUntil?: string;
  /** A claim that ends, as by `release`. */
  readonly released?: { readonly viewId: string; readonly owner: string };
}

/**
 * Scenes of live catalogs that were used: a bounded table from which the least recently used disappear. It is a cache
 * that all nodes share, not a part of the catalog: searches do not read it. Times are ISO 8601 in UTC, as
 * `Date.toISOString` writes them: they compare as texts. Of two times for the same thing the later counts, whichever
 * node's note comes last.
 */
export interface KnownSceneStore {
  findByViewId(viewId: string): Promise<KnownScene | null>;
  /** By scene id or product id within a dataset, as `SceneStore.findByName`. */
  findByName(dataset: string, name: string): Promise<KnownScene | null>;
  /**
   * Inserts or replaces scenes as used at `usedAt`, and then removes the least recently used beyond `max`, except those
   * that are held beyond `usedAt`; all in one transaction. Of an equal record only what is known of its item changes.
   * Returns the scenes with their versions, in order.
   */
  putMany(scenes: readonly NewKnownScene[], bounds: PutBounds): Promise<readonly Scene[]>;
  /** Notes that scenes were used; unknown ones are ignored. */
  touch(viewIds: readonly string[], usedAt: string): Promise<void>;
  /** Keeps scenes from being removed until then, for tasks; a later time counts. */
  hold(viewIds: readonly string[], until: string): Promise<void>;
  /** Notes that the item was seen unchanged at its source. */
  confirm(viewId: string, checkedAt: string): Promise<void>;
  remove(viewId: string): Promise<boolean>;
  count(): Promise<number>;
  /**
   * Claims the right to ask the catalog for a scene, so that of several nodes that need it one asks, and the others
   * wait and look again. True if no other owner has a claim that still runs; an owner may prolong its own. A claim ends
   * at `untilMs`, on the wall clock, if it is not released before: then its node is taken to have died.
   */
  claim(viewId: string, options: { readonly owner: string; readonly untilMs: number }): Promise<boolean>;
  /** Ends a claim of this owner; the claims of others stay. */
  release(viewId: string, owner: string): Promise<void>;
}
