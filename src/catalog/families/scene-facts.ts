import type { AreaGeometry } from '../../geo/index.ts';
import type { Band, Sensor } from '../../sensors/index.ts';
import type { Placement } from '../files/read-asset.ts';
import type { FoundFile } from '../files/walk-folder.ts';
import type { Calibration, CloudMask } from '../product-details.ts';
import type { FieldValue, NewScene, Scene } from '../scene.ts';

/** All that a product's metadata and names say about a scene; its images are not opened for it. */
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
  readonly productId: string | null;
  /** Comparable as text within a dataset: of two products of one scene the larger is the newer one. */
  readonly processed: string;
  readonly calibration: Calibration | null;
  readonly cloudMask: CloudMask | null;
  /** An image of cloud flags, which becomes the cloud mask when it is read. */
  readonly cloudImage: FoundFile | null;
  /** What was measured, as the provider states it; in the reference system of that code. */
  readonly stated: { readonly area: AreaGeometry; readonly epsg: number } | null;
  /** True when the images hold a tilted frame among empty pixels, whose outline they tell best themselves. */
  readonly isTilted: boolean;
  /** physical = stored * scale + offset, for a band. */
  readonly scaleOf: (band: Band) => { readonly scale: number; readonly offset: number };
  /** Where images lie that do not say it themselves, by band name. */
  readonly placementOf: (band: string) => Placement | undefined;
  /** What was left out, for the report. */
  readonly notes: readonly string[];
}

/** What most products do not say. */
export const NOTHING_MORE = {
  productId: null,
  processed: '',
  cloudPercent: null,
  sunElevationDeg: null,
  sunAzimuthDeg: null,
  coveragePercent: null,
  calibration: null,
  cloudMask: null,
  cloudImage: null,
  stated: null,
  isTilted: false,
  scaleOf: () => ({ scale: 1, offset: 0 }),
  placementOf: () => undefined,
  notes: [],
} as const satisfies Partial<SceneFacts>;

/** Looks a scene up: one of this run, or of the catalog. */
export type FindScene = (viewId: string) => Promise<Pick<Scene, 'acquiredAt' | 'sceneId' | 'fields'> | null>;

/** Opens a file of images to count its bands, for products whose name depends on it. */
export type CountBands = (file: FoundFile) => Promise<number>;

/** Fields of a hit, of those that the sensor has; what is not known is left out. */
export function toFields(
  sensor: Sensor,
  values: Readonly<Record<string, FieldValue | undefined>>,
): Record<string, FieldValue> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, FieldValue] =>
        entry[1] !== undefined && entry[1] !== null && Object.hasOwn(sensor.hitFields, entry[0]),
    ),
  );
}

/** Two digits, as providers give angles and percentages in lists. */
export const toHundredths = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100;

/** Whether the sun is up; null when nobody knows where it is. */
export const toDayOrNight = (sunElevationDeg: number | null): 'day' | 'night' | null =>
  sunElevationDeg === null ? null : sunElevationDeg > 0 ? 'day' : 'night';
