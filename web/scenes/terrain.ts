/** The ground under a scene: what is drawn of its heights, and how they stand out of the map. */
import { asNumber, asRecord, asText } from './read-json.ts';

/** What is drawn of the ground: nothing, its shade, its steepness, or lines of equal height. */
export const TERRAIN_LAYERS = ['none', 'hillshade', 'slope', 'contours'] as const;

/** One of them. */
export type TerrainLayer = (typeof TERRAIN_LAYERS)[number];

/** The choices of a user; a map without exaggeration is flat. */
export interface Terrain {
  readonly layer: TerrainLayer;
  /** How many times its height the ground stands out; `null` for a flat map. */
  readonly exaggeration: number | null;
  /** Where the camera of a map in three dimensions looks from; 0 on a flat map. */
  readonly pitchDeg: number;
  readonly bearingDeg: number;
}

/** A flat map without terrain. */
export const NO_TERRAIN: Terrain = { layer: 'none', exaggeration: null, pitchDeg: 0, bearingDeg: 0 };

/** Less than its true height only hides the ground; beyond five times hills become needles. */
export const EXAGGERATIONS = { min: 1, max: 5, first: 1.5 } as const;

/** Steeper than this shows mostly the horizon, whose tiles cost as much as those in front. */
export const MAX_PITCH_DEG = 70;

/** The pitch that a map in three dimensions begins with. */
export const FIRST_PITCH_DEG = 55;

/** The formats of terrain tiles that the viewer uses. */
export type TerrainFormat = 'hillshade' | 'slope' | 'contours' | 'terrarium';

/** Steeper ground than this is rare; the whole range to 90° would show plains and hills in one colour. */
const SLOPE_QUERY = 'format=slope&SLOPE_RANGE=0,45&COLORMAP=YlOrRd';

const queryOf: Readonly<Record<TerrainFormat, string>> = {
  hillshade: 'format=hillshade',
  slope: SLOPE_QUERY,
  contours: 'format=contours',
  terrarium: 'format=terrarium',
};

/** The address, from the page on, of the TileJSON document of a format. */
export const toTilejsonPath = (format: TerrainFormat): string =>
  `api/render/terrain/tilejson.json?${queryOf[format]}`;

/** The address, from the page on, of what the colours of slopes stand for: the same for all tiles. */
export const SLOPE_LEGEND_PATH = `api/render/legend/terrain/1/0/0?${SLOPE_QUERY}`;

/** Tiles of terrain, as a TileJSON document describes them. */
export interface TerrainTiles {
  readonly template: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: readonly [west: number, south: number, east: number, north: number] | null;
  readonly attribution: string | null;
}

/** Reads a TileJSON document; one without an address of tiles is `null`. */
export const parseTilejson = (body: unknown): TerrainTiles | null => {
  const { tiles, minzoom, maxzoom, bounds, attribution } = asRecord(body);
  const template = Array.isArray(tiles) ? asText(tiles[0]) : null;
  if (template === null || !['/api/render/', '{z}', '{x}', '{y}'].every((part) => template.includes(part)))
    return null;
  const numbers = Array.isArray(bounds) ? bounds.map(asNumber) : [];
  const [west = null, south = null, east = null, north = null] = numbers;
  const isBox = west !== null && south !== null && east !== null && north !== null;
  return {
    template,
    minZoom: asNumber(minzoom) ?? 0,
    maxZoom: asNumber(maxzoom) ?? 16,
    bounds: isBox ? [west, south, east, north] : null,
    attribution: asText(attribution),
  };
};

/** A scene hides what lies below it: as much of it stays as lets both be seen. */
const OVER_TERRAIN = 0.65;

/** True for layers that lie below the scene; contours lie over it. */
export const isBelowScene = (layer: TerrainLayer): boolean => layer === 'hillshade' || layer === 'slope';

/** The opacity of the scene for another layer of terrain; one that the user has chosen stays. */
export const planOpacity = (opacity: number, from: TerrainLayer, to: TerrainLayer): number => {
  if (isBelowScene(to)) return opacity === 1 && !isBelowScene(from) ? OVER_TERRAIN : opacity;
  return opacity === OVER_TERRAIN ? 1 : opacity;
};
