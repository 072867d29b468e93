/** Where the map looks: `map=9.25/42.61130/2.40130`, zoom, latitude and longitude. */
import type { MapView } from '../map-view.ts';
import { DECIMAL, wrapLon } from './forms.ts';

/** MapLibre's own largest zoom; a larger one in the address is a mistake. */
const MAX_ZOOM = 24;

/** Reads it. */
export const parseView = (text: string | null): MapView | null => {
  const parts = (text ?? '').split('/');
  if (parts.length !== 3 || !parts.every((part) => DECIMAL.test(part))) return null;
  const [zoom = 0, lat = 0, lon = 0] = parts.map(Number);
  const isOnMap = zoom >= 0 && zoom <= MAX_ZOOM && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return isOnMap ? { zoom, lat, lon } : null;
};

/** Writes it. Two digits of zoom and five of a degree (about 1 m) keep the picture and the address short. */
export const toViewText = ({ zoom, lat, lon }: MapView): string =>
  `${zoom.toFixed(2)}/${lat.toFixed(5)}/${wrapLon(lon).toFixed(5)}`;
