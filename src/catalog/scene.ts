import type { SidecarSuffix } from '../formats/block-file/index.ts';
import type { Affine, AreaGeometry, Lattice } from '../geo/index.ts';
import type { PixelType } from '../raster/index.ts';
import type { QualityLayout } from '../sensors/index.ts';

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
  /** Sidecars that hold what the file itself lacks (`findSidecars`); absent if there are none. */
  readonly sidecars?: readonly SidecarSuffix[];
  /**
   * State of the file and then of its sidecars, as `ByteSource.version` gives it. Absent when the file has not been
   * opened yet: the record comes from a STAC item without probing, or from an older catalog.
   */
  readonly stamps?: readonly string[];
}

/** value = stored * mult + add. */
export interface LinearScale {
  readonly mult: number;
  readonly add: number;
}

/**
 * Values on a grid of image lines and pixels, interpolated linearly, first along the pixels. `values` holds them line
 * by line.
 */
export interface LookupTable {
  readonly lines: readonly number[];
  readonly pixels: readonly number[];
  readonly values: readonly number[];
}

/** A block of a radar image, from its first to its last line and pixel, and a noise factor along its lines. */
export interface NoiseBlock {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly firstPixel: number;
  readonly lastPixel: number;
  /** Interpolated linearly. */
  readonly lines: readonly number[];
  readonly values: readonly number[];
}

/** Thermal noise of a radar, in squares of stored numbers: the value of `range` times the factor of the block. */
export interface RadarNoise {
  readonly range: LookupTable;
  /** Empty for older products; the factor is then 1. */
  readonly azimuth: readonly NoiseBlock[];
}

/** Calibration constants of a band in the product's metadata; absent where the metadata have none. */
export interface BandCalibration {
  /** Spectral radiance at the sensor, in W/(m² sr µm). */
  readonly radiance?: LinearScale;
  /** Reflectance at the top of the atmosphere, before it is divided by the sine of the sun's elevation. */
  readonly reflectance?: LinearScale;
  /** Constants of brightness temperature: T = k2 / ln(k1 / radiance + 1), in kelvin. */
  readonly thermal?: { readonly k1: number; readonly k2: number };
  /** Radar: sigma nought = stored² / A², with A from this table. */
  readonly sigmaNought?: LookupTable;
  /** Radar: without noise, sigma nought = (stored² - noise) / A². */
  readonly noise?: RadarNoise;
}

/** What calibration needs in addition to scale and offset of the assets and the sun elevation of the scene. */
export interface Calibration {
  /** In astronomical units; null when the product does not say. */
  readonly earthSunDistanceAu: number | null;
  /** By band name of the sensor. */
  readonly bands: Readonly<Record<string, BandCalibration>>;
}

/** Where a scene says which of its pixels are clouds. */
export type CloudMask =
  /** Polygons of opaque clouds and cirrus in a file of GML, in the reference system of the tile. */
  | {
      readonly kind: 'polygons';
      readonly href: string;
      readonly epsg: number;
      /** State of the file; absent when it is not known (see `Asset.stamps`). */
      readonly stamp?: string;
    }
  /** An image with one band each for opaque clouds, cirrus and snow; 1 means present. */
  | { readonly kind: 'flags'; readonly asset: Asset }
  /** The scene classification of Sentinel-2 L2A, a band of the scene. */
  | { readonly kind: 'classes'; readonly band: string }
  /** Bits of a quality band of the scene. */
  | { readonly kind: 'quality'; readonly band: string; readonly layout: QualityLayout };

/** Which files a record was made from: it tells whether they have changed, and which of two records is newer. */
export interface SceneOrigin {
  /** Changes when a file of the product changes, or the code that reads it. */
  readonly fingerprint: string;
  /** Processing time and baseline of the product, comparable as text within a dataset: newer is larger. */
  readonly processed: string;
}
