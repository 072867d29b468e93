import type { Affine, Lattice, Size } from '../geo/index.ts';
import type { ResampleMethod } from './resampler.ts';

/** A rectangle of whole pixels. */
export interface PixelWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What to read for a warp, and how to warp it; plain JSON. */
export interface WarpPlan {
  readonly method: ResampleMethod;
  /** 0 is the full image, 1 its first overview. */
  readonly level: number;
  readonly epsg: number;
  /** The reference system if it has no EPSG code, see `Grid`. */
  readonly proj?: string | null;
  readonly levelTransform: Affine;
  /** In the pixels of the level, for images that an affine transform cannot georeference, see `GeoreferencedGrid`. */
  readonly lattice?: Lattice | null;
  readonly levelSize: Size;
  /** The pixels of that level to read. */
  readonly window: PixelWindow;
  /** The window is the target grid, pixel for pixel: nothing is resampled. `warpPlanes` does not take such a plan. */
  readonly isCopy?: true;
  /** Memory of the warp in addition to its pixels: the approximating grid, and the work memory of the method. */
  readonly workBytes: number;
}
