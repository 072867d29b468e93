/** What the map shows and where it goes. */
import type { Box } from '../scenes/footprint.ts';

/** Where the map looks. */
export interface MapView {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/** A location on the ground. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** A move of the map that was asked for: to a box, with or without an animation, or to a view. */
export type Goal =
  | { readonly kind: 'box'; readonly box: Box; readonly isAnimated: boolean }
  | { readonly kind: 'view'; readonly view: MapView };
