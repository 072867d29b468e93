/** Paths below `/api/render/`: their segments, the scene, the tile or the point that they name. */

import type { SceneName } from '../../catalog/index.ts';
import { badInput, notFound } from '../../errors.ts';
import type { Tile } from '../../geo/index.ts';
import { sensors, takeViewId } from '../../sensors/index.ts';
import { json } from '../kit/json-schema.ts';
import { custom, defineParameters } from '../kit/parameters.ts';
import { parseDecimal, toBadCode } from './texts.ts';

/** What the addresses of all that is drawn or measured begin with. */
export const RENDER_ROOT = '/api/render/';

/** First segments of addresses below the root: sensors, and what else is drawn. */
const BELOW_ROOT: ReadonlySet<string> = new Set([
  ...sensors.flatMap(({ abbreviation, sharedAbbreviations }) => [abbreviation, ...sharedAbbreviations]),
  ...['terrain', 'legend', 'cropper', 'colormap', 'colorbar'],
]);

/**
 * A path with the root, when it begins with what lies below it: programs made for the render host write
 * `/S2/…/{z}/{x}/{y}`. Other paths stay as they are.
 */
export function toRenderPath(path: string): string {
  const [first = ''] = path.slice(1).split(/\/|%2f/i, 1);
  return BELOW_ROOT.has(first) ? `${RENDER_ROOT}${path.slice(1)}` : path;
}

/** The raw path after that. */
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
export function takeScene(segments: readonly string[]): SceneAndRest {
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
export interface RowText {
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
    throw badInput(
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
