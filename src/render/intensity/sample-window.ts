import type { Asset } from '../../catalog/index.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import { SAMPLE_MIN_PIXELS, toSampleReduction } from '../../stats/index.ts';
import { imageBounds, intersectBounds } from '../image-bounds.ts';
import { toWindowGrid } from '../samples.ts';

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
    width: STEPS,
    height: STEPS,
  };
  // The grid of a sample lies as the plain transform says, so its window must, also in images that are bent in truth.
  const { lattice: _, ...even } = asset;
  const plan = planWarp({ target, source: even, method: 'average' });
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

/**
 * How many times smaller the smallest copy inside of a file is whose part of the window still makes a good sample: its
 * pixels are taken as they are, and no larger copy is read for little.
 */
const toCopyReduction = ({ width, height, overviews }: Asset, window: PixelWindow): number =>
  overviews
    .map((copy) => Math.max(width / copy.width, height / copy.height))
    .filter((reduction) => (window.width * window.height) / reduction ** 2 >= SAMPLE_MIN_PIXELS)
    .reduce((most, reduction) => Math.max(most, reduction), 1);

/** The grid of a sample: the window's own pixels, or, of a large one, as many as a good sample needs and `maxPixels` allows. */
export function toSampleGrid(asset: Asset, window: PixelWindow, maxPixels: number): Grid {
  const reduction = Math.max(
    toSampleReduction(window),
    toCopyReduction(asset, window),
    Math.sqrt((window.width * window.height) / maxPixels),
  );
  // Never a hair finer than the copy that is meant: else the next larger one would be read.
  const reduce = (length: number): number => Math.max(1, Math.floor(length / reduction + 1e-6));
  return toWindowGrid(asset, window, { width: reduce(window.width), height: reduce(window.height) });
}
