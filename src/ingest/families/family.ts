import type { BandCalibration, CloudMask, FieldValue, NewScene, Scene } from '../../catalog/index.ts';
import type { FoundFile } from '../../files/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import type { Band, DatasetId, FieldsOf, Sensor } from '../../sensors/index.ts';
import type { Product } from '../folder/find-products.ts';
import type { Placement, ProductDoors, ReadText } from '../read-files.ts';
import type { StacAsset, StacBand, StacItem } from '../stac/item.ts';

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
interface BandSpelling {
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

/** A band of a scene and what a STAC item says about its file; a product in a folder has no item. */
export interface BandSource {
  readonly band: Band;
  readonly asset: StacAsset | null;
  readonly stated: StacBand | null;
}

/** physical = stored * scale + offset. */
export interface BandScale {
  readonly scale: number;
  readonly offset: number;
}

/** The facts of a scene from names and metadata, of a folder or of a STAC item; its images are not opened. */
export interface SceneFacts
  extends Pick<
    NewScene,
    | 'viewId'
    | 'sceneId'
    | 'acquiredAt'
    | 'cloudPercent'
    | 'sunElevationDeg'
    | 'sunAzimuthDeg'
    | 'coveragePercent'
    | 'fields'
  > {
  readonly sensor: Sensor;
  readonly productId: string | null;
  /** Comparable as text within a dataset: of two products of one scene the larger one is newer. */
  readonly processed: string;
  /** In astronomical units; null if unknown. */
  readonly earthSunDistanceAu: number | null;
  /** The calibration of a band; null if unknown. */
  readonly calibrationOf: (source: BandSource) => BandCalibration | null;
  readonly scaleOf: (source: BandSource) => BandScale;
  /** A mask in a band of the scene is ignored if the band is missing. */
  readonly cloudMask: CloudMask | null;
  /** An image of cloud flags, which becomes the cloud mask once it is read. */
  readonly cloudImage: FoundFile | null;
  /** The provider's outline of the measured area, in the reference system of that code. */
  readonly stated: { readonly area: AreaGeometry; readonly epsg: number } | null;
  /** True if the images hold a tilted frame among empty pixels, whose outline is measured in the images. */
  readonly isTilted: boolean;
  /** The placement of images without a georeference, by band name. */
  readonly placementOf: (band: string) => Placement | undefined;
  /** True if the georeference of STAC items is not reliable, so that the files must be read. */
  readonly isPlacedByFile: boolean;
  /** Omissions, for the report. */
  readonly notes: readonly string[];
}

/** Defaults for facts that few products have. */
export const DEFAULT_FACTS = {
  productId: null,
  processed: '',
  cloudPercent: null,
  sunElevationDeg: null,
  sunAzimuthDeg: null,
  coveragePercent: null,
  earthSunDistanceAu: null,
  calibrationOf: () => null,
  scaleOf: () => ({ scale: 1, offset: 0 }),
  cloudMask: null,
  cloudImage: null,
  stated: null,
  isTilted: false,
  placementOf: () => undefined,
  isPlacedByFile: false,
  notes: [],
} as const satisfies Partial<SceneFacts>;

/**
 * The fields of a record, without unknown values. The dataset must be named, `toFields<'naip'>({ … })`: the compiler then
 * refuses a misspelt field.
 */
export const toFields = <Dataset extends DatasetId = never>(
  values: [Dataset] extends [never] ? never : FieldsOf<Dataset>,
): Record<string, FieldValue> =>
  Object.fromEntries(
    Object.entries<FieldValue | undefined>(values).filter(
      (entry): entry is [string, FieldValue] => entry[1] !== undefined && entry[1] !== null,
    ),
  );

/** The scale of the sensor, the same for all its products. */
export const scaleByRule = ({ band: { calibration } }: BandSource): BandScale =>
  calibration.kind === 'scaled'
    ? { scale: calibration.scale.mult, offset: calibration.scale.add }
    : { scale: 1, offset: 0 };

/** Two decimals, as providers list angles and percentages. */
export const toHundredths = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;
