import type { AreaGeometry } from '../../geo/index.ts';
import type { Band, Sensor } from '../../sensors/index.ts';
import type { Placement } from '../files/read-asset.ts';
import type { FoundFile } from '../files/walk-folder.ts';
import type { StacBand } from '../item/band.ts';
import type { StacAsset } from '../item/item.ts';
import type { BandCalibration, CloudMask } from '../product-details.ts';
import type { FieldValue, NewScene } from '../scene.ts';

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

/** All that names and metadata say about a scene, whether of a folder or of a STAC item; its images are not opened. */
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
  /** Comparable as text within a dataset: of two products of one scene the larger is the newer one. */
  readonly processed: string;
  /** In astronomical units; null when not said. */
  readonly earthSunDistanceAu: number | null;
  /** What calibrates a band; null when nothing is said of it. */
  readonly calibrationOf: (source: BandSource) => BandCalibration | null;
  readonly scaleOf: (source: BandSource) => BandScale;
  /** One that names a band of the scene counts only where the band is there. */
  readonly cloudMask: CloudMask | null;
  /** An image of cloud flags, which becomes the cloud mask when it is read. */
  readonly cloudImage: FoundFile | null;
  /** What was measured, as the provider states it; in the reference system of that code. */
  readonly stated: { readonly area: AreaGeometry; readonly epsg: number } | null;
  /** True when the images hold a tilted frame among empty pixels, whose outline they tell best themselves. */
  readonly isTilted: boolean;
  /** Where images lie that do not say it themselves, by band name. */
  readonly placementOf: (band: string) => Placement | undefined;
  /** True when STAC items do not say rightly where an image lies, so that its file has to be read. */
  readonly isPlacedByFile: boolean;
  /** What was left out, for the report. */
  readonly notes: readonly string[];
}

/** What most scenes do not say. */
export const NOTHING_MORE = {
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

/** The fields of a record from those of a family (`FieldsOf`); what is not known is left out. */
export const toFields = (
  values: Readonly<Record<string, FieldValue | undefined>>,
): Record<string, FieldValue> =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, FieldValue] => entry[1] !== undefined && entry[1] !== null,
    ),
  );

/** By the sensor's own rule, the same for all its products. */
export const scaleByRule = ({ band: { calibration } }: BandSource): BandScale =>
  calibration.kind === 'scaled'
    ? { scale: calibration.scale.mult, offset: calibration.scale.add }
    : { scale: 1, offset: 0 };

/** Two digits, as providers give angles and percentages in lists. */
export const toHundredths = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;
