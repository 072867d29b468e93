import type { WarpPlan } from '../../raster/index.ts';
import type { MaskFlag } from '../../sensors/index.ts';
import type { InputPlan } from './input-plan.ts';

/** Which pixels of a grid are clouds, and which file says so; plain JSON. */
export interface CloudPlan {
  readonly source: CloudPixels | CloudOutlines;
  /** Cirrus does not count. */
  readonly onlyOpaque: boolean;
}

/** Bands of an image, warped by nearest neighbour, and the meaning of their values. */
export interface CloudPixels {
  readonly kind: 'pixels';
  readonly inputs: readonly InputPlan[];
  readonly meaning: /** `marks` by input: which of its values are a cloud. */
    | { readonly kind: 'flags'; readonly marks: readonly MaskFlag['marks'][] }
    | { readonly kind: 'classes'; readonly opaque: readonly number[]; readonly cirrus: readonly number[] }
    | {
        readonly kind: 'bits';
        readonly cloudBits: readonly [number, number];
        readonly cirrusBits: readonly [number, number];
      };
}

/** Polygons of a file, rasterised on the grid of the scene's finest band and warped from there. */
export interface CloudOutlines {
  readonly kind: 'polygons';
  readonly href: string;
  readonly epsg: number;
  /** The state of the file; absent if the catalog does not know it. */
  readonly stamp?: string;
  /** Null if the scene does not reach the grid. */
  readonly warp: WarpPlan | null;
}

/** The colour that clouds of a picture are painted with. */
export interface CloudCover {
  /** Six hexadecimal digits. */
  readonly color: string;
}

/** The clouds that are painted over a picture; plain JSON. */
export interface CloudCoverPlan extends CloudCover {
  readonly plan: CloudPlan;
}

/** Where the cloud cover of a scene, or of a part of it, is known from. */
export type CoverSource =
  | { readonly kind: 'unknown' }
  /** Not a correction where clouds are nodata already: then no value is a cloud. */
  | { readonly kind: 'known'; readonly percent: number; readonly isCorrection: boolean }
  /** Counted pixel by pixel, with or without cirrus. */
  | { readonly kind: 'pixels'; readonly onlyOpaque: boolean };
