import type { BesideSuffix } from '../formats/index.ts';
import type { Affine, AreaGeometry, Lattice } from '../geo/index.ts';
import type { PixelType } from '../raster/index.ts';
import type { Calibration, CloudMask, SceneOrigin } from './product-details.ts';

/** One file of a scene that holds the pixels of one band. */
export interface Asset {
  /** Where the bytes are: a path inside the data directory, relative to it and with forward slashes. */
  readonly href: string;
  /** Band of the file, counted from 0. */
  readonly bandIndex: number;
  /** 0 when the reference system has no code and `proj` defines it. */
  readonly epsg: number;
  /** The reference system as a PROJ string or WKT, where no code names it; it counts for more than `epsg`. */
  readonly proj?: string;
  readonly transform: Affine;
  /** Where the image lies when no affine can say it (Sentinel-1 GRD); `transform` is then the affine nearest to it. */
  readonly lattice?: Lattice;
  readonly width: number;
  readonly height: number;
  readonly type: PixelType;
  /** Value that means "no measurement here"; null when every pixel is data. */
  readonly nodata: number | null;
  /** physical = stored * scale + offset. */
  readonly scale: number;
  readonly offset: number;
  /** Sizes of the reduced copies inside the file or its `.ovr`, largest first, without the full resolution itself. */
  readonly overviews: readonly { readonly width: number; readonly height: number }[];
  /** Files beside the asset's own that say what it lacks (`findBeside`); none when left out. */
  readonly beside?: readonly BesideSuffix[];
  /**
   * State of the file and of those of `beside`, in that order, as `ByteSource.version` says it. Absent when nobody has
   * looked at the file yet: an item that was taken as it states itself, or a record of an older catalog.
   */
  readonly stamps?: readonly string[];
}

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
  /** The provider's name of the product; absent when the product has none beside the scene id. */
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
