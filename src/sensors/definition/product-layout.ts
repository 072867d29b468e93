import type { Calibration } from './calibration.ts';
import type { QualityLayout } from './quality.ts';

/** What a file other than a band's is for. */
export type FileRole =
  | 'metadata'
  | 'product-metadata'
  | 'tile-metadata'
  | 'cloud-polygons'
  | 'cloud-image'
  | 'annotation'
  | 'calibration'
  | 'noise'
  | 'stac-item'
  | 'thumbnail';

/** Rules that go before those of the bands: higher levels are scaled in another way. */
export interface LevelCalibration {
  /** Which scenes they hold for: the field `level` of their names. */
  readonly levels: readonly string[];
  readonly reflective: Calibration;
  readonly thermal: Calibration;
}

/**
 * How a provider names the files of a product. All patterns are anchored and are matched against the file's path
 * inside the product, with forward slashes; the product is the folder that holds the marker. Where files carry a group
 * `id`, the folder holds a product for each id, and files without one belong to them all.
 */
export interface ProductLayout {
  /** Unique over all sensors: `landsat8-collection-2`. */
  readonly name: string;
  /**
   * The file that every such product has; its group `id`, where there is one, is the provider's name of the product.
   * Layouts of several sensors may share a marker (`tileInfo.json`): a product is of a layout when it has the marker and
   * at least one band file.
   */
  readonly marker: RegExp;
  /** A file that holds pixels; its group `band` is the band as the provider writes it. */
  readonly bandFile: RegExp;
  /** Bands by the provider's writing, where that is not a spelling of the band itself. */
  readonly bandNames?: Readonly<Record<string, string>>;
  /**
   * Where a file holds more than one band: its bands in their order, by the group `band` (empty where the pattern has no
   * such group). A file that is not listed holds no band.
   */
  readonly bandsInFile?: Readonly<Record<string, readonly string[]>>;
  /** Resolutions of a band that is there more than once, best first: the group `resolution` of `bandFile`. */
  readonly resolutions?: readonly string[];
  /** Files other than the bands' by what they are for; a file of a role is never one of bands. */
  readonly files: Partial<Readonly<Record<FileRole, RegExp>>>;
  /** Where files carry a longer id than the image they belong to: its group 1 is the image's. */
  readonly sidecarId?: RegExp;
  readonly quality?: QualityLayout;
  readonly calibration?: LevelCalibration;
}
