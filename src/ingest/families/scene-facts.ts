import type { BandCalibration, CloudMask, FieldValue, NewScene } from '../../catalog/index.ts';
import type { FoundFile } from '../../files/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import type { Band, DatasetId, FieldsOf, Sensor } from '../../sensors/index.ts';
import type { Placement } from '../files/read-asset.ts';
import type { StacBand } from '../item/band.ts';
import type { StacAsset } from '../item/item.ts';

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
