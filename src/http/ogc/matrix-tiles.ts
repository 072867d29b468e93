/** Tiles of a tile matrix set: their ground, and those that a layer has. */

import type { Bounds, Size } from '../../geo/index.ts';
import { projectBounds } from '../../proj/index.ts';
import type { PictureGround } from '../../render/index.ts';
import { badInput, notFound } from '../errors.ts';
import { parseWhole } from '../kit/parameters.ts';
import type { Layer } from './layers.ts';
import type { TileMatrix, TileMatrixSet } from './tile-matrix-sets.ts';
import { TILE_PX, toMapZoom, toZoneOf, webMercatorQuad } from './tile-matrix-sets.ts';

/** Columns and rows of the tiles that some ground touches, both ends included. */
interface TileLimits {
  /** The identifier of the matrix. */
  readonly matrix: string;
  readonly minColumn: number;
  readonly maxColumn: number;
  readonly minRow: number;
  readonly maxRow: number;
}

/** The tiles of a layer at each zoom level that is worth drawing. */
export function listLimits(
  set: TileMatrixSet,
  { bounds, minzoom, maxzoom }: Pick<Layer, 'bounds' | 'minzoom' | 'maxzoom'>,
): readonly TileLimits[] {
  const degrees = toDegrees(bounds, set);
  const projected = projectBounds(degrees, 4326, set.epsg);
  const zooms = set.matrices.map((matrix) => toMapZoom(matrix, set));
  const fitting = set.matrices.filter((_, i) => (zooms[i] ?? 0) >= minzoom && (zooms[i] ?? 0) <= maxzoom);
  // A set whose levels are all coarser or all finer than the layer is drawn at the nearest one.
  const nearest = (zooms[0] ?? 0) > maxzoom ? set.matrices.slice(0, 1) : set.matrices.slice(-1);
  return (fitting.length === 0 ? nearest : fitting).map((matrix) => toLimits(matrix, projected));
}

/** The ground of a layer that a set has; what lies across the antimeridian is on both sides of the map. */
function toDegrees({ west, south, east, north }: Layer['bounds'], set: TileMatrixSet): Bounds {
  const zone = toZoneOf(set);
  if (zone === null)
    return { minX: east > 180 ? -180 : west, minY: south, maxX: Math.min(180, east), maxY: north };
  const turn = zone.east <= west ? 360 : 0;
  const minX = Math.max(zone.west, west - turn);
  const maxX = Math.min(zone.east, east - turn);
  return { minX, minY: south, maxX: Math.max(minX, maxX), maxY: north };
}

/** Ground that a reference system does not know could be anywhere in it. */
function toLimits(matrix: TileMatrix, ground: Bounds | null): TileLimits {
  const { id, cellSize, origin, columns, rows, tileWidth, tileHeight } = matrix;
  const [x0, y0] = origin;
  const [width, height] = [cellSize * tileWidth, cellSize * tileHeight];
  const clamp = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));
  if (ground === null)
    return { matrix: id, minColumn: 0, maxColumn: columns - 1, minRow: 0, maxRow: rows - 1 };
  const { minX, minY, maxX, maxY } = ground;
  return {
    matrix: id,
    minColumn: clamp(Math.floor((minX - x0) / width), columns),
    maxColumn: clamp(Math.ceil((maxX - x0) / width) - 1, columns),
    minRow: clamp(Math.floor((y0 - maxY) / height), rows),
    maxRow: clamp(Math.ceil((y0 - minY) / height) - 1, rows),
  };
}

/** Where a tile is, as strings of a request. */
export interface TileTexts {
  readonly matrix: string;
  readonly row: string;
  readonly column: string;
}

/** The ground of a tile, the reference system of its picture (null for that of map tiles), and its size. */
interface TileGround {
  readonly ground: PictureGround;
  readonly epsg: number | null;
  readonly size: Size;
}

/** Reads the position of a tile. */
export function readTile(set: TileMatrixSet, texts: TileTexts): TileGround {
  // GeoServer's clients write the set before the zoom.
  const id = texts.matrix.replace(`${set.id}:`, '');
  const matrix = set.matrices.find((one) => one.id === id);
  if (matrix === undefined) {
    const [first, last] = [set.matrices[0]?.id, set.matrices.at(-1)?.id];
    throw notFound('no-such-tile', `There is no such tile matrix: ${set.id} has ${first} to ${last}.`);
  }
  const { columns, rows, cellSize, tileWidth, tileHeight, origin } = matrix;
  const [column, row] = [parseWhole(texts.column), parseWhole(texts.row)];
  if (column === null || row === null) {
    throw badInput('bad-tile', 'The row and the column of a tile are whole numbers from 0.');
  }
  if (column >= columns || row >= rows) {
    throw notFound(
      'no-such-tile',
      `There is no such tile: columns of this matrix run from 0 to ${columns - 1}, rows from 0 to ${rows - 1}.`,
    );
  }
  const size = { width: tileWidth, height: tileHeight };
  if (set === webMercatorQuad)
    return { ground: { kind: 'tile', tile: { z: Number(id), x: column, y: row } }, epsg: null, size };
  const [width, height] = [cellSize * tileWidth, cellSize * tileHeight];
  const [minX, maxY] = [origin[0] + column * width, origin[1] - row * height];
  const bounds = { minX, maxY, maxX: minX + width, minY: maxY - height };
  return { ground: { kind: 'bounds', epsg: set.epsg, bounds }, epsg: set.epsg, size };
}

/** The size of a picture: null for that of a map tile. */
export function toTileSize({ width, height }: Size, isDouble: boolean): Size | null {
  const factor = isDouble ? 2 : 1;
  return factor === 1 && width === TILE_PX && height === TILE_PX
    ? null
    : { width: factor * width, height: factor * height };
}
