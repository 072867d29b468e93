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
  /** All the ground its images cover, also where they are empty; absent where the dataset's hits do not show it. */
  readonly frame?: AreaGeometry;
  readonly cloudPercent: number | null;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  /** Part of the product's frame that holds data: as stated, as measured, or by the footprint. Null in older records. */
  readonly coveragePercent: number | null;
  /** The dataset's own hit fields, by their names on the wire (see the sensor's `hitFields`). */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** By band name of the sensor. */
  readonly assets: Readonly<Record<string, Asset>>;
  /** Who made the record: `demo`, `folder`, later `stac`. */
  readonly provenance: string;
  /** The provider's name of the product; absent when the product has no name but the scene id. */
  readonly productId?: string;
  readonly calibration?: Calibration;
  /** Absent when the product comes without any. */
  readonly cloudMask?: CloudMask;
  readonly origin?: SceneOrigin;
  /** When a catalog took the record, ISO 8601 in UTC; says nothing about the scene, so its version does not depend on it. */
  readonly indexedAt?: string;
}

/** A catalogued scene. */
export interface Scene extends NewScene {
  /** Changes with any change of the record, so that ETags change too. */
  readonly version: string;
}
