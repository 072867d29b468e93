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

/** Where the whole Earth is first looked at: Cairo and the Nile delta, where fields meet the desert and clouds are rare. */
export const EARTH_VIEW: MapView = { zoom: 9, lat: 30.3, lon: 31.4 };

/** The size of a map on a desk. */
const USUAL_PX = { width: 850, height: 750 };
/** The size of the world at zoom 0. */
const WORLD_PX = 512;

/** About what a view shows, for a search before there is a map. */
export const toUsualBounds = ({ zoom, lat, lon }: MapView): Box => {
  const degrees = 360 / (WORLD_PX * 2 ** zoom);
  const [east, north] = [
    (USUAL_PX.width / 2) * degrees,
    (USUAL_PX.height / 2) * degrees * Math.cos((lat * Math.PI) / 180),
  ];
  return [lon - east, Math.max(-90, lat - north), lon + east, Math.min(90, lat + north)];
};
