import type { Asset } from '../../catalog/index.ts';
import type { Grid, Size } from '../../geo/index.ts';
import { moveOrigin, scaleAffine } from '../../geo/index.ts';
import { SAMPLE_MIN_PIXELS, toSampleReduction } from '../../numbers/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import { internal } from '../errors.ts';

/** The band with the most pixels: a sample is taken on its grid. */
export function finestOf(assets: readonly Asset[]): Asset {
  const [first, ...others] = assets;
  if (first === undefined) throw internal('no-inputs', 'An expression without bands has no sample.');
  return others.reduce(
    (finest, asset) => (asset.width * asset.height > finest.width * finest.height ? asset : finest),
    first,
  );
}

/** A window of a band as a grid of `size` pixels. */
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

/** Decides on how many pixels a window of a band is sampled. */
export type ToGrid = (asset: Asset, window: PixelWindow) => Grid;

/** Grids of at most `maxPx` pixels and `maxSidePx` a side: the window's own pixels if those are fewer. */
export const makeToBoundedGrid =
  (maxPx: number, maxSidePx: number): ToGrid =>
  (asset, window) =>
    toWindowGrid(asset, window, toBoundedSize(window, maxPx, maxSidePx));

function toBoundedSize({ width, height }: Size, maxPx: number, maxSidePx: number): Size {
  const reduction = Math.max(1, Math.max(width, height) / Math.min(maxSidePx, Math.sqrt(maxPx)));
  return {
    width: Math.max(1, Math.round(width / reduction)),
    height: Math.max(1, Math.round(height / reduction)),
  };
}

/** Grids of a statistical sample: the window's own pixels, or as many as stable percentiles need and `maxPx` allows. */
export const makeToSampleGrid =
  (maxPx: number): ToGrid =>
  (asset, window) => {
    const reduction = Math.max(
      toSampleReduction(window),
      toOverviewReduction(asset, window),
      Math.sqrt((window.width * window.height) / maxPx),
    );
    // Rounded so that the grid is never finer than the intended overview: the next larger one would be read.
    const reduce = (length: number): number => Math.max(1, Math.floor(length / reduction + 1e-6));
    return toWindowGrid(asset, window, { width: reduce(window.width), height: reduce(window.height) });
  };

/** The reduction of the smallest overview whose part of the window still makes a good sample; its pixels are taken as they are. */
const toOverviewReduction = ({ width, height, overviews }: Asset, window: PixelWindow): number =>
  overviews
    .map((overview) => Math.max(width / overview.width, height / overview.height))
    .filter((reduction) => (window.width * window.height) / reduction ** 2 >= SAMPLE_MIN_PIXELS)
    .reduce((most, reduction) => Math.max(most, reduction), 1);

/** The grid of a window, then of its middle quarter, and so on down to one pixel: for files too large to be read in full. */
export function* middleGrids(asset: Asset, window: PixelWindow, toGrid: ToGrid): Generator<Grid> {
  let part = window;
  yield toGrid(asset, part);
  while (part.width * part.height > 1) {
    part = toMiddle(part);
    yield toGrid(asset, part);
  }
}

function toMiddle({ x, y, width, height }: PixelWindow): PixelWindow {
  const [half, halfHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  return {
    x: x + Math.floor((width - half) / 2),
    y: y + Math.floor((height - halfHeight) / 2),
    width: half,
    height: halfHeight,
  };
}

/** Enough pixels for stable percentiles, few enough to be read in milliseconds. */
const ENOUGH_PX = 512 * 512;

/**
 * Grids over a whole image: its coarsest level with enough pixels, or, where that is too large, the middle of it, smaller
 * from one grid to the next. A radar scene comes without overviews and would take gigabytes.
 */
export function* overviewGrids(asset: Asset, maxReadPx: number, toGrid: ToGrid): Generator<Grid> {
  const levels = [{ width: asset.width, height: asset.height }, ...asset.overviews];
  const level = levels.findLast(({ width, height }) => width * height >= ENOUGH_PX) ?? levels[0]!;
  const atLevel = { ...asset, transform: scaleAffine(asset.transform, asset, level) };
  for (let readPx = maxReadPx; ; readPx /= 4) {
    const sidePx = Math.max(1, Math.floor(Math.sqrt(readPx)));
    const [x, width] = middleOf(level.width, sidePx);
    const [y, height] = middleOf(level.height, sidePx);
    yield toGrid(atLevel, { x, y, width, height });
    if (readPx <= 1) return;
  }
}

function middleOf(length: number, sidePx: number): [first: number, count: number] {
  const count = Math.min(length, sidePx);
  return [Math.floor((length - count) / 2), count];
}
