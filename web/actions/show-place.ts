/** Places that the user looks for. */

import type { Box } from '../scenes/footprint.ts';
import type { MapView, Point } from '../state/map-view.ts';
import type { ActionParts } from './action-parts.ts';

/** A place with its name. */
export interface NamedPlace extends Point {
  readonly name: string;
}

/** What a user does with places. */
export interface PlaceActions {
  /** Moves the map there and marks it. */
  showPlace(place: NamedPlace, goal: { readonly box: Box } | { readonly view: MapView }): void;
  /** Removes the mark. */
  clearPlace(): void;
}

/** Builds them. */
export const makePlaceActions = ({ store }: ActionParts): PlaceActions => ({
  showPlace: (place, goal) =>
    store.update((state) =>
      'view' in goal
        ? { ...state, place, goal: { kind: 'view', view: goal.view }, view: goal.view }
        : {
            ...state,
            place,
            goal: { kind: 'box', box: goal.box, isAnimated: false },
            // From now on where the map looks is chosen, and remembered.
            view: state.view ?? { lon: place.lon, lat: place.lat, zoom: 4 },
          },
    ),
  clearPlace: () => store.update((state) => (state.place === null ? state : { ...state, place: null })),
});
