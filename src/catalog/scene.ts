import type { Affine, AreaGeometry } from '../geo/index.ts';
import type { PixelType } from '../raster/index.ts';

/** One file of a scene that holds the pixels of one band. */
export interface Asset {
  /** Where the bytes are: a path inside the data directory, relative to it and with forward slashes. */
  readonly href: string;
  /** Band of the file, counted from 0. */
  readonly bandIndex: number;
  readonly epsg: number;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
  readonly type: PixelType;
  /** Value that means "no measurement here"; null when every pixel is data. */
  readonly nodata: number | null;
  /** physical = stored * scale + offset. */
  readonly scale: number;
  readonly offset: number;
  /** Sizes of the reduced copies inside the file, largest first, without the full resolution itself. */
  readonly overviews: readonly { readonly width: number; readonly height: number }[];
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
  readonly cloudPercent: number | null;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  /** Part of the product's frame that holds data. */
  readonly coveragePercent: number | null;
  /** The dataset's own hit fields, by their names on the wire (see the sensor's `hitFields`). */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** By band name of the sensor. */
  readonly assets: Readonly<Record<string, Asset>>;
  /** Who made the record: `demo`, later `stac` or `folder`. */
  readonly provenance: string;
}

/** A catalogued scene. */
export interface Scene extends NewScene {
  /** Changes with any change of the record, so that ETags change too. */
  readonly version: string;
}
