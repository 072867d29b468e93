import type { Affine } from './affine.ts';

/** A georeferenced pixel grid without pixels: what is to be rendered, or what an image lies on. */
export interface Grid {
  readonly epsg: number;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}
