import type { Asset } from '../catalog/index.ts';
import { internal } from '../errors.ts';
import type { Grid, Size } from '../geo/index.ts';
import { moveOrigin, scaleAffine } from '../geo/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { PixelPlan } from './plan.ts';
import { estimatePlanes } from './render-limits.ts';

/** Additions for a sample, about a quarter of a second: dear expressions are measured on fewer pixels. */
export const SAMPLE_WORK = 2 ** 28;
/** More pixels on a side make no better percentiles or classes. */
export const SAMPLE_SIDE_PX = 1_024;
/** Pixels that all inputs together may read for a sample: a third of a thread's memory. */
export const SAMPLE_READ_PX = 16 * 2 ** 20;
/** What a thread has, less what is on its way in. */
export const SAMPLE_BYTES = 192 * 2 ** 20;

/** The band with the most pixels, on whose grid a sample is taken. */
export function finestOf(assets: readonly Asset[]): Asset {
  const [first, ...others] = assets;
  if (first === undefined) throw internal('no-inputs', 'An expression without bands has no sample.');
  return others.reduce(
    (finest, asset) => (asset.width * asset.height > finest.width * finest.height ? asset : finest),
    first,
  );
}

/** A window of a band as a grid of so many pixels. */
export function toWindowGrid(
  { epsg, proj, transform }: Pick<Asset, 'epsg' | 'proj' | 'transform'>,
  window: PixelWindow,
  size: Size,
): Grid {
  return {
    epsg,
    ...(proj === undefined ? {} : { proj }),
    transform: scaleAffine(moveOrigin(transform, window), window, size),
    width: size.width,
    height: size.height,
  };
}

/** The pixels of a sample of a window: its own, or, of a large one, no more than are of use and may be. */
export function toSampleSize({ width, height }: Size, mostPx: number): Size {
  const reduction = Math.max(1, Math.max(width, height) / Math.min(SAMPLE_SIDE_PX, Math.sqrt(mostPx)));
  return {
    width: Math.max(1, Math.round(width / reduction)),
    height: Math.max(1, Math.round(height / reduction)),
  };
}

/** The middle quarter of a window. */
export function toMiddle({ x, y, width, height }: PixelWindow): PixelWindow {
  const [half, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  return {
    x: x + Math.floor((width - half) / 2),
    y: y + Math.floor((height - halfHeight) / 2),
    width: half,
    height: halfHeight,
  };
}

/** Whether a thread can take a sample; files without smaller copies have to be read in full. */
export function isAffordable(sample: PixelPlan, beside = { bytes: 0, readPx: 0 }): boolean {
  const readPx = sample.inputs.reduce(
    (sum, { warp }) => sum + (warp === null ? 0 : warp.window.width * warp.window.height),
    beside.readPx,
  );
  return estimatePlanes(sample) + beside.bytes <= SAMPLE_BYTES && readPx <= SAMPLE_READ_PX;
}
