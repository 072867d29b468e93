import { notFound } from '../../errors.ts';
import type { Grid, Tile } from '../../geo/index.ts';
import { isTile, tileGrid } from '../../geo/index.ts';
import type { EndingFormat } from '../request/tile-numbers.ts';
import { parseTileNumbers, splitRow } from '../request/tile-numbers.ts';

/** Zoom levels of terrain. */
export const MIN_TERRAIN_ZOOM = 1;
export const MAX_TERRAIN_ZOOM = 16;

const TILE_PX = 256;

/** A tile of terrain, and its pixels: 512 a side when its row ends in `@2x`. */
export interface TerrainTilePath {
  readonly tile: Tile;
  readonly grid: Grid;
  /** The format that its row ends in; null without. */
  readonly format: EndingFormat | null;
}

/** Parses `{z}/{x}/{y}` with or without `@2x` and a format. */
export function parseTilePath(params: Readonly<Record<string, string>>): TerrainTilePath {
  const { z = '', x = '', y: row = '' } = params;
  const { y, isDouble, format } = splitRow(row);
  const tile = parseTileNumbers(z, x, y);
  if (!isServed(tile)) {
    throw notFound(
      'no-such-tile',
      `There is no such tile: z runs from ${MIN_TERRAIN_ZOOM} to ${MAX_TERRAIN_ZOOM}, x and y from 0 to 2^z - 1; y may end in @2x, and in a format such as .png.`,
    );
  }
  return { tile, format, grid: tileGrid(tile, isDouble ? 2 * TILE_PX : TILE_PX) };
}

const isServed = (tile: Tile): boolean =>
  isTile(tile) && tile.z >= MIN_TERRAIN_ZOOM && tile.z <= MAX_TERRAIN_ZOOM;
