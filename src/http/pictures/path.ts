import type { SceneName } from '../../catalog/index.ts';
import { badInput, notFound } from '../../errors.ts';
import type { Tile } from '../../geo/index.ts';
import { isTile, MAX_ZOOM } from '../../geo/index.ts';
import type { PictureGround } from '../../render/index.ts';
import { decodeSegments } from '../request/render-path.ts';
import { takeScene } from '../request/scene-path.ts';
import { parseWhole } from '../request/strict-number.ts';
import type { RowText } from '../request/tile-numbers.ts';
import { parseTileNumbers, splitRow } from '../request/tile-numbers.ts';
import { areBounds, parseBounds } from './bounds.ts';

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
