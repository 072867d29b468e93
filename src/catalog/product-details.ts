import type { QualityLayout } from '../sensors/index.ts';
import type { Asset } from './asset.ts';

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
