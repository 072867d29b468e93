import type { Colormap, ColorPlan } from '../../color/index.ts';
import { parseColormapName, planColor } from '../../color/index.ts';
import type { Colormaps } from '../../colormaps/index.ts';
import { badInput, unsupported } from '../../errors.ts';
import type { ContourFormat, ReliefFormat, TerrainProduct } from '../../terrain/index.ts';
import { contourIntervalM } from '../../terrain/index.ts';
import { findColormap } from '../colors/find-colormap.ts';
import type { Query } from '../request/query.ts';
import { parseDecimal } from '../request/strict-number.ts';
import { parseNumber } from './terrain-query.ts';

/** Values of `format`. */
export const TERRAIN_FORMATS = [
  ...['hillshade', 'slope', 'geotiff', 'aspect', 'terrarium', 'terrainrgb', 'contours'],
] as const satisfies readonly TerrainProduct['kind'][];

/** Media types of pictures. */
export const RELIEF_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
} as const satisfies Readonly<Record<string, ReliefFormat>>;

/** Media types of contour lines. */
export const CONTOUR_TYPES = {
  'application/vnd.mapbox-vector-tile': 'mvt',
  'application/geo+json': 'geojson',
} as const satisfies Readonly<Record<string, ContourFormat>>;

/** Default colours of slopes, and of directions, which must meet at north. */
const SLOPE_COLORMAP = 'terrain';
const ASPECT_COLORMAP = 'hsv';

/** What a query asks to be drawn at a zoom level. */
export async function parseProduct(
  query: Query,
  zoom: number,
  colormaps: Colormaps,
): Promise<TerrainProduct> {
  const kind = parseKind(query);
  switch (kind) {
    case 'hillshade':
      return {
        kind,
        azimuthDeg: parseNumber(query, 'AZIMUTH', { min: 0, max: 360, fallback: 315 }),
        altitudeDeg: parseNumber(query, 'ALTITUDE', { min: 0, max: 90, fallback: 45 }),
        color: planRelief({ colors: query.get('COLORS'), thresholds: query.get('THRESHOLDS') }),
        format: parseMediaType(query, kind, RELIEF_TYPES),
      };
    case 'slope': {
      const range = parseSlopeRange(query.get('SLOPE_RANGE'));
      return {
        kind,
        minSlopeDeg: parseNumber(query, 'MIN_SLOPE', { min: 0, max: 90, fallback: 0 }),
        color: await planRamp(query.get('COLORMAP') ?? SLOPE_COLORMAP, range, colormaps),
        format: parseMediaType(query, kind, RELIEF_TYPES),
      };
    }
    case 'aspect':
      return {
        kind,
        color: await planRamp(query.get('COLORMAP') ?? ASPECT_COLORMAP, { min: 0, max: 360 }, colormaps),
        format: parseMediaType(query, kind, RELIEF_TYPES),
      };
    case 'geotiff':
      parseMediaType(query, kind, { 'image/tiff': 'tiff' });
      return { kind };
    case 'terrarium':
    case 'terrainrgb':
      parseMediaType(query, kind, { 'image/png': 'png' });
      return {
        kind,
        unknownM: query.has('UNKNOWN')
          ? parseNumber(query, 'UNKNOWN', { min: -10_000, max: 9_000, fallback: 0 })
          : null,
      };
    case 'contours':
      return {
        kind,
        intervalM: parseNumber(query, 'INTERVAL', { min: 0.1, max: 5_000, fallback: contourIntervalM(zoom) }),
        format: parseMediaType(query, kind, CONTOUR_TYPES),
      };
  }
}

/** In any case; hillshade when it is not there. */
function parseKind(query: Query): TerrainProduct['kind'] {
  const text = (query.get('format') ?? 'hillshade').toLowerCase();
  const kind = TERRAIN_FORMATS.find((format) => format === text);
  if (kind === undefined) {
    throw badInput('bad-format', `format must be one of ${TERRAIN_FORMATS.join(', ')}.`);
  }
  return kind;
}

/** The first type is the default. */
function parseMediaType<Format>(
  query: Query,
  kind: TerrainProduct['kind'],
  types: Readonly<Record<string, Format>>,
): Format {
  // A plus sign that is not encoded arrives as a space.
  const text = query.get('mimetype')?.replace(' ', '+');
  const known = Object.keys(types);
  const type = text ?? (known[0] as string);
  if (!Object.hasOwn(types, type)) {
    throw unsupported('bad-mimetype', `mimetype of ${kind} must be ${known.join(' or ')}.`);
  }
  return types[type] as Format;
}

function parseSlopeRange(text = '0,90'): SlopeRange {
  const range = toSlopeRange(text);
  if (range !== null) return range;
  throw badInput('bad-slope-range', 'SLOPE_RANGE must be "min,max" in degrees, with 0 <= min < max <= 90.');
}

interface SlopeRange {
  readonly min: number;
  readonly max: number;
}

/** `min,max` in degrees, with or without parentheses; null for any other text. */
function toSlopeRange(text: string): SlopeRange | null {
  const inner = /^\((.*)\)$/.exec(text.trim())?.[1] ?? text;
  const [min, max, ...more] = inner.split(',').map((part) => parseDecimal(part.trim()));
  if (min == null || max == null || more.length > 0 || min < 0 || max > 90 || min >= max) return null;
  return { min, max };
}

/** Whether a text is a range of slopes, for the documentation. */
export const isSlopeRange = (text: string): boolean => toSlopeRange(text) !== null;

async function planRamp(
  name: string,
  range: { readonly min: number; readonly max: number },
  colormaps: Colormaps,
): Promise<ColorPlan> {
  const colormap = await findColormap(parseColormapName(name), colormaps);
  return planRelief({ colormap, range }) as ColorPlan;
}

function planRelief({
  range = null,
  ...colors
}: {
  readonly colors?: string | undefined;
  readonly thresholds?: string | undefined;
  readonly colormap?: Colormap;
  readonly range?: { readonly min: number; readonly max: number } | null;
}): ColorPlan | null {
  return planColor({
    ...colors,
    minMax: range,
    channels: 1,
    hasBits: false,
    hasWholeValues: false,
    defaultPalette: null,
    alias: null,
  });
}
