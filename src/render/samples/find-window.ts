import type { Asset } from '../../catalog/index.ts';
import type { AreaOutline, Grid, LonLatBounds } from '../../geo/index.ts';
import { LON_LAT_GRID } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import { imageBounds, intersectBounds, outlineBounds } from './image-bounds.ts';

/** Steps across the bounds at which their position in an image is computed. */
const STEPS = 256;
/** Edges are straight in degrees and may bulge in the pixels of the scene, between their ends. */
const BULGE = 0.02;

/** All pixels of an image. */
export const wholeWindow = ({ width, height }: Asset): PixelWindow => ({ x: 0, y: 0, width, height });

/**
 * The pixels of a band inside the bounds, at full resolution, with a margin; null if there are none. Where a rectangle
 * cannot say it, the whole image: which pixels count is decided pixel by pixel in any case.
 */
export function findBoundsWindow(asset: Asset, bounds: LonLatBounds): PixelWindow | null {
  const { width, height } = asset;
  const image = imageBounds(asset);
  if (image === null) return wholeWindow(asset);
  // Steps across half of the world would skip over a scene.
  const common = intersectBounds(image, bounds);
  if (common === null) return null;
  const { west, south, east, north } = common;
  if (west === image.west && south === image.south && east === image.east && north === image.north)
    return wholeWindow(asset);
  const target: Grid = {
    epsg: 4326,
    transform: [west, (east - west) / STEPS, 0, north, 0, (south - north) / STEPS],
    width: STEPS,
    height: STEPS,
  };
  const plan = planWarp({ target, source: withoutLattice(asset), method: 'average' });
  if (plan === null) return null;
  const { window, levelSize } = plan;
  const [scaleX, scaleY] = [width / levelSize.width, height / levelSize.height];
  const [x, y] = [Math.floor(window.x * scaleX), Math.floor(window.y * scaleY)];
  return {
    x,
    y,
    width: Math.min(width, Math.ceil((window.x + window.width) * scaleX)) - x,
    height: Math.min(height, Math.ceil((window.y + window.height) * scaleY)) - y,
  };
}

/** The pixels of a band around an area, at full resolution, with a margin; null if there are none. */
export function findOutlineWindow(asset: Asset, outline: AreaOutline): PixelWindow | null {
  // Before thousands of positions are projected: the area may be elsewhere.
  const image = imageBounds(asset);
  if (image !== null && intersectBounds(image, outlineBounds(outline)) === null) return null;
  const { toSource } = makePixelMapping(LON_LAT_GRID, withoutLattice(asset));
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [col, row] = toSource(outline[i] as number, outline[i + 1] as number);
    if (Number.isNaN(col)) continue;
    [minX, maxX] = [Math.min(minX, col), Math.max(maxX, col)];
    [minY, maxY] = [Math.min(minY, row), Math.max(maxY, row)];
  }
  const margin = 1 + BULGE * Math.max(maxX - minX, maxY - minY);
  const [x, y] = [Math.max(0, Math.floor(minX - margin)), Math.max(0, Math.floor(minY - margin))];
  const width = Math.min(asset.width, Math.ceil(maxX + margin)) - x;
  const height = Math.min(asset.height, Math.ceil(maxY + margin)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** The grid of a sample follows the plain transform, so its window must too, also in images that a lattice georeferences. */
function withoutLattice(asset: Asset): Omit<Asset, 'lattice'> {
  const { lattice: _, ...even } = asset;
  return even;
}
