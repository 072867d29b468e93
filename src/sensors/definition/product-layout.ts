import type { Calibration } from './calibration.ts';
import type { QualityLayout } from './quality.ts';

/** The role of a file that holds no bands. */
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

/** Rules that take precedence over those of the bands: higher levels have other scales. */
export interface LevelCalibration {
  /** The scenes they apply to: the field `level` of their names. */
  readonly levels: readonly string[];
  readonly reflective: Calibration;
  readonly thermal: Calibration;
}

/**
 * How a provider names the files of a product. All patterns are anchored and match the path of a file relative to the
 * product, with forward slashes; the product is the folder that contains the marker. If names of files have a group `id`,
 * the folder contains one product per id, and files without an id belong to all of them.
 */
export interface ProductLayout {
  /** Unique over all sensors: `landsat8-collection-2`. */
  readonly name: string;
  /**
   * The file that every such product has; its optional group `id` is the provider's name of the product. Layouts of
   * several sensors may share a marker (`tileInfo.json`): a product has a layout if it has the marker and at least one
   * band file.
   */
  readonly marker: RegExp;
  /** A file with pixels; its group `band` is the provider's spelling of the band. */
  readonly bandFile: RegExp;
  /** Bands by the provider's spelling, if it is not a spelling of the band itself. */
  readonly bandNames?: Readonly<Record<string, string>>;
  /**
   * For files of several bands: their bands in order, by the group `band` (empty if the pattern has no such group). A file
   * that is not listed holds no band.
   */
  readonly bandsInFile?: Readonly<Record<string, readonly string[]>>;
  /** Resolutions of a band that exists more than once, best first: the group `resolution` of `bandFile`. */
  readonly resolutions?: readonly string[];
  /** Other files by role; a file with a role never holds bands. */
  readonly files: Partial<Readonly<Record<FileRole, RegExp>>>;
  /** If ids of other files are longer than that of their image: group 1 is the id of the image. */
  readonly sidecarId?: RegExp;
  readonly quality?: QualityLayout;
  readonly calibration?: LevelCalibration;
}
