import type { Sensor } from '../../sensors/index.ts';
import type { Product } from '../files/product.ts';
import type { ProductDoors, ReadText } from '../files/product-files.ts';
import type { FoundFile } from '../files/walk-folder.ts';
import type { StacAsset, StacItem } from '../item/item.ts';
import type { NewScene, Scene } from '../scene.ts';
import type { SceneFacts } from './scene-facts.ts';

/**
 * A family of products: sensors whose provider names and describes scenes in one way (`Sensor.family`). It says which
 * scene a product in a folder or a STAC item is; both must give one scene the same view id.
 */
export interface Family {
  readonly name: string;
  /** Reads the metadata of a product in a folder. */
  readonly describeProduct: (product: Product, tools: ProductTools) => Promise<SceneFacts>;
  /** Null where no public catalog has items of the family. */
  readonly items: ItemRules | null;
  readonly levels?: LevelPair;
}

/** What describing a product in a folder may ask for. */
export interface ProductTools {
  readonly readText: ReadText;
  readonly findScene: FindScene;
  readonly toHref: ProductDoors['toHref'];
  /** Opens a file of images to count its bands, for products whose name depends on it. */
  readonly countBands: (file: FoundFile) => Promise<number>;
}

/** Looks a scene up: one of this run, or of the catalog. */
export type FindScene = (viewId: string) => Promise<Pick<Scene, 'acquiredAt' | 'sceneId' | 'fields'> | null>;

/** How STAC items of a family are recognised and read. */
export interface ItemRules {
  /** The first that fits counts. */
  readonly accepted: readonly AcceptedItems[];
  /** Collections of the provider that are no scenes here, and why. */
  readonly refused?: readonly RefusedItems[];
  /** Spellings of bands; generic names (`red`) and the sensor's own spellings need no entry. */
  readonly bandSpellings: readonly BandSpelling[];
  /** The bands of one image in their order, for items that do not name them; absent where an image has one band. */
  readonly bandsInImage?: readonly string[];
  readonly describe: DescribeItem;
}

/** Items that become scenes. */
export interface AcceptedItems {
  /** Datasets their scenes can be of; all of the family when left out, and then the name of the scene tells which. */
  readonly datasets?: readonly string[];
  /** Collections of public catalogs: Earth Search, Planetary Computer, USGS, CBERS on AWS, and what stactools writes. */
  readonly collections: readonly string[];
  /** What tells them where a catalog calls its collection otherwise, or an item names none. */
  readonly telltale:
    | { readonly property: string; readonly values?: readonly string[] }
    | { readonly id: RegExp };
}

/** Items that do not become scenes, and why. */
export interface RefusedItems {
  readonly collection: RegExp;
  readonly reason: string;
}

/**
 * How items write a band in names of bands, of assets and of files (there without folder and extension), and how its
 * sensor does: `$1` is what the pattern's group holds.
 */
export interface BandSpelling {
  readonly pattern: RegExp;
  readonly band: string;
}

/** Says which scene an item is; `sensors` are those it can be of, at least one. */
export type DescribeItem = (
  item: StacItem,
  sensors: readonly [Sensor, ...Sensor[]],
  tools: ItemTools,
) => Promise<SceneFacts>;

/** What describing an item may ask for. */
export interface ItemTools {
  readonly findScene: FindScene;
  /** The text of a file of the item; null when no files are read, or this one cannot be. */
  readonly readText: (asset: StacAsset) => Promise<string | null>;
}

/** Two levels of one recording, of which hits of the lower one say whether the catalog has the higher one. */
export interface LevelPair {
  readonly lower: string;
  readonly higher: string;
  /** Whether two scenes of one name are of the same recording. */
  readonly isSameRecording: (one: NewScene, other: NewScene) => boolean;
  /** The fields of the lower level once the catalog has the higher one. */
  readonly linkFields: (lower: NewScene, higher: NewScene) => NewScene['fields'];
}
