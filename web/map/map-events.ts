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
  let last: MapView | null = null;
  // Once for each frame: a text that changes between two events of the pointer is laid out for each of them.
  const plan = (position: MapView): void => {
    if (last === null)
      requestAnimationFrame(() => {
        if (last !== null) onPosition(last);
        last = null;
      });
    last = position;
  };
  map.on('mousemove', ({ lngLat }: MapMouseEvent) =>
    plan({ zoom: map.getZoom(), lat: lngLat.lat, lon: lngLat.lng }),
  );
  map.on('mouseout', () => plan(middle()));
  map.on('move', () => plan(middle()));
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
 * while `isWaiting` says that something is still to be handed to the map. `drawn` resolves when it is drawn for the first
 * time, and what `whenDrawn` answers when nothing is left to draw.
 */
export const reportBusy = (
  map: MapLibreMap,
  container: HTMLElement,
  isWaiting: () => boolean,
): {
  readonly setBusy: () => void;
  readonly drawn: Promise<void>;
  readonly whenDrawn: () => Promise<void>;
} => {
  const { promise: drawn, resolve } = Promise.withResolvers<void>();
  let waiting: (() => void)[] = [];
  const setBusy = (): void => container.setAttribute('aria-busy', 'true');
  map.on('dataloading', setBusy);
  map.on('movestart', setBusy);
  map.on('idle', () => {
    container.setAttribute('aria-busy', String(isWaiting()));
    if (isWaiting()) return;
    resolve();
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  });
  setBusy();
  const whenDrawn = (): Promise<void> =>
    container.getAttribute('aria-busy') === 'true'
      ? new Promise((go) => waiting.push(go))
      : Promise.resolve();
  return { setBusy, drawn, whenDrawn };
};
