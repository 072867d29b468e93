/** Blocks of pixels in longitude and latitude: the positions of their pixels, and the edges of an area that come near them. */

import type { AreaOutline, LonLatBounds } from '../geo/index.ts';
import type { Position } from '../proj/index.ts';

/** A square of pixels. */
export interface Square {
  readonly col: number;
  readonly row: number;
  readonly size: number;
}

/** `first + v * down + u * (across + v * twist)`, u and v in pixels from the corner. */
interface Plane {
  readonly first: number;
  readonly across: number;
  readonly down: number;
  readonly twist: number;
}

/** A square whose positions in longitude and latitude are interpolated between its corners. */
export interface EvenPatch extends Square {
  readonly lon: Plane;
  readonly lat: Plane;
}

/** A square without interpolation: its positions are computed one by one. */
export interface UnevenPatch extends Square {
  readonly lon: null;
}

/** Allowed error in pixels; a tenth of what a mask needs. */
const MAX_ERROR_PX = 0.01;
/** Squares that are still uneven at this size (at the poles) are computed pixel by pixel. */
const MIN_PX = 8;

/** Remembers the positions of whole pixels, up to a thousand before the first: squares share their corners. */
export function rememberPositions(
  toLonLat: (col: number, row: number) => Position,
): (col: number, row: number) => Position {
  const known = new Map<number, Position>();
  return (col, row) => {
    // Rows are spaced far enough apart for a million columns.
    const key = (row + 1024) * 2 ** 22 + col + 1024;
    const found = known.get(key);
    if (found !== undefined) return found;
    const position = toLonLat(col, row);
    known.set(key, position);
    return position;
  };
}

/**
 * Patches for a square of pixels: one, with positions interpolated between its corners, or its quarters where that is
 * wrong in the middle. Each depends only on its own position, whatever it is part of. Positions outside the globe are
 * NaN, which is in no area.
 */
export function makeLonLatPatches(
  ask: (col: number, row: number) => Position,
): (col: number, row: number, size: number) => readonly (EvenPatch | UnevenPatch)[] {
  const read = (col: number, row: number, size: number): readonly (EvenPatch | UnevenPatch)[] => {
    const half = size / 2;
    const even = makeEven(
      { col, row, size },
      [ask(col, row), ask(col + size, row), ask(col, row + size), ask(col + size, row + size)],
      ask(col + half, row + half),
    );
    if (even !== null) return [even];
    if (size <= MIN_PX) return [{ col, row, size, lon: null }];
    return [
      ...read(col, row, half),
      ...read(col + half, row, half),
      ...read(col, row + half, half),
      ...read(col + half, row + half, half),
    ];
  };
  return read;
}

/** The patch between four corners; null when it is wrong in the middle, or close to the antimeridian. */
function makeEven(
  { col, row, size }: Square,
  [first, right, below, last]: readonly [Position, Position, Position, Position],
  middle: Position,
): EvenPatch | null {
  const lonAcross = right[0] - first[0];
  const lonDown = below[0] - first[0];
  const lonTwist = last[0] - right[0] - lonDown;
  const latAcross = right[1] - first[1];
  const latDown = below[1] - first[1];
  const latTwist = last[1] - right[1] - latDown;
  const [maxLon, maxLat] = [Math.abs(lonAcross) + Math.abs(lonDown), Math.abs(latAcross) + Math.abs(latDown)];
  const offLon = middle[0] - first[0] - (lonAcross + lonDown + lonTwist / 2) / 2;
  const offLat = middle[1] - first[1] - (latAcross + latDown + latTwist / 2) / 2;
  const isRight =
    Math.abs(offLon) <= (MAX_ERROR_PX / size) * maxLon && Math.abs(offLat) <= (MAX_ERROR_PX / size) * maxLat;
  // Written this way round, NaN is never right.
  if (!(isRight && Math.abs(first[0]) + 2 * maxLon < 180)) return null;
  return {
    col,
    row,
    size,
    lon: { first: first[0], across: lonAcross / size, down: lonDown / size, twist: lonTwist / size ** 2 },
    lat: { first: first[1], across: latAcross / size, down: latDown / size, twist: latTwist / size ** 2 },
  };
}

/** The position of a pixel. */
export function evaluatePatch({ col, row, lon, lat }: EvenPatch, atCol: number, atRow: number): Position {
  const [u, v] = [atCol - col, atRow - row];
  return [
    lon.first + v * lon.down + u * (lon.across + v * lon.twist),
    lat.first + v * lat.down + u * (lat.across + v * lat.twist),
  ];
}

/** The edges (of all, or of some) whose box meets this one, by where they begin in the outline. */
export function edgesNear(outline: AreaOutline, some: readonly number[] | null, box: LonLatBounds): number[] {
  const near: number[] = [];
  const count = some === null ? outline.length / 4 : some.length;
  for (let i = 0; i < count; i++) {
    const at = some === null ? i * 4 : some[i]!;
    const lon = outline[at]!;
    const otherLon = outline[at + 2]!;
    if (outline[at + 1]! > box.north || outline[at + 3]! < box.south) continue;
    if ((lon > box.east && otherLon > box.east) || (lon < box.west && otherLon < box.west)) continue;
    near.push(at);
  }
  return near;
}

/** Where an edge crosses a parallel. */
export const lonAt = (outline: AreaOutline, at: number, lat: number): number =>
  outline[at]! +
  (lat - outline[at + 1]!) * ((outline[at + 2]! - outline[at]!) / (outline[at + 3]! - outline[at + 1]!));
