import type { LevelWindow } from '../blocks/index.ts';
import type { Asset } from '../catalog/index.ts';
import { internal } from '../errors.ts';
import type { Grid } from '../geo/index.ts';
import { scaleAffine } from '../geo/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import { planSampleSharpen } from './pansharpening/index.ts';
import type { PixelPlan } from './plan.ts';
import { findInputAsset, makePlanRead, toSampleInputs } from './plan-inputs.ts';
import { estimatePlanes, workPerPixel } from './render-limits.ts';
import {
  finestOf,
  SAMPLE_BYTES,
  SAMPLE_READ_PX,
  SAMPLE_WORK,
  toSampleSize,
  toWindowGrid,
} from './samples.ts';

/** Plans the whole scene on a coarse grid of its finest band, for what all channels of a picture are measured by together. */
export function planSample(pixels: PixelPlan, scene: ComparedScene): PixelPlan {
  let readPx = SAMPLE_READ_PX / pixels.inputs.length;
  let sample = planSampleOf(pixels, scene, readPx);
  // One band may lack the smaller copies that the finest has, and be read in full: then a smaller middle must do.
  while (estimatePlanes(sample) > SAMPLE_BYTES && readPx > 1) {
    readPx /= 4;
    sample = planSampleOf(pixels, scene, readPx);
  }
  return sample;
}

function planSampleOf(
  { viewId, sceneVersion, inputs, tree, sharpen }: PixelPlan,
  scene: ComparedScene,
  readPx: number,
): PixelPlan {
  const assets = inputs.map((input) => findInputAsset(scene, input));
  const gridPx = Math.floor(SAMPLE_WORK / workPerPixel(tree));
  const grid = toSampleGrid(finestOf(assets), { readPx, gridPx });
  const planRead = makePlanRead(grid);
  return {
    viewId,
    sceneVersion,
    grid,
    tree,
    inputs: toSampleInputs(inputs, scene, planRead),
    ...planSampleSharpen(sharpen, scene, planRead),
  };
}

/** The reduced copy that is good enough, or what lies in its middle, with no more pixels than needed. */
function toSampleGrid(asset: Asset, most: { readonly readPx: number; readonly gridPx: number }): Grid {
  const { level, window } = planReducedRead(asset, Math.max(1, Math.floor(Math.sqrt(most.readPx))));
  const levelSize = level === 0 ? asset : asset.overviews[level - 1];
  if (levelSize === undefined) throw internal('no-such-level', 'A level of a file is not in its list.');
  const atLevel = { ...asset, transform: scaleAffine(asset.transform, asset, levelSize) };
  return toWindowGrid(atLevel, window, toSampleSize(window, most.gridPx));
}

/** Enough pixels for stable percentiles, few enough to be read in milliseconds. */
const ENOUGH_PIXELS = 512 * 512;

/**
 * The coarsest copy of a band that still has enough pixels, whole or, where that is too large, its middle: all of a
 * radar scene, which comes without smaller copies, would take gigabytes.
 */
function planReducedRead(asset: Asset, sidePx: number): LevelWindow {
  const levels = [{ width: asset.width, height: asset.height }, ...asset.overviews];
  const level = Math.max(
    0,
    levels.findLastIndex(({ width, height }) => width * height >= ENOUGH_PIXELS),
  );
  const { width, height } = levels[level] as { width: number; height: number };
  const [x, columns] = middleOf(width, sidePx);
  const [y, rows] = middleOf(height, sidePx);
  return { level, window: { x, y, width: columns, height: rows } };
}

function middleOf(length: number, sidePx: number): [first: number, count: number] {
  const count = Math.min(length, sidePx);
  return [Math.floor((length - count) / 2), count];
}
