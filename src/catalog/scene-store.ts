import type { AreaGeometry, PointGeometry, relates } from '../geo/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { ListedFiles } from './listed-files.ts';
import type { FieldValue, NewScene, Scene } from './scene.ts';

/** How a footprint must relate to the shape of a search: touch it, cover it, or lie inside it. */
export type ShapeRelation = Parameters<typeof relates>[2];

/** One condition on a dataset field; bounds are inclusive. */
export type FieldFilter =
  | { readonly field: string; readonly kind: 'range'; readonly from?: FieldValue; readonly to?: FieldValue }
  | {
      readonly field: string;
      readonly kind: 'one-of';
      readonly values: readonly FieldValue[];
      /** Ignores the case of the letters A to Z, and of no others. */
      readonly ignoresCase?: true;
    };

/** What to look for: the union over datasets, each with its own filters. */
export interface SceneQuery {
  readonly datasets: readonly { readonly id: string; readonly filters: readonly FieldFilter[] }[];
  readonly shape?: { readonly geometry: PointGeometry | AreaGeometry; readonly relation: ShapeRelation };
  /** Ties are broken by scene id, so that pages never overlap. */
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly offset: number;
  readonly limit: number;
  /** Asks `searchHits` for the files as well, where they are at hand: then a caller who shows them reads each scene once. */
  readonly withFiles?: true;
}

/** One page of scenes and how many match in all. */
export interface ScenePage {
  readonly found: number;
  readonly scenes: readonly Scene[];
}

/** A scene that was found, and whose record has to be read at its source. */
export interface PendingScene {
  read(): Promise<Scene>;
}

/** One page of scenes, of which some are read when they are wanted, and how many match in all. */
interface PendingPage {
  readonly found: number;
  readonly scenes: readonly (Scene | PendingScene)[];
}

/**
 * What a list of results shows of a scene: its record without the files and their calibration, which are the larger
 * part of it (a thousand Sentinel-1 records are 50 MB of JSON, their hits 1 MB).
 */
export type SceneHit = Pick<
  Scene,
  | 'viewId'
  | 'sceneId'
  | 'productId'
  | 'dataset'
  | 'acquiredAt'
  | 'footprint'
  | 'frame'
  | 'cloudPercent'
  | 'sunElevationDeg'
  | 'sunAzimuthDeg'
  | 'coveragePercent'
  | 'fields'
  | 'provenance'
  | 'indexedAt'
  | 'version'
>;

/** A hit with its files. */
export type FiledHit = SceneHit & {
  readonly files: ListedFiles;
  /** The footprint as JSON, where the store has it so: writing its numbers again takes longer than all else of a hit. */
  readonly footprintJson?: string | undefined;
};

/** One page of hits and how many match in all. */
export interface HitPage {
  readonly found: number;
  readonly hits: readonly (SceneHit | FiledHit)[];
  /** What live catalogs have added; absent where none was asked. */
  readonly catalogs?: readonly CatalogNote[];
}

/** What a live catalog has added to a page of hits. */
export interface CatalogNote {
  readonly catalog: string;
  readonly dataset: string;
  /** The scenes of the catalog that match. */
  readonly found: number;
  /** How that is known: all were counted, the catalog states it, or there are at least so many. */
  readonly foundBy: 'counted' | 'stated' | 'at-least';
  /** Why the page may lack scenes; null if it does not. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** What putting a scene has changed: an equal record changes nothing, not even its version. */
export type PutOutcome = 'added' | 'replaced' | 'unchanged';

/**
 * The store of scenes.
 *
 * `matchesFilters` and `compareScenes` define filters and orders. Filters match values of their own type only; text
 * compares by code point unless a filter ignores case, true and false count as 1 and 0, null and absent match nothing.
 * Sorting puts numbers before texts, and null and absent last in both directions; ties are broken by scene id and then by
 * view id. Every scene has the field `satellite`, its dataset id. `relates` defines how shapes are compared.
 */
export interface SceneStore {
  /** Inserts the scene, or replaces the one of the same view id; resolves when it is on disk. */
  put(scene: NewScene): Promise<Scene>;
  /** Puts all scenes or, on failure, none; returns one outcome for each, in order. */
  putMany(scenes: readonly NewScene[]): Promise<readonly PutOutcome[]>;
  /**
   * Replaces the scene of the same view id if it still has this version; otherwise writes nothing and returns null.
   */
  replace(scene: NewScene, version: string): Promise<Scene | null>;
  /** Removes a scene, but not its files; false when there was none. */
  remove(viewId: string): Promise<boolean>;
  findByViewId(viewId: string): Promise<Scene | null>;
  /** The same scene for a list: its record is not parsed. Absent where records are at hand. */
  findHit?(viewId: string): Promise<FiledHit | Scene | null>;
  /** Finds by scene id or product id within a dataset; of several (reprocessed) scenes the one with the last view id. */
  findByName(dataset: string, name: string): Promise<Scene | null>;
  /** Whole records, for callers that go on to read pixels. */
  search(query: SceneQuery): Promise<ScenePage>;
  /**
   * The same scenes, of which some are read when they are wanted: work on the first ones need not wait for the last.
   * Absent where all records are at hand.
   */
  searchPending?(query: SceneQuery): Promise<PendingPage>;
  /** The same scenes without their files, for lists. */
  searchHits(query: SceneQuery): Promise<HitPage>;
  /** Every scene, or those of a dataset, in order of view id; holds a few in memory, whatever the size of the catalog. */
  list(options?: { readonly dataset?: string }): AsyncIterable<Scene>;
  count(): Promise<number>;
  /** By dataset id, in order; datasets without scenes are absent. */
  countByDataset(): Promise<ReadonlyMap<string, number>>;
}

/**
 * All fields of a scene that a search may filter, sort and return, by the dataset's field names. Where the provider has
 * no thumbnail, ours is given, relative to the URL of the service: `L8/thumb/{scene_id}.png`.
 */
export function toSearchFields(
  scene: Pick<NewScene, 'fields' | 'sceneId' | 'acquiredAt' | 'viewId' | 'dataset' | 'indexedAt'>,
): Readonly<Record<string, FieldValue>> {
  const { fields, sceneId, acquiredAt, viewId, dataset, indexedAt } = scene;
  const isWithout = fields.thumbnail == null && sensorByDataset(dataset)?.hitFields.thumbnail !== undefined;
  return {
    ...fields,
    ...(isWithout ? { thumbnail: `${viewId.replace('/', '/thumb/')}.png` } : {}),
    // Without a zone, as clients expect it.
    ...(indexedAt === undefined ? {} : { IndexingTime: indexedAt.replace(/Z$/, '') }),
    sceneID: sceneId,
    date: acquiredAt.slice(0, 10),
  };
}
