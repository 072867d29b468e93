import type { AreaGeometry, Bounds, Grid, LonLat, Size, Tile } from '../../geo/index.ts';
import { areaBounds, gridBounds, MERCATOR_HALF_SIDE_M, tileGrid } from '../../geo/index.ts';
import { makeProjection, projectBounds } from '../../proj/index.ts';
import { badInput, unsupported } from '../errors.ts';

/** The ground a picture shows: a tile of the map, or a rectangle of some reference system. */
export type PictureGround =
  | { readonly kind: 'tile'; readonly tile: Tile }
  | { readonly kind: 'bounds'; readonly epsg: number; readonly bounds: Bounds };

/** Pixels of a picture (hardening, "Limits"): four million floats a band are what a thread has room for. */
export const MAX_SIDE_PX = 2_048;
/** The size of a tile. */
const DEFAULT_SIZE: Size = { width: 256, height: 256 };
/** The reference system of tiles. */
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

/** Where Web Mercator ends, in degrees: its square is as high as it is wide. */
const MERCATOR_LAT = 85.05112877980659;

/** The whole of an outline on the map; `sidePx` is its longer side. */
export function toWholeGrid(outline: AreaGeometry, sidePx: number): Grid {
  const { west, east, south, north } = areaBounds(outline);
  const clamp = (lat: number): number => Math.min(MERCATOR_LAT, Math.max(-MERCATOR_LAT, lat));
  const degrees = { minX: west, minY: clamp(south), maxX: east, maxY: clamp(north) };
  const { minX, minY, maxX, maxY } = projectBounds(degrees, 4326, 3857) ?? WORLD;
  const pixelM = Math.max(maxX - minX, maxY - minY, 1) / sidePx;
  const size: Size = {
    width: Math.max(1, Math.round((maxX - minX) / pixelM)),
    height: Math.max(1, Math.round((maxY - minY) / pixelM)),
  };
  return { epsg: 3857, transform: [minX, pixelM, 0, maxY, 0, -pixelM], ...size };
}

const HALF = MERCATOR_HALF_SIDE_M;
const WORLD = { minX: -HALF, minY: -HALF, maxX: HALF, maxY: HALF };

/** The map around a position, at a zoom level of tiles of 256 pixels. */
export function toViewGrid([lon, lat]: LonLat, zoom: number, sidePx: number): Grid {
  if (Math.abs(lat) > MERCATOR_LAT) {
    throw badInput('bad-position', `The map ends at ${MERCATOR_LAT.toFixed(2)} degrees of latitude.`);
  }
  const [x, y] = makeProjection(4326, 3857).forward(lon, lat);
  const pixelM = tileGrid({ z: zoom, x: 0, y: 0 }).transform[1];
  const transform = [x - (sidePx / 2) * pixelM, pixelM, 0, y + (sidePx / 2) * pixelM, 0, -pixelM] as const;
  return { epsg: 3857, transform, width: sidePx, height: sidePx };
}

/** Which grids a person is likely to look at after this one: its neighbours, and its four quarters at the next zoom. */
export function listNextGrids(grid: Grid): readonly Grid[] {
  const { width, height } = grid;
  const [x0, dx, rx, y0, ry, dy] = grid.transform;
  const shift = (columns: number, rows: number, scale = 1): Grid => ({
    ...grid,
    transform: [
      x0 + columns * dx + rows * rx,
      scale * dx,
      scale * rx,
      y0 + columns * ry + rows * dy,
      scale * ry,
      scale * dy,
    ],
  });
  const neighbours = [
    [width, 0],
    [-width, 0],
    [0, height],
    [0, -height],
  ] as const;
  const quarters = [
    [0, 0],
    [width / 2, 0],
    [0, height / 2],
    [width / 2, height / 2],
  ] as const;
  return [
    ...neighbours.map(([columns, rows]) => shift(columns, rows)),
    ...quarters.map(([columns, rows]) => shift(columns, rows, 0.5)),
  ];
}
