import type { Asset } from '../../catalog/index.ts';
import type { AreaOutline, Grid, LonLatBounds } from '../../geo/index.ts';
import { LON_LAT_GRID } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';

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

/** Points along each side of an image that are projected; between them a side bulges by far less than one part. */
const PARTS = 16;

/** Towards the poles a rectangle in degrees says little of where an image is. */
const MAX_LAT = 85;

/**
 * The rectangle in degrees that holds an image, with some more around; across the antimeridian it goes on beyond ±180. Null
 * near the poles, and where a point of the image cannot be projected.
 */
export function imageBounds(image: GeoreferencedGrid): LonLatBounds | null {
  const { width, height } = image;
  const { toTarget } = makePixelMapping(LON_LAT_GRID, image);
  const lons: number[] = [];
  const lats: number[] = [];
  for (let i = 0; i <= PARTS; i += 1) {
    const [x, y] = [(width * i) / PARTS, (height * i) / PARTS];
    for (const [col, row] of [
      [x, 0],
      [x, height],
      [0, y],
      [width, y],
    ] as const) {
      const [lon, lat] = toTarget(col, row);
      const first = lons[0] ?? lon;
      // The short way round from the first point: images are smaller than half of the Earth.
      lons.push(lon + 360 * Math.round((first - lon) / 360));
      lats.push(lat);
    }
  }
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  // Not a number anywhere makes all of these false.
  if (!(east - west < 180 && south > -MAX_LAT && north < MAX_LAT)) return null;
  const [spareLon, spareLat] = [(east - west) / PARTS, (north - south) / PARTS];
  return {
    west: west - spareLon,
    south: south - spareLat,
    east: east + spareLon,
    north: north + spareLat,
  };
}

/** What two rectangles have in common, counted as the first does; null when nothing. Turns around the Earth do not matter. */
export function intersectBounds(one: LonLatBounds, other: LonLatBounds): LonLatBounds | null {
  const [south, north] = [Math.max(one.south, other.south), Math.min(one.north, other.north)];
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const turn of [-360, 0, 360]) {
    const [left, right] = [Math.max(one.west, other.west + turn), Math.min(one.east, other.east + turn)];
    if (left < right) [west, east] = [Math.min(west, left), Math.max(east, right)];
  }
  return west < east && south < north ? { west, south, east, north } : null;
}

/** The rectangle that holds an outline. */
export function outlineBounds(outline: AreaOutline): LonLatBounds {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [lon, lat] = [outline[i] as number, outline[i + 1] as number];
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return { west, south, east, north };
}
