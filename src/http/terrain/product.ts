/** The query of terrain: what is drawn of the heights, and how. */
import type { Colormap, ColormapReference, ColorPlan } from '../../color/index.ts';
import { parseColormapName, planColor } from '../../color/index.ts';
import type { Colormaps } from '../../library/index.ts';
import type { TerrainFormat, TerrainProduct } from '../../terrain/index.ts';
import { contourIntervalM } from '../../terrain/index.ts';
import { findColormap } from '../colormaps.ts';
import { unsupported } from '../errors.ts';
import { json } from '../kit/json-schema.ts';
import type { Query } from '../kit/parameters.ts';
import {
  choice,
  custom,
  DECIMAL,
  decimal,
  defineParameters,
  flag,
  parseDecimal,
  text,
} from '../kit/parameters.ts';

/** Values of `format`. */
const TERRAIN_FORMATS = [
  ...['hillshade', 'slope', 'geotiff', 'aspect', 'terrarium', 'terrainrgb', 'contours'],
] as const satisfies readonly TerrainProduct['kind'][];

/** Media types of pictures. */
const RELIEF_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
} as const satisfies Readonly<Record<string, TerrainFormat>>;

/** Media types of contour lines. */
const CONTOUR_TYPES = {
  'application/vnd.mapbox-vector-tile': 'mvt',
  'application/geo+json': 'geojson',
} as const satisfies Readonly<Record<string, TerrainFormat>>;

/** Default colours of slopes, and of directions, which must meet at north. */
const SLOPE_COLORMAP = parseColormapName('terrain');
const ASPECT_COLORMAP = parseColormapName('hsv');

const mediaTypes = ['image/tiff', ...Object.keys(RELIEF_TYPES), ...Object.keys(CONTOUR_TYPES)];

/** The parameters. Every format reads those that it has a use for. */
export const terrainParameters = defineParameters({
  format: choice({
    description:
      'hillshade, slope or aspect as a picture; geotiff: heights as float32; terrarium or terrainrgb: heights as colours, for MapLibre and others; contours: lines.',
    names: TERRAIN_FORMATS,
    ignoresCase: true,
    fallback: 'hillshade',
  }),
  FILTERING: flag({
    description: 'Removes spikes, small voids and stair-steps from the heights. Off by default.',
    fallback: false,
  }),
  COLORMAP: custom({
    description: 'Colormap of slope (terrain by default) or aspect (hsv by default), by name or id.',
    example: 'viridis',
    schema: json.string(),
    fallback: null,
    read: (name): ColormapReference => parseColormapName(name),
  }),
  MIN_SLOPE: decimal({
    description: 'slope: gentler slopes are transparent; degrees.',
    min: 0,
    max: 90,
    fallback: 0,
  }),
  SLOPE_RANGE: custom({
    description: 'slope: "min,max" in degrees, the ends of the colormap and of the legend; 0,90 by default.',
    example: '0,45',
    schema: json.string({ pattern: `^\\(?${DECIMAL},${DECIMAL}\\)?$` }),
    fallback: { min: 0, max: 90 },
    rule: 'must be "min,max" in degrees, with 0 <= min < max <= 90.',
    read: parseSlopeRange,
  }),
  AZIMUTH: decimal({
    description: 'hillshade: where the light comes from, degrees clockwise from north.',
    min: 0,
    max: 360,
    fallback: 315,
  }),
  ALTITUDE: decimal({
    description: 'hillshade: height of the light above the horizon in degrees.',
    min: 0,
    max: 90,
    fallback: 45,
  }),
  THRESHOLDS: custom({
    description: 'hillshade: values from 1 to 255 between the colours of COLORS, separated by commas.',
    example: '90,181',
    schema: json.union([json.literal(''), json.string({ pattern: `^${DECIMAL}(?:,${DECIMAL})*$` })]),
    fallback: null,
    read: (values) => values,
  }),
  COLORS: text({
    description: 'hillshade: hexadecimal colours of ranges, separated by commas; one more than THRESHOLDS.',
    example: '333333,999999,ffffff',
    pattern: /^#?[0-9a-fA-F]{6}(?:,#?[0-9a-fA-F]{6})*$/,
    fallback: null,
  }),
  INTERVAL: decimal({
    description: 'contours: metres between two lines; by default 5 at zoom 15 up to 2000 at zoom 1.',
    example: '20',
    min: 0.1,
    max: 5_000,
    fallback: null,
  }),
  UNKNOWN: decimal({
    description:
      'terrarium and terrainrgb: the height in metres for pixels of unknown height; without it they are transparent.',
    example: '0',
    min: -10_000,
    max: 9_000,
    fallback: null,
  }),
  mimetype: custom({
    description: `Pictures: ${Object.keys(RELIEF_TYPES).join(', ')}. Contours: ${Object.keys(CONTOUR_TYPES).join(', ')}. The first one is the default.`,
    schema: json.choice(mediaTypes),
    fallback: null,
    // A plus sign that is not encoded arrives as a space.
    read: (type) => type.replace(' ', '+'),
  }),
});

/** `min,max` in degrees, with or without parentheses; null for any other text. */
function parseSlopeRange(range: string): { readonly min: number; readonly max: number } | null {
  const inner = /^\((.*)\)$/.exec(range.trim())?.[1] ?? range;
  const [min, max, ...more] = inner.split(',').map((part) => parseDecimal(part.trim()));
  if (min == null || max == null || more.length > 0 || min < 0 || max > 90 || min >= max) return null;
  return { min, max };
}

/** What a query asks to be drawn at a zoom level. */
export async function parseProduct(
  query: Query,
  zoom: number,
  colormaps: Colormaps,
): Promise<TerrainProduct> {
  const { AZIMUTH, ALTITUDE, COLORS, THRESHOLDS, SLOPE_RANGE, MIN_SLOPE, COLORMAP } = terrainParameters;
  const kind = terrainParameters.format.read(query);
  switch (kind) {
    case 'hillshade':
      return {
        kind,
        azimuthDeg: AZIMUTH.read(query),
        altitudeDeg: ALTITUDE.read(query),
        color: planRelief({ colors: COLORS.read(query), thresholds: THRESHOLDS.read(query) }),
        format: parseMediaType(query, kind, RELIEF_TYPES),
      };
    case 'slope': {
      const range = SLOPE_RANGE.read(query);
      return {
        kind,
        minSlopeDeg: MIN_SLOPE.read(query),
        color: await planRamp(COLORMAP.read(query) ?? SLOPE_COLORMAP, range, colormaps),
        format: parseMediaType(query, kind, RELIEF_TYPES),
      };
    }
    case 'aspect':
      return {
        kind,
        color: await planRamp(COLORMAP.read(query) ?? ASPECT_COLORMAP, { min: 0, max: 360 }, colormaps),
        format: parseMediaType(query, kind, RELIEF_TYPES),
      };
    case 'geotiff':
      parseMediaType(query, kind, { 'image/tiff': 'tiff' });
      return { kind };
    case 'terrarium':
    case 'terrainrgb':
      parseMediaType(query, kind, { 'image/png': 'png' });
      return { kind, unknownM: terrainParameters.UNKNOWN.read(query) };
    case 'contours':
      return {
        kind,
        intervalM: terrainParameters.INTERVAL.read(query) ?? contourIntervalM(zoom),
        format: parseMediaType(query, kind, CONTOUR_TYPES),
      };
  }
}

/** The first type is the default. */
function parseMediaType<Format>(
  query: Query,
  kind: TerrainProduct['kind'],
  types: Readonly<Record<string, Format>>,
): Format {
  const known = Object.keys(types);
  const type = terrainParameters.mimetype.read(query) ?? (known[0] as string);
  if (!Object.hasOwn(types, type)) {
    throw unsupported('bad-mimetype', `mimetype of ${kind} must be ${known.join(' or ')}.`);
  }
  return types[type] as Format;
}

async function planRamp(
  reference: ColormapReference,
  range: { readonly min: number; readonly max: number },
  colormaps: Colormaps,
): Promise<ColorPlan> {
  const colormap = await findColormap(reference, colormaps);
  return planRelief({ colormap, range }) as ColorPlan;
}

function planRelief({
  range = null,
  colors,
  thresholds,
  colormap,
}: {
  readonly colors?: string | null;
  readonly thresholds?: string | null;
  readonly colormap?: Colormap;
  readonly range?: { readonly min: number; readonly max: number } | null;
}): ColorPlan | null {
  return planColor({
    colors: colors ?? undefined,
    thresholds: thresholds ?? undefined,
    colormap,
    minMax: range,
    channels: 1,
    hasBits: false,
    hasWholeValues: false,
    defaultPalette: null,
    alias: null,
  });
}
