/**
 * What the address bar remembers after `#`: the view, the scene, its dataset, bands and colours. It never holds the key, so
 * the address can be shared. Example:
 * `#map=9.25/42.61130/2.40130&scene=S2A_tile_20260621_31TDH_0&dataset=sentinel2&bands=B04,B03,B02`.
 */

/** Where the map looks. */
export interface MapView {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/** The shareable state; `null` where the address says nothing, or nothing sensible. */
export interface HashState {
  readonly view: MapView | null;
  readonly sceneId: string | null;
  /** Tells scenes with one id apart; addresses may lack it. */
  readonly dataset: string | null;
  /** One name or three; only the scene's sensor can say whether there are such bands. */
  readonly bands: string | null;
  /** Colours of one band or index; only the page can say whether it offers them. */
  readonly colormap: string | null;
}

/** MapLibre's own largest zoom; a larger one in the address is a mistake. */
const MAX_ZOOM = 24;
const SCENE_ID = /^[\w.-]{1,120}$/;
const DATASET = /^[a-z0-9]{1,32}$/;
const BANDS = /^\w{1,16}(,\w{1,16},\w{1,16})?$/;
const COLORMAP = /^\w{1,32}$/;
const DECIMAL = /^-?\d{1,3}(\.\d{1,10})?$/;

const parseView = (text: string | null): MapView | null => {
  const parts = (text ?? '').split('/');
  if (parts.length !== 3 || !parts.every((part) => DECIMAL.test(part))) return null;
  const [zoom = 0, lat = 0, lon = 0] = parts.map(Number);
  const isOnMap = zoom >= 0 && zoom <= MAX_ZOOM && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return isOnMap ? { zoom, lat, lon } : null;
};

const takeIf = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;

/** Reads `location.hash`; anyone can write an address, so each part is checked and a bad one is ignored. */
export const parseHash = (hash: string): HashState => {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  return {
    view: parseView(parts.get('map')),
    sceneId: takeIf(parts.get('scene'), SCENE_ID),
    dataset: takeIf(parts.get('dataset'), DATASET),
    bands: takeIf(parts.get('bands'), BANDS),
    colormap: takeIf(parts.get('colormap'), COLORMAP),
  };
};

/** Brings a longitude of a map that was dragged around the world back to -180…180. */
const wrapLon = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

/** Writes the part of the address after `#`, with `#`; an empty state gives an empty text. */
export const toHash = ({ view, sceneId, dataset, bands, colormap }: HashState): string => {
  const parts: string[] = [];
  // Two digits of zoom and five of a degree (about 1 m) keep the picture and the address short.
  if (view !== null) {
    parts.push(`map=${view.zoom.toFixed(2)}/${view.lat.toFixed(5)}/${wrapLon(view.lon).toFixed(5)}`);
  }
  if (sceneId !== null) parts.push(`scene=${sceneId}`);
  if (dataset !== null) parts.push(`dataset=${dataset}`);
  if (bands !== null) parts.push(`bands=${bands}`);
  if (colormap !== null) parts.push(`colormap=${colormap}`);
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
};
