import { badInput, unsupported } from '../../errors.ts';
import type { Bounds, Grid, Size, Tile } from '../../geo/index.ts';
import { gridBounds, MERCATOR_HALF_SIDE_M, tileGrid } from '../../geo/index.ts';
import { projectBounds } from '../../proj/index.ts';

/** The ground a picture shows: a tile of the map, or a rectangle of some reference system. */
export type PictureGround =
  | { readonly kind: 'tile'; readonly tile: Tile }
  | { readonly kind: 'bounds'; readonly epsg: number; readonly bounds: Bounds };

/** Pixels of a picture (hardening, "Limits"): four million floats a band are what a thread has room for. */
export const MAX_SIDE_PX = 2_048;
/** Pictures are as large as tiles unless told otherwise. */
const DEFAULT_SIZE: Size = { width: 256, height: 256 };
/** As tiles. */
const DEFAULT_EPSG = 3857;

interface GridOptions {
  /** Null: 256 × 256. */
  readonly size: Size | null;
  /** The reference system of the picture, by its code; null: Web Mercator. */
  readonly epsg: number | null;
}

/** The pixels of a picture: its ground in the reference system asked for, or the upright rectangle around it. */
export function toPictureGrid(ground: PictureGround, { size, epsg }: GridOptions): Grid {
  const { width, height } = size ?? DEFAULT_SIZE;
  if (Math.max(width, height) > MAX_SIDE_PX || Math.min(width, height) < 1) {
    throw unsupported(
      'picture-size',
      `A picture has 1 to ${MAX_SIDE_PX} pixels a side; ${width} × ${height} are asked for.`,
    );
  }
  const target = epsg ?? DEFAULT_EPSG;
  // The same arithmetic as ever for plain tiles: a tile of 512 pixels is four of the next zoom level.
  if (ground.kind === 'tile' && target === 3857 && width === height) return tileGrid(ground.tile, width);
  const asked = ground.kind === 'tile' ? { epsg: 3857, bounds: gridBounds(tileGrid(ground.tile)) } : ground;
  const bounds = projectBounds(asked.bounds, asked.epsg, target);
  if (bounds === null) {
    throw badInput(
      'bad-bounds',
      `The bounds reach where EPSG:${target}, the reference system of the picture, is not defined.`,
    );
  }
  const toPixel = target === 3857 ? toTilePixel : (pixel: number): number => pixel;
  const pixelWidth = toPixel((bounds.maxX - bounds.minX) / width, width);
  const pixelHeight = toPixel((bounds.maxY - bounds.minY) / height, height);
  return {
    epsg: target,
    transform: [bounds.minX, pixelWidth, 0, bounds.maxY, 0, -pixelHeight],
    width,
    height,
  };
}

/** What the difference of two bounds on the map is good for, in metres: numbers as far from its middle have steps of 4e-9. */
const BOUNDS_ERROR_M = 2e-8;

/**
 * A pixel of a zoom level, when bounds say nothing else as far as their digits go: then an image of a block of tiles has
 * their very pixels.
 */
function toTilePixel(pixelM: number, count: number): number {
  const worldM = 2 * MERCATOR_HALF_SIDE_M;
  const tileM = worldM / 2 ** Math.round(Math.log2(worldM / pixelM));
  return Math.abs(tileM - pixelM) * count <= BOUNDS_ERROR_M ? tileM : pixelM;
}
