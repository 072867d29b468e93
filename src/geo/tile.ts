import type { Bounds, Grid } from './grid.ts';

/** A map tile of the XYZ scheme: y counts from the north. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The semi-major axis of WGS 84, which is also the radius of the sphere of Web Mercator. */
export const WGS84_RADIUS_M = 6_378_137;

/** Half the side of the Web Mercator square in metres: pi times that radius. */
export const MERCATOR_HALF_SIDE_M = 20037508.342789244;

/** Deepest zoom level served: 9 mm pixels, and tile numbers still fit 32-bit integers. */
export const MAX_ZOOM = 24;

/** True for a tile that exists: whole numbers, zoom 0 to 24, x and y below 2^z. */
export function isTile({ z, x, y }: Tile): boolean {
  if (!Number.isInteger(z) || z < 0 || z > MAX_ZOOM) return false;
  const side = 2 ** z;
  return Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < side && y < side;
}

/** Ground covered by a tile, in EPSG:3857 metres. */
export function tileBounds({ z, x, y }: Tile): Bounds {
  const side = tileSideM(z);
  return {
    minX: x * side - MERCATOR_HALF_SIDE_M,
    minY: MERCATOR_HALF_SIDE_M - (y + 1) * side,
    maxX: (x + 1) * side - MERCATOR_HALF_SIDE_M,
    maxY: MERCATOR_HALF_SIDE_M - y * side,
  };
}

/** The tile of zoom `z` that holds a point of EPSG:3857; points outside the square go to the nearest tile. */
export function tileAt(z: number, xM: number, yM: number): Tile {
  const side = tileSideM(z);
  const last = 2 ** z - 1;
  const clamp = (value: number): number => Math.min(last, Math.max(0, Math.floor(value)));
  return {
    z,
    x: clamp((xM + MERCATOR_HALF_SIDE_M) / side),
    y: clamp((MERCATOR_HALF_SIDE_M - yM) / side),
  };
}

/** The pixel grid of a tile drawn `sizePx` pixels wide and high (256 by default). */
export function tileGrid(tile: Tile, sizePx = 256): Grid {
  const { minX, maxY } = tileBounds(tile);
  // Not (maxX - minX) / size: the side is the constant times a power of two, free of rounding.
  const pixelM = tileSideM(tile.z) / sizePx;
  return { epsg: 3857, transform: [minX, pixelM, 0, maxY, 0, -pixelM], width: sizePx, height: sizePx };
}

const tileSideM = (z: number): number => (2 * MERCATOR_HALF_SIDE_M) / 2 ** z;
