import type { AreaGeometry } from '../geo/index.ts';
import type { Asset } from './asset.ts';
import type { Calibration, CloudMask, SceneOrigin } from './product-details.ts';

/** A value of a dataset's own field, as search filters and returns it. */
export type FieldValue = string | number | boolean | null;

/** A scene as it comes from a product, before the catalog gives it a version. */
export interface NewScene {
  /** Canonical view id, unique over all datasets: `S2/31/T/DH/2026/6/21/0`. */
  readonly viewId: string;
  readonly sceneId: string;
  /** Dataset id of search: `sentinel2`. */
  readonly dataset: string;
  /** ISO 8601 in UTC. */
  readonly acquiredAt: string;
  readonly footprint: AreaGeometry;
  /** The extent of its images, empty pixels included; absent where the dataset's hits do not show it. */
  readonly frame?: AreaGeometry;
  readonly cloudPercent: number | null;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  /** Share of the frame that holds data: as stated, as measured, or by the footprint. Null in older records. */
  readonly coveragePercent: number | null;
  /** The dataset's own hit fields, by their names on the wire (see the sensor's `hitFields`). */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** By band name of the sensor. */
  readonly assets: Readonly<Record<string, Asset>>;
  /** Where the record comes from: `demo`, `folder` or `stac`. */
  readonly provenance: string;
  /** The provider's name of the product; absent when it has no name other than the scene id. */
  readonly productId?: string;
  readonly calibration?: Calibration;
  /** Absent when the product has none. */
  readonly cloudMask?: CloudMask;
  readonly origin?: SceneOrigin;
  /** When the catalog put the record, ISO 8601 in UTC; the version does not depend on it. */
  readonly indexedAt?: string;
}

/** A catalogued scene. */
export interface Scene extends NewScene {
  /** A hash of the record; ETags depend on it. */
  readonly version: string;
}
