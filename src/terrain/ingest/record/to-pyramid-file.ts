import type { Affine, LonLatBounds, Tile } from '../../../geo/index.ts';
import { MERCATOR_HALF_SIDE_M } from '../../../geo/index.ts';
import { makeProjection } from '../../../proj/index.ts';
import type { DemFile } from '../../dems/dem.ts';
import { toDemFileId } from '../../dems/dem-file-id.ts';
import { toPixelSizeM } from './pixel-size.ts';

/** Zoom levels that a pyramid has, without gaps. */
export interface ZoomRange {
  readonly min: number;
  readonly max: number;
}

/** What is known of a pyramid of tiles. */
export interface Pyramid {
  /** A template with {z}, {x} and {y}. */
  readonly href: string;
  readonly tileSizePx: 256 | 512;
  readonly zooms: ZoomRange;
  readonly bounds: LonLatBounds;
}

/** The record of a pyramid: one image of the whole Mercator square, of which only some tiles may exist. */
export function toPyramidFile(dem: string, { href, tileSizePx, zooms, bounds }: Pyramid): DemFile {
  const side = tileSizePx * 2 ** zooms.max;
  const pixelM = (2 * MERCATOR_HALF_SIDE_M) / side;
  const transform: Affine = [-MERCATOR_HALF_SIDE_M, pixelM, 0, MERCATOR_HALF_SIDE_M, 0, -pixelM];
  const levels = Array.from({ length: zooms.max - zooms.min }, (_, i) => side / 2 ** (i + 1));
  return {
    id: toDemFileId({ dem, overview: 0, href }),
    dem,
    overview: 0,
    format: 'terrarium',
    href,
    bandIndex: 0,
    epsg: 3857,
    transform,
    width: side,
    height: side,
    levels: levels.map((size) => ({ width: size, height: size })),
    nodata: null,
    scale: 1,
    offset: 0,
    // Steps of 1/256 m are finer than any model is right.
    stepM: 0,
    resolutionM: toPixelSizeM({ crs: 3857, ...toMiddlePixel(bounds, pixelM) }),
    bounds,
    pyramid: { minZoom: zooms.min, maxZoom: zooms.max, tilePx: tileSizePx },
    stamps: [],
  };
}

/** The pixel in the middle of the bounds, as an image of its own. */
function toMiddlePixel({ west, south, east, north }: LonLatBounds, pixelM: number) {
  const [x, y] = makeProjection(4326, 3857).forward((west + east) / 2, (south + north) / 2);
  const transform: Affine = [x - pixelM / 2, pixelM, 0, y + pixelM / 2, 0, -pixelM];
  return { transform, width: 1, height: 1 };
}

/** Bounds of a block of tiles of one zoom, from the upper left to the lower right one. */
export function toTileBounds(upperLeft: Tile, lowerRight: Tile): LonLatBounds {
  const { forward } = makeProjection(3857, 4326);
  const tileM = (2 * MERCATOR_HALF_SIDE_M) / 2 ** upperLeft.z;
  const toLat = (row: number): number => forward(0, MERCATOR_HALF_SIDE_M - row * tileM)[1];
  const toLon = (column: number): number => (360 * column) / 2 ** upperLeft.z - 180;
  return {
    west: toLon(upperLeft.x),
    south: toLat(lowerRight.y + 1),
    east: toLon(lowerRight.x + 1),
    north: toLat(upperLeft.y),
  };
}
