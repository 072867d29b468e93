import type { RenderOptions } from '../../render/index.ts';
import type { ExportArea } from '../export.ts';
import type { PixelSize } from './plan-picture-grid.ts';

/** How a picture is drawn; the same as for tiles. */
type PictureOptions = Omit<RenderOptions, 'area' | 'format' | 'watermark'>;

/** A file with a picture of a scene. Plain JSON, except that an outline is an array of numbers. */
export interface PictureOrder {
  /** The address of the scene, for the catalog and for the name of the file. */
  readonly viewId: string;
  /** The view id without its sensor. */
  readonly sceneName: string;
  /** Abbreviation of the sensor. */
  readonly sensor: string;
  /** Bands, aliases or band math. */
  readonly bands: string;
  /** What the file is called instead of the bands. */
  readonly nameAlias: string | null;
  /** Null for the whole scene. */
  readonly area: ExportArea | null;
  /** `method` null: cubic convolution for measures, nearest neighbours for classes. */
  readonly options: PictureOptions;
  /** Null for the pixels of the finest band that is shown. */
  readonly pixel: PixelSize | null;
  readonly file: PictureFile;
}

/**
 * What is made of the picture: an image by itself; in a zip archive with a world file and the reference system; or a
 * KMZ, whose image is a PNG on a grid of longitude and latitude.
 */
export type PictureFile =
  | { readonly kind: 'image'; readonly format: 'jpeg' | 'png' | 'tiff' }
  | { readonly kind: 'world'; readonly format: 'jpeg' | 'png' }
  | { readonly kind: 'kmz' };
