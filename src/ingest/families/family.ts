import type { NewScene, Scene } from '../../catalog/index.ts';
import type { FoundFile } from '../../files/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import type { Product } from '../files/product.ts';
import type { ProductDoors, ReadText } from '../files/product-files.ts';
import type { StacAsset, StacItem } from '../item/item.ts';
import type { SceneFacts } from './scene-facts.ts';

/**
 * A family: sensors whose provider names and describes scenes in one way (`Sensor.family`). It identifies the scene of a
 * product in a folder and of a STAC item; both must give one scene the same view id.
 */
export interface Family {
  readonly name: string;
  /** Reads the metadata of a product in a folder. */
  readonly describeProduct: (product: Product, tools: ProductTools) => Promise<SceneFacts>;
  /** Null if no public catalog has items of the family. */
  readonly items: ItemRules | null;
  readonly levels?: LevelPair;
}

/** What a family may use to describe a product in a folder. */
export interface ProductTools {
  readonly readText: ReadText;
  readonly findScene: FindScene;
  readonly toHref: ProductDoors['toHref'];
  /** Counts the bands of an image file, for products whose name depends on it. */
  readonly countBands: (file: FoundFile) => Promise<number>;
}

/** Finds a scene of this run or of the catalog. */
export type FindScene = (viewId: string) => Promise<Pick<Scene, 'acquiredAt' | 'sceneId' | 'fields'> | null>;

/** How STAC items of a family are recognised and read. */
export interface ItemRules {
  /** The first match counts. */
  readonly accepted: readonly AcceptedItems[];
  /** Collections of the provider that are refused, and why. */
  readonly refused?: readonly RefusedItems[];
  /** Spellings of bands; generic names (`red`) and the sensor's own spellings need no entry. */
  readonly bandSpellings: readonly BandSpelling[];
  /** The bands of one image in order, for items that do not name them; absent if an image has one band. */
  readonly bandsInImage?: readonly string[];
  readonly describe: DescribeItem;
}

/** Items that become scenes. */
export interface AcceptedItems {
  /** Datasets of their scenes; if absent, all of the family, and the name of the scene decides. */
  readonly datasets?: readonly string[];
  /** Collections of public catalogs (Earth Search, Planetary Computer, USGS, CBERS on AWS) and of stactools. */
  readonly collections: readonly string[];
  /** Recognises items whose collection has another name, or that name none. */
  readonly telltale:
    | { readonly property: string; readonly values?: readonly string[] }
    | { readonly id: RegExp };
}

/** Items that are refused, and why. */
export interface RefusedItems {
  readonly collection: RegExp;
  readonly reason: string;
}

/**
 * Maps the spelling of a band in names of bands, assets and files (without folder and extension) to that of the sensor:
 * `$1` is the group of the pattern.
 */
export interface BandSpelling {
  readonly pattern: RegExp;
  readonly band: string;
}

/** Identifies the scene of an item; `sensors` are the candidates, at least one. */
export type DescribeItem = (
  item: StacItem,
  sensors: readonly [Sensor, ...Sensor[]],
  tools: ItemTools,
) => Promise<SceneFacts>;

/** What a family may use to describe an item. */
export interface ItemTools {
  readonly findScene: FindScene;
  /** The text of a file of the item; null if no files are read, or this one cannot be read. */
  readonly readText: (asset: StacAsset) => Promise<string | null>;
}

/** Two processing levels of one recording; hits of the lower one say whether the catalog has the higher one. */
export interface LevelPair {
  readonly lower: string;
  readonly higher: string;
  /** Whether two scenes of one name are of the same recording. */
  readonly isSameRecording: (one: NewScene, other: NewScene) => boolean;
  /** The fields of the lower level once the catalog has the higher one. */
  readonly linkFields: (lower: NewScene, higher: NewScene) => NewScene['fields'];
}
