import type { Asset } from '../catalog/index.ts';
import { internal } from '../errors.ts';
import type { Grid } from '../geo/index.ts';
import { scaleAffine } from '../geo/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import { planSampleSharpen } from './pansharpening/index.ts';
import type { PixelPlan } from './plan.ts';
import { findAsset, makePlanRead } from './plan-inputs.ts';
import { planContrastRead } from './plan-stretch.ts';
import { estimatePlanes, workPerPixel } from './render-limits.ts';
import {
  finestOf,
  SAMPLE_BYTES,
  SAMPLE_READ_PX,
  SAMPLE_WORK,
  toSampleSize,
  toWindowGrid,
} from './samples.ts';

/** Plans the whole scene on a coarse grid of its finest band, for the contrast of what a picture computes. */
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
  const assets = inputs.map(({ band, of }) =>
    findAsset(of === undefined ? scene : (scene.earlier ?? scene), band),
  );
  const gridPx = Math.floor(SAMPLE_WORK / workPerPixel(tree));
  const grid = toSampleGrid(finestOf(assets), { readPx, gridPx });
  const planRead = makePlanRead(grid);
  return {
    viewId,
    sceneVersion,
    grid,
    tree,
    // Nearest neighbours of a reduced copy: what is measured are values that occur, and classes stay classes.
    inputs: inputs.map((input, i) => ({
      ...input,
      warp: input.isAbsent ? null : planRead(assets[i] as Asset, 'near'),
    })),
    ...planSampleSharpen(sharpen, scene, planRead),
  };
}

/** The reduced copy that a band's own contrast is found on, or what lies in its middle, with no more pixels than needed. */
function toSampleGrid(asset: Asset, most: { readonly readPx: number; readonly gridPx: number }): Grid {
  const { level, window } = planContrastRead(asset, Math.max(1, Math.floor(Math.sqrt(most.readPx))));
  const levelSize = level === 0 ? asset : asset.overviews[level - 1];
  if (levelSize === undefined) throw internal('no-such-level', 'A level of a file is not in its list.');
  const atLevel = { ...asset, transform: scaleAffine(asset.transform, asset, levelSize) };
  return toWindowGrid(atLevel, window, toSampleSize(window, most.gridPx));
}
