import type { WarpPlan } from '../../raster/index.ts';
import type { MaskFlag } from '../../sensors/index.ts';
import type { InputPlan } from '../plan.ts';

/** Which pixels of a grid are clouds, and from which file that is known; plain JSON. */
export interface CloudPlan {
  readonly source: CloudPixels | CloudOutlines;
  /** Cirrus does not count. */
  readonly onlyOpaque: boolean;
}

/** Bands of an image, brought to the grid by nearest neighbours, and what their values mean. */
export interface CloudPixels {
  readonly kind: 'pixels';
  readonly inputs: readonly InputPlan[];
  readonly meaning: /** By input: which of its values are a cloud. */
    | { readonly kind: 'flags'; readonly marks: readonly MaskFlag['marks'][] }
    | { readonly kind: 'classes'; readonly opaque: readonly number[]; readonly cirrus: readonly number[] }
    | {
        readonly kind: 'bits';
        readonly cloudBits: readonly [number, number];
        readonly cirrusBits: readonly [number, number];
      };
}

/** Polygons of a file, made pixels on the grid of the scene's finest band and brought to the grid from there. */
export interface CloudOutlines {
  readonly kind: 'polygons';
  readonly href: string;
  readonly epsg: number;
  /** The state of the file; absent when the catalog does not know it. */
  readonly stamp?: string;
  /** Null when the scene does not reach the grid. */
  readonly warp: WarpPlan | null;
}
