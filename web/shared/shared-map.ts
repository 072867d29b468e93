/** A map that can be seen without a key, by a link that someone made: its token, and what the server says of it. */
import type { Box } from '../scenes/footprint.ts';
import { asRecord, asText } from '../scenes/read-json.ts';
import { toViewText } from '../state/address/view.ts';
import type { MapView } from '../state/map-view.ts';

/** A public map. */
export interface SharedMap {
  readonly token: string;
  readonly name: string;
  readonly attribution: string | null;
  readonly bounds: Box;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** When the link ends, ISO 8601; `null` for never. */
  readonly expires: string | null;
}

const TOKEN = /^[0-9a-f]{32}[\w-]{43}$/;

/**
 * The token of `#shared=…`. It stands behind `#`, because browsers send that part to no server: it is in no log and in no
 * `Referer`.
 */
export const readSharedToken = (hash: string): string | null => {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('shared') ?? '';
  return TOKEN.test(token) ? token : null;
};

/** The link of a token: the page, the token and where the map looks. */
export const toSharedLink = (home: string, token: string, view: MapView | null): string =>
  `${home}/#shared=${token}${view === null ? '' : `&map=${toViewText(view)}`}`;

const toZoom = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value >= 0 && value <= 24 ? value : fallback;

/** Reads the TileJSON of a map; `null` for anything else. The address of its tiles is ours to make, not the answer's. */
export const parseSharedMap = (body: unknown, token: string): SharedMap | null => {
  const { name, attribution, bounds, minzoom, maxzoom, expires } = asRecord(body);
  if (!Array.isArray(bounds) || bounds.length !== 4 || !bounds.every(Number.isFinite)) return null;
  const [west, south, east, north] = bounds as [number, number, number, number];
  return {
    token,
    name: asText(name) ?? '',
    attribution: asText(attribution),
    bounds: [west, south, east, north],
    minZoom: toZoom(minzoom, 0),
    maxZoom: toZoom(maxzoom, 18),
    expires: asText(expires),
  };
};
