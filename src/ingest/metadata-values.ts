import type { AreaGeometry, LonLat, Ring } from '../geo/index.ts';
import { isObject } from '../json.ts';
import { sourceBroken } from './errors.ts';

/**
 * Decimal numbers in metadata; not hexadecimal, not empty, not "Infinity". The pattern cannot split the digits in more
 * than one way, so matching takes linear time.
 */
const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;

/** A number in a metadata text; null for anything else. */
export function toNumber(text: string | null | undefined): number | null {
  const trimmed = text?.trim();
  if (trimmed === undefined || !NUMBER.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** A number within two inclusive bounds; null for anything else. */
export function toNumberWithin(
  text: string | null | undefined,
  [min, max]: readonly [number, number],
): number | null {
  const value = toNumber(text);
  return value !== null && value >= min && value <= max ? value : null;
}

/** Numbers separated by white space; null if one of them is not a number. */
export function toNumbers(text: string): number[] | null {
  const numbers: number[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const value = toNumber(word);
    if (value === null) return null;
    numbers.push(value);
  }
  return numbers;
}

/** As `toNumbers`, for lists too long to split into words first. */
export function toNumberArray(text: string): Float64Array | null {
  let count = 0;
  for (const _ of wordsOf(text)) count++;
  if (count === 0) return null;
  const numbers = new Float64Array(count);
  let i = 0;
  for (const word of wordsOf(text)) {
    const value = toNumber(word);
    if (value === null) return null;
    numbers[i++] = value;
  }
  return numbers;
}

function* wordsOf(text: string): Generator<string> {
  const words = /\S+/g;
  for (let found = words.exec(text); found !== null; found = words.exec(text)) yield found[0];
}

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d{1,12})?(?:Z|\+00:?00)?$/;

/** A time in UTC as ISO 8601 with milliseconds, from one with or without fraction and "Z"; null for anything else. */
export function toUtcTime(text: string | null | undefined): string | null {
  const found = TIME.exec(text?.trim() ?? '');
  if (found === null) return null;
  const [, day, time, fraction = ''] = found;
  const iso = `${day}T${time}.${fraction.slice(1, 4).padEnd(3, '0')}Z`;
  // 30 February becomes 2 March, and another text.
  const date = new Date(iso);
  return !Number.isNaN(date.getTime()) && date.toISOString() === iso ? iso : null;
}

/** The value, or an error that names the missing or unreadable field and its file. */
export function required<T>(value: T | null | undefined, field: string, what: string): T {
  if (value === null || value === undefined) {
    throw sourceBroken(
      'metadata-incomplete',
      `The file ${what} has no ${field}, or one that cannot be read.`,
    );
  }
  return value;
}

/** Parses a JSON object; throws `metadata-bad-json` for any other text. */
export function parseJsonObject(text: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw sourceBroken('metadata-bad-json', `The file ${what} is not JSON.`, { cause });
  }
  if (!isObject(value)) throw sourceBroken('metadata-bad-json', `The file ${what} holds no JSON object.`);
  return value;
}

/** A text or a number of a JSON document as text; null for anything else. */
export const toText = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;

/** One or several polygons in any coordinates; null if there are none. A ring has at most 100,000 points. */
export function toArea(geometry: unknown): AreaGeometry | null {
  if (!isObject(geometry) || !Array.isArray(geometry.coordinates)) return null;
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return null;
  const parts = polygons.flatMap((rings: unknown) => {
    const known = Array.isArray(rings) ? rings.map(toRing) : [];
    return known.length > 0 && known.every((ring) => ring !== null) ? [known as Ring[]] : [];
  });
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: parts };
}

function toRing(positions: unknown): Ring | null {
  if (!Array.isArray(positions) || positions.length < 4 || positions.length > 100_000) return null;
  const ring: LonLat[] = [];
  for (const position of positions) {
    const [x, y] = Array.isArray(position) ? position : [];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
    ring.push([x, y]);
  }
  return ring;
}

/**
 * Hosts that need credentials: Azure (Planetary Computer) wants a token, and these buckets of Amazon an account that
 * pays for requests.
 */
const CLOSED =
  /\.blob\.core\.windows\.net$|^(?:sentinel-s1-l1c|sentinel-s2-l1c|sentinel-s2-l2a|usgs-landsat|naip-analytic|naip-visualization)\.s3[.-]/;

/** Query parameters of titiler that draw a picture; any other may be a secret. */
const DRAWING =
  /^(?:collection|items?|assets|asset_bidx|asset_as_band|bidx|expression|rescale|color_formula|colormap_name|nodata|unscale|format|tile_format|resampling|max_size|width|height)$/;

const MAX_CHARS = 2_000;

/** An address for a hit that any client can fetch; null for any other. Relative addresses start from `base`. */
export function toOpenAddress(href: string, base: string | null): string | null {
  const url = URL.parse(href) ?? URL.parse(href, base ?? '');
  if (url === null || url.protocol !== 'https:' || url.href.length > MAX_CHARS) return null;
  if (url.username !== '' || url.password !== '' || CLOSED.test(url.hostname)) return null;
  return [...url.searchParams.keys()].every((name) => DRAWING.test(name)) ? url.href : null;
}
