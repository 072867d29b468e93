import type { Asset } from '../catalog/index.ts';
import { internal } from '../errors.ts';
import type { Affine, Grid } from '../geo/index.ts';
import { applyAffine, scaleAffine } from '../geo/index.ts';
import type { ComparedScene } from './earlier-scene.ts';
import { planSampleSharpen } from './pansharpening/index.ts';
import type { PixelPlan } from './plan.ts';
import { findAsset, makePlanRead } from './plan-inputs.ts';
import { planContrastRead } from './plan-stretch.ts';
import { estimatePlanes, workPerPixel } from './render-limits.ts';

/** More pixels make no better percentiles. */
const SAMPLE_SIDE_PX = 1_024;
/** Additions for a sample, about a quarter of a second: dear expressions are measured on fewer pixels. */
const SAMPLE_WORK = 2 ** 28;
/** Pixels that all inputs together may read for a sample: a third of a thread's memory. */
const SAMPLE_READ_PX = 16 * 2 ** 20;
/** What a thread has, less what is on its way in. */
const SAMPLE_BYTES = 192 * 2 ** 20;

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
      warp: input.warp === null ? null : planRead(assets[i] as Asset, 'near'),
    })),
    ...planSampleSharpen(sharpen, scene, planRead),
  };
}

function finestOf(assets: readonly Asset[]): Asset {
  const [first, ...others] = assets;
  if (first === undefined) throw internal('no-inputs', 'A picture without bands has no contrast.');
  return others.reduce(
    (finest, asset) => (asset.width * asset.height > finest.width * finest.height ? asset : finest),
    first,
  );
}

/** The reduced copy that a band's own contrast is found on, or what lies in its middle, with no more pixels than needed. */
function toSampleGrid(asset: Asset, most: { readonly readPx: number; readonly gridPx: number }): Grid {
  const { level, window } = planContrastRead(asset, Math.max(1, Math.floor(Math.sqrt(most.readPx))));
  const levelSize = level === 0 ? asset : asset.overviews[level - 1];
  if (levelSize === undefined) throw internal('no-such-level', 'A level of a file is not in its list.');
  const levelTransform = scaleAffine(asset.transform, asset, levelSize);
  const shown = moveOrigin(levelTransform, window);
  const sidePx = Math.min(SAMPLE_SIDE_PX, Math.sqrt(most.gridPx));
  const reduction = Math.max(1, Math.max(window.width, window.height) / sidePx);
  const size = {
    width: Math.max(1, Math.round(window.width / reduction)),
    height: Math.max(1, Math.round(window.height / reduction)),
  };
  const { epsg, proj } = asset;
  return {
    epsg,
    ...(proj === undefined ? {} : { proj }),
    transform: scaleAffine(shown, window, size),
    ...size,
  };
}

function moveOrigin(affine: Affine, { x, y }: { readonly x: number; readonly y: number }): Affine {
  const [originX, originY] = applyAffine(affine, x, y);
  return [originX, affine[1], affine[2], originY, affine[4], affine[5]];
}
