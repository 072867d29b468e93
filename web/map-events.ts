/** What the map tells the page about itself. */
import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import type { Failure } from './failure.ts';
import type { MapView } from './hash-state.ts';
import { TileError } from './tile-requests.ts';

interface PlaceEvents {
  /** The place to show in the readout. */
  onPlace(place: MapView): void;
  /** The view came to rest. */
  onView(view: MapView): void;
}

/** Hands on which tile could not be had and why, in the server's own words. */
export const reportFailures = (
  map: MapLibreMap,
  onFailure: (failure: Failure, url: string) => void,
): void => {
  map.on('error', ({ error }) => {
    if (error instanceof TileError) onFailure(error.failure, error.url);
    // Not about a request: a fault of ours or of the graphics driver, of use to whoever opens the console.
    else console.error(error);
  });
};

/** Hands on where the pointer is, or the middle of the map without one, and where the map came to rest. */
export const reportPlaces = (map: MapLibreMap, { onPlace, onView }: PlaceEvents): void => {
  const middle = (): MapView => ({ zoom: map.getZoom(), lat: map.getCenter().lat, lon: map.getCenter().lng });
  map.on('mousemove', ({ lngLat }: MapMouseEvent) =>
    onPlace({ zoom: map.getZoom(), lat: lngLat.lat, lon: lngLat.lng }),
  );
  map.on('mouseout', () => onPlace(middle()));
  map.on('move', () => onPlace(middle()));
  map.on('moveend', () => onView(middle()));
  onPlace(middle());
};

/**
 * `aria-busy` of the container says whether everything asked for is drawn, to people and to tests alike; it stays busy
 * while `isWaiting` says that something is still to be handed to the map.
 */
export const reportBusy = (
  map: MapLibreMap,
  container: HTMLElement,
  isWaiting: () => boolean,
): (() => void) => {
  const setBusy = (): void => container.setAttribute('aria-busy', 'true');
  map.on('dataloading', setBusy);
  map.on('movestart', setBusy);
  map.on('idle', () => container.setAttribute('aria-busy', String(isWaiting())));
  setBusy();
  return setBusy;
};
