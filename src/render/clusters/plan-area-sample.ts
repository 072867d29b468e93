import type { Asset } from '../../catalog/index.ts';
import { unsupported } from '../../errors.ts';
import type { AreaOutline } from '../../geo/index.ts';
import { LON_LAT_GRID } from '../../geo/index.ts';
import { makePixelMapping } from '../../proj/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { ComparedScene } from '../earlier-scene.ts';
import { imageBounds, intersectBounds, outlineBounds } from '../image-bounds.ts';
import type { PixelPlan } from '../plan.ts';
import { findInputAsset, makePlanRead, toSampleInputs } from '../plan-inputs.ts';
import { workPerPixel } from '../render-limits.ts';
import {
  finestOf,
  isAffordable,
  SAMPLE_SIDE_PX,
  SAMPLE_WORK,
  toMiddle,
  toSampleSize,
  toWindowGrid,
} from '../samples.ts';

/** Edges are straight in degrees and may bulge in the pixels of the scene, between their ends. */
const BULGE = 0.02;

interface AreaSampleRequest {
  readonly scene: ComparedScene;
  readonly outline: AreaOutline;
  /** Whether every pixel of the scene in the area is needed; an area that has too many is refused. */
  readonly isWhole: boolean;
}

/**
 * Plans the part of a scene around an area, on the pixels of its finest band or on fewer; null when the area lies outside
 * of the scene.
 */
export function planAreaSample(
  { viewId, sceneVersion, inputs, tree }: PixelPlan,
  { scene, outline, isWhole }: AreaSampleRequest,
): PixelPlan | null {
  const finest = finestOf(inputs.map((input) => findInputAsset(scene, input)));
  const around = findWindow(finest, outline);
  if (around === null) return null;
  const planOn = (window: PixelWindow): PixelPlan => {
    const size = toSampleSize(window, Math.floor(SAMPLE_WORK / workPerPixel(tree)));
    const grid = toWindowGrid(finest, window, size);
    return { viewId, sceneVersion, grid, tree, inputs: toSampleInputs(inputs, scene, makePlanRead(grid)) };
  };
  let window = around;
  let sample = planOn(window);
  if (isWhole) {
    const { width, height } = sample.grid;
    if (width < window.width || height < window.height || !isAffordable(sample)) {
      throw unsupported(
        'area-too-large',
        `MIN_AREA takes areas of up to ${SAMPLE_SIDE_PX} pixels a side, fewer of dear expressions; this one has ${window.width} × ${window.height}.`,
      );
    }
    return sample;
  }
  // Files without smaller copies have to be read in full, and where that is too much, the middle must do.
  while (!isAffordable(sample) && window.width * window.height > 1) {
    window = toMiddle(window);
    sample = planOn(window);
  }
  return sample;
}

/** The pixels of an image that hold an area; null without any. */
function findWindow(asset: Asset, outline: AreaOutline): PixelWindow | null {
  // Before thousands of positions are projected: the area may be elsewhere.
  const image = imageBounds(asset);
  if (image !== null && intersectBounds(image, outlineBounds(outline)) === null) return null;
  const { lattice: _, ...even } = asset;
  const { toSource } = makePixelMapping(LON_LAT_GRID, even);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < outline.length; i += 2) {
    const [col, row] = toSource(outline[i] as number, outline[i + 1] as number);
    if (Number.isNaN(col)) continue;
    [minX, maxX] = [Math.min(minX, col), Math.max(maxX, col)];
    [minY, maxY] = [Math.min(minY, row), Math.max(maxY, row)];
  }
  const spare = 1 + BULGE * Math.max(maxX - minX, maxY - minY);
  const [x, y] = [Math.max(0, Math.floor(minX - spare)), Math.max(0, Math.floor(minY - spare))];
  const width = Math.min(asset.width, Math.ceil(maxX + spare)) - x;
  const height = Math.min(asset.height, Math.ceil(maxY + spare)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
