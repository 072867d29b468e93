import type { AreaGeometry, Grid } from '../geo/index.ts';
import type { RenderOptions } from '../render/index.ts';
import type { Obscured } from '../render/native/index.ts';
import type { Period } from './period.ts';

/** Which scenes a mosaic is made of: those that a search finds. */
export interface MosaicSearch {
  /** Ids of datasets. */
  readonly datasets: readonly string[];
  /** Scenes of a dataset go before those of the next one, whatever the selection says of them. */
  readonly isRanked?: true;
  readonly period: Period;
  /** Scenes with a larger cloud cover, or an unknown one, are left out; null for all. */
  readonly maxCloudPercent: number | null;
  /** Scenes must touch this area; null for any. Its ref identifies it. */
  readonly area: { readonly ref: string; readonly geometry: AreaGeometry } | null;
}

/**
 * Which scene a pixel is taken from, or what is computed of all scenes that show the ground there. The first five take
 * a pixel from the first scene in an order; `highest` and `lowest` from the one where an expression is; `medoid` from
 * the one that is most like the others.
 */
export type Selection =
  | { readonly kind: 'newest' | 'oldest' | 'least-cloudy' }
  /** The one nearest to a day. */
  | { readonly kind: 'nearest'; readonly date: string }
  | { readonly kind: 'highest' | 'lowest'; readonly by: string }
  | { readonly kind: 'median' | 'mean' | 'deviation' | 'count' | 'medoid' }
  | { readonly kind: 'percentile'; readonly percent: number };

/** How scenes become one picture. */
export interface Composition {
  readonly selection: Selection;
  /** What is left out of each scene. */
  readonly masked: Obscured;
  /** By how much what is left out is widened, in metres on the ground. */
  readonly dilateM: number;
  /** Over how many pixels one scene fades into the next; 0 for sharp edges. */
  readonly featherPx: number;
}

/** A mosaic: which scenes, how they are put together, and what of them is shown. */
export interface Mosaic {
  readonly search: MosaicSearch;
  readonly composition: Composition;
  /** Bands, aliases or band math, as in the address. */
  readonly bands: string;
}

/** A picture of a mosaic. */
export interface MosaicPictureRequest extends Mosaic {
  readonly grid: Grid;
  readonly options: RenderOptions;
  /** Scenes are read also where a pyramid has the tile: it has values, and does not know whose they are. */
  readonly withoutPyramid?: true;
}

/** Whether a pixel comes from the first scene that has it: then scenes are read one after the other until the picture is full. */
export const isFirstFit = ({ kind }: Selection): boolean =>
  kind === 'newest' || kind === 'oldest' || kind === 'least-cloudy' || kind === 'nearest';

/** Whether all scenes must be in memory at once. */
export const isStacked = ({ kind }: Selection): boolean =>
  kind === 'median' || kind === 'percentile' || kind === 'medoid';

/** Whether each pixel comes from one scene, which can be named. */
export const isPicking = (selection: Selection): boolean =>
  isFirstFit(selection) || ['highest', 'lowest', 'medoid'].includes(selection.kind);
