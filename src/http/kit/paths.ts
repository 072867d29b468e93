/** Paths below `/api/render/`: their segments, and the scene, the bands, the tile, the bounds or the point that they name. */
import type { SceneName } from '../../catalog/index.ts';
import { SwathError } from '../../errors.ts';
import type { Bounds, Tile } from '../../geo/index.ts';
import { isTile, MAX_ZOOM } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { PictureGround } from '../../render/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { findBand, takeViewId } from '../../sensors/index.ts';
import { badInput, notFound, unsupported } from '../errors.ts';
import { EXAMPLE_SCENE } from './endpoint.ts';
import { json } from './json-schema.ts';
import type { ParameterDoc } from './parameters.ts';
import { custom, DECIMAL, defineParameters, parseDecimal, parseWhole, toBadCode } from './parameters.ts';

/** What the addresses of all that is drawn or measured begin with. */
export const RENDER_ROOT = '/api/render/';

/** The raw path after it. */
export const belowRenderRoot = (rawPath: string): string => rawPath.slice(RENDER_ROOT.length);

/**
 * The segments of a raw path, decoded; slashes at its end do not count. An encoded slash separates segments too: generated
 * clients write `%2F` inside of a view id, of a scene id and of expressions. It is decoded once, so `%252F` is not a slash.
 */
export const decodeSegments = (rawPath: string): string[] =>
  trimSlashes(rawPath)
    .split('/')
    .flatMap((segment) => (segment.includes('%') ? decodeSegment(segment).split('/') : [segment]));

/** A loop, because a pattern for slashes at the end takes quadratic time on a path of slashes. */
function trimSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw badInput('bad-encoding', 'The path is not valid percent-encoded UTF-8.', { cause: error });
  }
}

/** A scene, and the segments of the path after it, decoded. */
type SceneAndRest = SceneName & { readonly rest: readonly string[] };

/** Reads a scene from the beginning of decoded segments: the sensor's grammar says how many its name has. */
function takeScene(segments: readonly string[]): SceneAndRest {
  // Terrain has the place of a sensor in its paths: valid terrain paths have routes of their own.
  if (segments[0] === 'terrain') {
    throw notFound(
      'unknown-route',
      'There is no such address of terrain: there are terrain/{z}/{x}/{y}, terrain/point/{lat}/{lon}, terrain/profile, terrain/statistics and terrain/tilejson.json.',
    );
  }
  const { view, rest } = takeViewId(segments);
  const { sensor, viewId, sceneName } = view;
  return { sensor, viewId, sceneName, rest };
}

/** Reads the raw path `/api/render/{sensor}/{verb}/{scene_id}/…`. */
export function parseSceneVerbPath(rawPath: string): SceneAndRest {
  const [sensor = '', , ...others] = decodeSegments(belowRenderRoot(rawPath));
  return takeScene([sensor, ...others]);
}

/** A picture format that the end of an address may name. */
export type EndingFormat = 'png' | 'jpeg' | 'webp';

/** The last segment of a picture's address, and what its ending asks for. */
interface RowText {
  /** The segment without its ending. */
  readonly y: string;
  /** `@2x`: twice as many pixels a side. */
  readonly isDouble: boolean;
  /** `.png`, `.jpg`, `.jpeg` or `.webp`; null without. */
  readonly format: EndingFormat | null;
}

const FORMATS: Readonly<Record<string, EndingFormat>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
};

/** Takes `@2x` and a format from the end of a row: map libraries write `{y}@2x.png`. */
export function splitRow(text: string): RowText {
  const [, y = text, double, ending] = /^([^@]*?)(@2x)?(?:\.(png|jpe?g|webp))?$/i.exec(text) ?? [];
  return { y, isDouble: double !== undefined, format: FORMATS[ending?.toLowerCase() ?? ''] ?? null };
}

/** Reads the numbers of a tile, which may lie outside of the grid. An error names the number that is not whole. */
export const parseTileNumbers = (z: string, x: string, y: string): Tile => ({
  z: parseNumber('z', z),
  x: parseNumber('x', x),
  y: parseNumber('y', y),
});

function parseNumber(name: string, text: string): number {
  if (!/^-?\d{1,400}$/.test(text)) {
    throw new SwathError(
      'bad-input',
      toBadCode(name),
      `${name} must be a whole number, not ${JSON.stringify(text.slice(0, 20))}.`,
    );
  }
  // A minus before zero does not count.
  return Number(text) || 0;
}

interface Examples {
  readonly lat: string;
  readonly lon: string;
}

/** The latitude and the longitude of a point on Earth, as segments of a path. */
export const pointParameters = ({ lat, lon }: Examples) =>
  defineParameters({
    lat: degrees('latitude', 90, { description: 'Latitude in degrees.', example: lat }),
    lon: degrees('longitude', 180, { description: 'Longitude in degrees.', example: lon }),
  });

const degrees = (
  axis: string,
  farthest: number,
  doc: { readonly description: string; readonly example: string },
) =>
  custom({
    ...doc,
    schema: json.number({ min: -farthest, max: farthest }),
    read(text): number {
      const value = parseDecimal(text);
      if (value !== null && Math.abs(value) <= farthest) return value;
      throw badInput('bad-point', `The ${axis} of a point is a number from -${farthest} to ${farthest}.`);
    },
  });

/** No zoom has more columns or rows. */
const column = json.integer({ min: 0, max: 2 ** MAX_ZOOM - 1 });
/** A row with what may follow it: twice the pixels, and a format. */
const row = json.string({ pattern: /^\d{1,9}(?:@2x)?(?:\.(?:png|jpg|jpeg|webp))?$/ });
const boundsSchema = json.string({ pattern: `^${DECIMAL};${DECIMAL};\\d{1,15}$` });

/** The position of a picture: the last three segments, which `parsePicturePath` reads together. */
export const positionParameters = {
  z: { description: 'Zoom.', schema: json.integer({ min: 0, max: MAX_ZOOM }), example: '12' },
  x: {
    description: 'Column of the tile; or bounds, "left;right;code" of a reference system.',
    schema: json.union([column, boundsSchema]),
    example: EXAMPLE_SCENE.x,
  },
  y: {
    description:
      'Row of the tile, from the north; or bounds, "upper;lower;code". The suffix `@2x` returns 512 × 512 pixels; `.png`, `.jpg` or `.webp` sets the format. TILE_SIZE and mimetype override them.',
    schema: json.union([column, row, boundsSchema]),
    example: EXAMPLE_SCENE.y,
  },
} as const satisfies Readonly<Record<string, ParameterDoc>>;

/** The last segments of a picture's address, decoded. */
interface PositionTexts {
  readonly z?: string;
  readonly x?: string;
  readonly y?: string;
}

/** Where a picture is, and how it is sent. */
interface PicturePosition {
  readonly ground: PictureGround;
  /** What the end of the address asks for; the query counts more. */
  readonly ending: Pick<RowText, 'isDouble' | 'format'>;
}

/** What the path of a picture names. */
export interface PicturePath extends SceneName, PicturePosition {
  /** The band combination or expression, decoded, slashes included. */
  readonly bands: string;
}

/**
 * Reads `{view_id}/{bands}/{z}/{x}/{y}` from the raw path after `/api/render/`. View ids and expressions both hold
 * slashes, so it is read from both ends: the sensor's grammar says how many segments the scene name has, the last
 * three are the tile or the bounds, and what lies between is the expression.
 */
export function parsePicturePath(rawPath: string): PicturePath {
  const segments = decodeSegments(rawPath);
  if (segments.length < 2) {
    throw notFound(
      'unknown-route',
      'There is nothing at this address: that of a picture is {view_id}/{bands}/{z}/{x}/{y}, and /docs lists the others.',
    );
  }
  const { rest, ...scene } = takeScene(segments);
  if (rest.length < 4) {
    throw badInput('bad-path', 'The address of a picture ends in {bands}/{z}/{x}/{y}.');
  }
  const [z = '', x = '', row = ''] = rest.slice(-3);
  return { ...scene, bands: rest.slice(0, -3).join('/'), ...parsePosition({ z, x, y: row }) };
}

/** Reads the position of a picture: a tile, or a zoom and bounds, with what its end asks for. */
export function parsePosition({ z = '', x = '', y: row = '' }: PositionTexts): PicturePosition {
  const { y, ...ending } = splitRow(row);
  return { ground: parseGround(z, x, y), ending };
}

/** Reads the position of a picture: a tile, or bounds. */
export function parseGround(z: string, x: string, y: string): PictureGround {
  if (!areBounds(x, y)) return { kind: 'tile', tile: parseTile(z, x, y) };
  // The zoom of bounds says nothing that they do not say themselves, but must be one.
  const zoom = parseWhole(z);
  if (zoom === null || zoom > MAX_ZOOM) {
    throw badInput('bad-path', `The zoom before bounds must be a whole number from 0 to ${MAX_ZOOM}.`);
  }
  return { kind: 'bounds', ...parseBounds(x, y) };
}

function parseTile(zText: string, xText: string, yText: string): Tile {
  const tile = parseTileNumbers(zText, xText, yText);
  if (!isTile(tile)) {
    throw notFound(
      'no-such-tile',
      `There is no such tile: z runs from 0 to ${MAX_ZOOM}, x and y from 0 to 2^z - 1.`,
    );
  }
  return tile;
}

/** A rectangle of ground and the code of the reference system that it is in. */
interface PictureBounds {
  readonly epsg: number;
  readonly bounds: Bounds;
}

/** Whether two segments of a path are bounds and not a tile's numbers. */
const areBounds = (xText: string, yText: string): boolean => `${xText}${yText}`.includes(';');

/**
 * Reads `left;right;code` and `upper;lower;code`. Upper and lower come in either order; a left beyond
 * the right is a rectangle across the antimeridian, in degrees, and a mistake elsewhere.
 */
function parseBounds(xText: string, yText: string): PictureBounds {
  const [left, right, xCode] = parseAxis('x_bounds', xText, 'left;right;projection_code');
  const [upper, lower, yCode] = parseAxis('y_bounds', yText, 'upper;lower;projection_code');
  if (xCode !== yCode) {
    throw badInput('bad-bounds', `Both bounds need one projection code; these have ${xCode} and ${yCode}.`);
  }
  const isDegrees = xCode === 4326;
  const maxX = isDegrees && right < left ? right + 360 : right;
  const [minY, maxY] = [Math.min(upper, lower), Math.max(upper, lower)];
  if (maxX <= left) throw badInput('bad-bounds', 'x_bounds enclose nothing: left must be below right.');
  if (maxY <= minY) throw badInput('bad-bounds', 'y_bounds enclose nothing: upper and lower are the same.');
  const [minSpan, unit] = isDegrees ? [MIN_SPAN_DEG, 'degrees'] : [MIN_SPAN_M, 'metres'];
  for (const [name, span] of [['x_bounds', maxX - left] as const, ['y_bounds', maxY - minY] as const]) {
    if (span < minSpan) {
      throw badInput(
        'bad-bounds',
        `${name} are too close to each other: they must be ${minSpan} ${unit} apart.`,
      );
    }
  }
  if (isDegrees && (left < -360 || maxX > 540 || maxX - left > 360 || minY < -90 || maxY > 90)) {
    throw badInput(
      'bad-bounds',
      'Bounds in degrees are longitudes of at most one turn, and latitudes from -90 to 90.',
    );
  }
  return { epsg: xCode, bounds: { minX: left, minY, maxX, maxY } };
}

/**
 * A tenth of a millimetre. Its 2,048th part is still ten steps of the numbers that coordinates are: with less,
 * pixels would fall onto each other.
 */
const MIN_SPAN_M = 1e-4;
const MIN_SPAN_DEG = 1e-9;

/** Metres and degrees alike: nothing on Earth lies beyond. */
const MAX_COORDINATE = 1e9;

function parseAxis(name: string, text: string, form: string): [number, number, number] {
  const parts = text.split(';');
  const [from, to] = [parseDecimal(parts[0] ?? ''), parseDecimal(parts[1] ?? '')];
  const code = parseWhole(parts[2] ?? '');
  if (parts.length !== 3 || from === null || to === null || code === null) {
    throw badInput('bad-bounds', `${name} are written as ${form}, such as 2.5;2.6;4326.`);
  }
  if (Math.abs(from) > MAX_COORDINATE || Math.abs(to) > MAX_COORDINATE) {
    throw badInput('bad-bounds', `${name} are numbers of at most 1e9.`);
  }
  return [from, to, code];
}

/** Texts remembered at most: the paths of a few screens full of tiles. */
const MAX_REMEMBERED = 512;

/** Remembers what the last texts were read as, for a grammar that always reads a text the same; errors are not remembered. */
export function rememberParsed<Value>(parse: (text: string) => Value): (text: string) => Value {
  const known = makeLru<Value>({ max: MAX_REMEMBERED });
  return (text) => known.remember(text, () => parse(text));
}

/** What is read and set of a picture. */
export interface SharpenedPicture {
  readonly bands: string;
  readonly sensor: Sensor;
  readonly options: { readonly isSharpened?: boolean };
}

const PREFIX = /^\s*PS:/i;

/**
 * Reads the pattern `PS:B4:B3:B2:B8` instead of bands: one band or three, then the panchromatic
 * one. It asks for the same as those bands with PANSHARPENING. Pictures of anything else are left as they are.
 */
export function parseSharpenPattern<Picture extends SharpenedPicture>(picture: Picture): Picture {
  const { bands, sensor, options } = picture;
  if (!PREFIX.test(bands)) return picture;
  const names = bands.replace(PREFIX, '').split(':');
  const { pansharpening, title } = sensor;
  // The renderer refuses sensors without a panchromatic band.
  const panBand = pansharpening?.panBand ?? 'B8';
  const shown = names.slice(0, -1);
  if (shown.length !== 1 && shown.length !== 3) {
    throw unsupported(
      'bad-sharpen-pattern',
      `PS: takes one band or three, then the panchromatic band, such as PS:B4:B3:B2:${panBand}.`,
    );
  }
  if (pansharpening !== null && toBand(sensor, names.at(-1) as string) !== panBand) {
    throw unsupported(
      'bad-sharpen-pattern',
      `The last band of PS: is the panchromatic one, which is ${panBand} for ${title}.`,
    );
  }
  return {
    ...picture,
    bands: shown.map((name) => toBand(sensor, name)).join(),
    options: { ...options, isSharpened: true },
  };
}

/** Bands only: what is computed is sharpened with PANSHARPENING. */
function toBand(sensor: Sensor, name: string): string {
  const band = findBand(sensor, name.trim());
  if (band !== null) return band.name;
  throw unsupported('bad-sharpen-pattern', `${sensor.title} has no band "${name.slice(0, 40)}".`);
}
