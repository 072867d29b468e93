import { badInput, notFound } from '../errors.ts';
import type { Tile } from '../geo/index.ts';
import { isTile, MAX_ZOOM } from '../geo/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { takeViewId } from '../sensors/index.ts';
import { parseWhole } from './strict-number.ts';

/** What a render path names. */
export interface TilePath {
  readonly sensor: Sensor;
  readonly viewId: string;
  readonly sceneName: string;
  /** The band combination or expression, decoded, slashes included. */
  readonly bands: string;
  readonly tile: Tile;
}

/**
 * Reads `{view_id}/{bands}/{z}/{x}/{y}` from the raw path after `/api/render/`. View ids and expressions both hold
 * slashes, so it is read from both ends: the sensor's grammar says how many segments the scene name has, the last
 * three are the tile, and what lies between is the expression.
 */
export function parseTilePath(rawPath: string): TilePath {
  const { view, rest } = takeViewId(decodeSegments(rawPath));
  if (rest.length < 4) {
    throw badInput('bad-path', 'A tile address ends in {bands}/{z}/{x}/{y}.');
  }
  const [z = '', x = '', y = ''] = rest.slice(-3);
  return {
    sensor: view.sensor,
    viewId: view.viewId,
    sceneName: view.sceneName,
    bands: rest.slice(0, -3).join('/'),
    tile: parseTile(z, x, y),
  };
}

function parseTile(zText: string, xText: string, yText: string): Tile {
  const [z, x, y] = [parseWhole(zText), parseWhole(xText), parseWhole(yText)];
  if (z === null || x === null || y === null || !isTile({ z, x, y })) {
    throw notFound(
      'no-such-tile',
      `There is no such tile: z runs from 0 to ${MAX_ZOOM}, x and y from 0 to 2^z - 1.`,
    );
  }
  return { z, x, y };
}

/** The segments of a raw path, decoded; slashes at its end do not count. */
export const decodeSegments = (rawPath: string): string[] =>
  trimSlashes(rawPath).split('/').map(decodeSegment);

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
