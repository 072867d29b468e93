import { badInput, notFound } from '../errors.ts';
import type { Tile } from '../geo/index.ts';
import { isTile, MAX_ZOOM } from '../geo/index.ts';
import type { Sensor } from '../sensors/index.ts';
import { sensorByAbbreviation } from '../sensors/index.ts';
import { parseWhole } from './strict-number.ts';

/** What a render path names. */
export interface TilePath {
  readonly sensor: Sensor;
  readonly viewId: string;
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
  const segments = trimSlashes(rawPath).split('/').map(decodeSegment);
  const sensor = sensorByAbbreviation(segments[0] ?? '');
  if (sensor === null) throw notFound('unknown-scene', 'There is no such scene.');
  const nameEnd = 1 + sensor.sceneName.segments;
  const name = sensor.sceneName.parse(segments.slice(1, nameEnd));
  if (name === null) throw notFound('unknown-scene', 'There is no such scene.');
  if (segments.length < nameEnd + 4) {
    throw badInput('bad-path', 'A tile address ends in {bands}/{z}/{x}/{y}.');
  }
  const [z = '', x = '', y = ''] = segments.slice(-3);
  return {
    sensor,
    viewId: [sensor.abbreviation, ...name].join('/'),
    bands: segments.slice(nameEnd, -3).join('/'),
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
