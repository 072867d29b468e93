/** What the map tells the page about itself. */
import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import type { Failure } from '../api/failure.ts';
import type { Box } from '../scenes/footprint.ts';
import type { MapView } from '../state/map-view.ts';
import { TileError } from './tile-requests.ts';

interface PositionEvents {
  /** The position to show in the readout. */
  onPosition(position: MapView): void;
  /** The view came to rest. */
  onView(view: MapView, bounds: Box): void;
}

/** Reports which tile could not be loaded and why, in the server's own words. */
export const reportFailures = (
  map: MapLibreMap,
  onFailure: (failure: Failure, url: string) => void,
): void => {
  map.on('error', ({ error }) => {
    if (error instanceof TileError) onFailure(error.failure, error.url);
    // Not about a request: a fault of ours or of the graphics driver, shown in the console.
    else console.error(error);
  });
};

/** Reports where the pointer is, or the middle of the map without one, and where the map came to rest. */
export const reportPositions = (map: MapLibreMap, { onPosition, onView }: PositionEvents): void => {
  const middle = (): MapView => ({ zoom: map.getZoom(), lat: map.getCenter().lat, lon: map.getCenter().lng });
  map.on('mousemove', ({ lngLat }: MapMouseEvent) =>
    onPosition({ zoom: map.getZoom(), lat: lngLat.lat, lon: lngLat.lng }),
  );
  map.on('mouseout', () => onPosition(middle()));
  map.on('move', () => onPosition(middle()));
  const rest = (): void => {
    const bounds = map.getBounds();
    onView(middle(), [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]);
  };
  map.on('moveend', rest);
  onPosition(middle());
  rest();
};

/**
 * `aria-busy` of the container says whether everything requested is drawn, to people and to tests alike; it stays busy
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
