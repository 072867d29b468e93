/** How the offline base map looks: water, land, borders, names and a grid, in a dark and a light palette. */
import type {
  ExpressionSpecification,
  LayerSpecification,
  MapLibreMap,
  StyleSpecification,
} from 'maplibre-gl';

interface Palette {
  readonly water: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
  readonly grid: string;
  readonly river: string;
  readonly name: string;
  /** Around names, so that lines do not cross them. */
  readonly halo: string;
  /** Footprints: the one loud colour, chosen to show on imagery as well as on the base. */
  readonly accent: string;
}

const DARK: Palette = {
  water: '#0e1a22',
  land: '#1c2a32',
  coast: '#3d5764',
  border: '#31434d',
  grid: '#17262f',
  river: '#2a4a5c',
  name: '#9db4c0',
  halo: '#14212a',
  accent: '#ffb454',
};

const LIGHT: Palette = {
  water: '#d3e1e8',
  land: '#f5f3ee',
  coast: '#a7bcc6',
  border: '#cfc8ba',
  grid: '#c8d8e0',
  river: '#a9c6d6',
  name: '#4a5a63',
  halo: '#f9f8f5',
  accent: '#d9480f',
};

/** The palette for the colour scheme the person prefers. */
const paletteFor = (isDark: boolean): Palette => (isDark ? DARK : LIGHT);

/** The smallest town that is named at a zoom, as a size of `places/places-file.ts`: about 5 million, 1.5 million … people. */
/** Lakes and rivers are in the source of land and borders. */
const IS_WATER: ExpressionSpecification = ['to-boolean', ['get', 'isWater']];
const SMALLEST_NAMED: ExpressionSpecification = [
  'step',
  ['zoom'],
  ...([999, 3, 89, 4, 82, 5, 76, 6, 70, 7, 65, 8, 59, 9, 0] as const),
];

/** Drawn by the browser: the page has no fonts of its own for the map, and names have letters of every script. */
const NAME_FONT = ['sans-serif'];

/**
 * The layers. MapLibre draws the tiles of a source into the stencil buffer, a screen of pixels, each time that a layer has
 * another source than the one before, even if the source is empty: layers of one source follow each other, and those
 * without anything to show are hidden.
 */
const toLayers = ({
  water,
  land,
  coast,
  border,
  grid,
  river,
  name,
  halo,
  accent,
}: Palette): LayerSpecification[] => [
  { id: 'water', type: 'background', paint: { 'background-color': water } },
  {
    id: 'grid',
    type: 'line',
    source: 'grid',
    // Deeper, the next line is screens away.
    maxzoom: 8,
    paint: { 'line-color': grid, 'line-width': 1 },
  },
  {
    id: 'land',
    type: 'fill',
    source: 'world',
    filter: ['all', ['==', ['geometry-type'], 'Polygon'], ['!', IS_WATER]],
    paint: { 'fill-color': land, 'fill-antialias': false },
  },
  {
    id: 'coast',
    type: 'line',
    source: 'world',
    filter: ['all', ['==', ['geometry-type'], 'Polygon'], ['!', IS_WATER]],
    paint: { 'line-color': coast, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 8, 1.2] },
  },
  {
    id: 'border',
    type: 'line',
    source: 'world',
    filter: ['all', ['==', ['geometry-type'], 'LineString'], ['!', IS_WATER]],
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.6, 8, 1.6] },
  },
  {
    id: 'lake',
    type: 'fill',
    source: 'world',
    filter: ['all', ['==', ['geometry-type'], 'Polygon'], IS_WATER],
    paint: { 'fill-color': water, 'fill-outline-color': coast },
  },
  {
    id: 'river',
    type: 'line',
    source: 'world',
    filter: ['all', ['==', ['geometry-type'], 'LineString'], IS_WATER],
    minzoom: 3,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': river, 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.5, 8, 1.5] },
  },
  {
    id: 'town-name',
    type: 'symbol',
    source: 'towns',
    minzoom: 3,
    filter: ['>=', ['get', 'size'], SMALLEST_NAMED],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': NAME_FONT,
      'text-size': ['interpolate', ['linear'], ['get', 'size'], 55, 11, 90, 14],
      'text-padding': 6,
      // Where two names meet, the larger place keeps its own.
      'symbol-sort-key': ['-', ['get', 'size']],
    },
    paint: { 'text-color': name, 'text-halo-color': halo, 'text-halo-width': 1.2 },
  },
  {
    id: 'country-name',
    type: 'symbol',
    source: 'countries',
    maxzoom: 8,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': NAME_FONT,
      'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 6, 16],
      'text-letter-spacing': 0.08,
      'text-max-width': 7,
      'text-padding': 4,
      'symbol-sort-key': ['-', ['get', 'area']],
    },
    paint: { 'text-color': name, 'text-halo-color': halo, 'text-halo-width': 1.4 },
  },
  {
    id: 'footprint-fill',
    type: 'fill',
    // Never all outlines: each one is a screen of pixels, and a season has a hundred of them over each other.
    source: 'hovered',
    layout: { visibility: 'none' },
    paint: { 'fill-color': accent, 'fill-opacity': 0.12, 'fill-antialias': false },
  },
  {
    id: 'footprint-line',
    type: 'line',
    source: 'footprints',
    layout: { 'line-join': 'round' },
    // All of them lie below the imagery, so that none crosses the picture.
    paint: { 'line-color': accent, 'line-width': 1, 'line-opacity': 0.5 },
  },
  {
    id: 'footprint-shown',
    type: 'line',
    source: 'footprints',
    layout: { 'line-join': 'round' },
    // By a state, which the next frame has: another source would have to be cut into tiles first, and be drawn after that.
    paint: {
      'line-color': accent,
      'line-width': 2,
      'line-opacity': ['case', ['boolean', ['feature-state', 'isShown'], false], 1, 0],
    },
  },
  {
    id: 'footprint-hovered',
    type: 'line',
    source: 'hovered',
    layout: { 'line-join': 'round', visibility: 'none' },
    paint: { 'line-color': accent, 'line-width': 3 },
  },
  // White on a dark rim is visible on every picture and in both palettes, and does not look like a footprint.
  {
    id: 'shape-rim',
    type: 'line',
    source: 'shapes',
    layout: { 'line-join': 'round', 'line-cap': 'round', visibility: 'none' },
    paint: { 'line-color': '#0e1a22', 'line-width': 5, 'line-opacity': 0.6 },
  },
  {
    id: 'shape-line',
    type: 'line',
    source: 'shapes',
    layout: { 'line-join': 'round', 'line-cap': 'round', visibility: 'none' },
    paint: { 'line-color': '#ffffff', 'line-width': 2 },
  },
  // As white on dark as shapes are, for the same reason.
  {
    id: 'place',
    type: 'circle',
    source: 'place',
    paint: {
      'circle-radius': 7,
      'circle-color': accent,
      'circle-stroke-color': '#ffffff',
      'circle-stroke-width': 2.5,
    },
  },
  {
    id: 'place-name',
    type: 'symbol',
    source: 'place',
    layout: {
      'text-field': ['get', 'name'],
      'text-font': NAME_FONT,
      'text-size': 15,
      'text-anchor': 'top',
      'text-offset': [0, 0.8],
      'text-allow-overlap': true,
    },
    paint: { 'text-color': '#ffffff', 'text-halo-color': '#0e1a22', 'text-halo-width': 1.6 },
  },
  {
    id: 'point',
    type: 'circle',
    source: 'points',
    paint: {
      'circle-radius': 5,
      'circle-color': accent,
      'circle-stroke-color': water,
      'circle-stroke-width': 2,
    },
  },
];

/** Web Mercator ends here: atan(sinh(π)) in degrees. */
const MERCATOR_LIMIT_DEG = 85.051129;

/** Meridians and parallels every `stepDeg` degrees as one multi-line: the quiet grid behind the map. */
const makeGraticule = (stepDeg: number): { type: 'MultiLineString'; coordinates: number[][][] } => {
  const coordinates: number[][][] = [];
  for (let lon = -180; lon < 180; lon += stepDeg) {
    coordinates.push([
      [lon, -MERCATOR_LIMIT_DEG],
      [lon, MERCATOR_LIMIT_DEG],
    ]);
  }
  for (let lat = -90 + stepDeg; lat < 90; lat += stepDeg) {
    // Three points, because a line from -180 to 180 alone has no length for a reader that wraps longitudes.
    coordinates.push([
      [-180, lat],
      [0, lat],
      [180, lat],
    ]);
  }
  return { type: 'MultiLineString', coordinates };
};

/** The layer under which imagery goes, so that outlines stay visible on top of it. */
export const FIRST_LAYER_ABOVE_IMAGERY = 'footprint-shown';

/** The layers of outlines. */
export const FOOTPRINT_LAYERS = [
  'footprint-fill',
  'footprint-line',
  FIRST_LAYER_ABOVE_IMAGERY,
  'footprint-hovered',
] as const;

/** The layers of the user's shapes. */
export const SHAPE_LAYERS = ['shape-rim', 'shape-line'] as const;

const NOTHING = { type: 'FeatureCollection' as const, features: [] };

/** The whole style; `world` and the others are filled later. */
export const makeBaseStyle = (isDark: boolean): StyleSpecification => ({
  version: 8,
  sources: {
    // Zoom 7 holds the data's whole detail (0.008° is 6 px there); deeper tiles would only cost time.
    world: { type: 'geojson', data: NOTHING, maxzoom: 7, attribution: 'Natural Earth' },
    grid: { type: 'geojson', data: makeGraticule(10), maxzoom: 4 },
    towns: { type: 'geojson', data: NOTHING, maxzoom: 9, attribution: 'GeoNames (CC BY)' },
    countries: { type: 'geojson', data: NOTHING, maxzoom: 5 },
    // At zoom 10 a corner is right to 5 m.
    footprints: { type: 'geojson', data: NOTHING, maxzoom: 10 },
    hovered: { type: 'geojson', data: NOTHING, maxzoom: 10 },
    points: { type: 'geojson', data: NOTHING },
    place: { type: 'geojson', data: NOTHING },
    // The corners are where the user put them.
    shapes: { type: 'geojson', data: NOTHING, tolerance: 0 },
  },
  layers: toLayers(paletteFor(isDark)),
});

/** Gives the base layers of a living map the colours of the other scheme. */
export const repaint = (map: MapLibreMap, isDark: boolean): void => {
  for (const { id, paint } of toLayers(paletteFor(isDark))) {
    for (const [property, value] of Object.entries(paint ?? {})) {
      map.setPaintProperty(id, property as Parameters<MapLibreMap['setPaintProperty']>[1], value as never);
    }
  }
};

/** The land under imagery, for pictures that are drawn outside of the map. */
export const landColor = (isDark: boolean): string => paletteFor(isDark).land;
