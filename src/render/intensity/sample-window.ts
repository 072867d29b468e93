import type { Asset } from '../../catalog/index.ts';
import type { AreaOutline, Grid, LonLatBounds } from '../../geo/index.ts';
import { applyAffine, scaleAffine } from '../../geo/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import { toSampleReduction } from '../../stats/index.ts';
import { imageBounds, intersectBounds } from './image-bounds.ts';

/** Steps across the bounds at which it is looked up where in an image they lie. */
const STEPS = 256;

/**
 * The pixels of a band that lie in the bounds, at full resolution, with some around; null when there are none. Where a
 * rectangle cannot say it, all pixels: what counts is decided pixel by pixel in any case.
 */
export function findWindow(asset: Asset, bounds: LonLatBounds | null): PixelWindow | null {
  const { width, height } = asset;
  const whole: PixelWindow = { x: 0, y: 0, width, height };
  const around = bounds === null ? null : imageBounds(asset);
  if (bounds === null || around === null) return whole;
  // Steps across half of the world would pass over a scene.
  const common = intersectBounds(around, bounds);
  if (common === null) return null;
  const { west, south, east, north } = common;
  if (west === around.west && south === around.south && east === around.east && north === around.north)
    return whole;
  const target: Grid = {
    epsg: 4326,
    transform: [west, (east - west) / STEPS, 0, north, 0, (south - north) / STEPS],
    ...{ width: STEPS, height: STEPS },
  };
  const plan = planWarp({ target, source: asset, method: 'average' });
  if (plan === null) return null;
  const { window, levelSize } = plan;
  const [scaleX, scaleY] = [width / levelSize.width, height / levelSize.height];
  const [x, y] = [Math.floor(window.x * scaleX), Math.floor(window.y * scaleY)];
  return {
    ...{ x, y },
    width: Math.min(width, Math.ceil((window.x + window.width) * scaleX)) - x,
    height: Math.min(height, Math.ceil((window.y + window.height) * scaleY)) - y,
  };
}

/** The middle quarter of a window. */
export function toMiddle({ x, y, width, height }: PixelWindow): PixelWindow {
  const [half, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  return {
    x: x + Math.floor((width - half) / 2),
    y: y + Math.floor((height - halfHeight) / 2),
    ...{ width: half, height: halfHeight },
  };
}

/** The grid of a sample: the window's own pixels, or, of a large one, as many as a good sample needs and `maxPixels` allows. */
export function toSampleGrid(asset: Asset, window: PixelWindow, maxPixels: number): Grid {
  const { epsg, proj, transform } = asset;
  const [originX, originY] = applyAffine(transform, window.x, window.y);
  const reduction = Math.max(
    toSampleReduction(window),
    Math.sqrt((window.width * window.height) / maxPixels),
  );
  const size = {
    width: Math.max(1, Math.round(window.width / reduction)),
    height: Math.max(1, Math.round(window.height / reduction)),
  };
  const shown = [originX, transform[1], transform[2], originY, transform[4], transform[5]] as const;
  return {
    epsg,
    ...(proj === undefined ? {} : { proj }),
    transform: scaleAffine(shown, window, size),
    ...size,
  };
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
