/** The address of a picture: which scene, which bands, and which ground, as a tile or as bounds. */
import type { SceneName } from '../../catalog/index.ts';
import { badInput, notFound } from '../../errors.ts';
import type { Bounds, Tile } from '../../geo/index.ts';
import { isTile, MAX_ZOOM } from '../../geo/index.ts';
import { makeLru } from '../../lru.ts';
import type { PictureGround } from '../../render/index.ts';
import { EXAMPLE_SCENE } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ParameterDoc } from '../kit/parameters.ts';
import type { RowText } from '../kit/paths.ts';
import { decodeSegments, parseTileNumbers, splitRow, takeScene } from '../kit/paths.ts';
import { DECIMAL, parseDecimal, parseWhole } from '../kit/texts.ts';

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

/** What the path of a picture names. */
export interface PicturePath extends SceneName {
  /** The band combination or expression, decoded, slashes included. */
  readonly bands: string;
  readonly ground: PictureGround;
  /** What the end of the address asks for; the query counts more. */
  readonly ending: Pick<RowText, 'isDouble' | 'format'>;
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
  const { y, ...ending } = splitRow(row);
  return { ...scene, bands: rest.slice(0, -3).join('/'), ground: parseGround(z, x, y), ending };
}

function parseGround(z: string, x: string, y: string): PictureGround {
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
