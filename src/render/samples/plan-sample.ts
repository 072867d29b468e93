import type { Asset } from '../../catalog/index.ts';
import { internal, unsupported } from '../../errors.ts';
import type { AreaOutline, Grid } from '../../geo/index.ts';
import { findInputAsset } from '../inputs/band-file.ts';
import type { PlanRead } from '../inputs/plan-inputs.ts';
import { makePlanRead } from '../inputs/plan-inputs.ts';
import { countRead, estimatePlanes } from '../plan/estimate-planes.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { SampleLimits } from '../plan/limits.ts';
import { workPerPixel } from '../plan/limits.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import type { SharpenPlan } from '../plan/sharpen-plan.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';
import { findOutlineWindow } from './find-window.ts';
import { finestOf, makeToBoundedGrid, middleGrids, overviewGrids } from './sample-grid.ts';

/**
 * Plans on one grid after the other until a plan fits; the last one is taken in any case. Files without overviews are
 * read in full, and where that is too much, a smaller part must do.
 */
export function planFirst<Plan>(
  grids: Iterable<Grid>,
  planOn: (grid: Grid) => Plan,
  fits: (plan: Plan) => boolean,
): Plan {
  let plan: Plan | undefined;
  for (const grid of grids) {
    plan = planOn(grid);
    if (fits(plan)) return plan;
  }
  if (plan === undefined) throw internal('no-grids', 'A sample is planned on no grid at all.');
  return plan;
}

/** Whether a thread can take a sample, with what else it reads and allocates for it. */
export function isAffordable(
  sample: PixelPlan,
  limits: SampleLimits,
  others = { bytes: 0, readPx: 0 },
): boolean {
  const readPx = sample.inputs.reduce((sum, { warp }) => sum + countRead(warp), others.readPx);
  return estimatePlanes(sample) + others.bytes <= limits.bytes && readPx <= limits.readPx;
}

/** Pixels on which expressions of this cost may be computed for a sample. */
export const maxSamplePx = ({ tree }: Pick<PixelPlan, 'tree'>, { work }: SampleLimits): number =>
  Math.floor(work / workPerPixel(tree));

/** Plans the whole scene on a coarse grid of its finest band: for what all channels of a picture are measured by together. */
export function planSceneSample(pixels: PixelPlan, scene: ComparedScene, limits: SampleLimits): PixelPlan {
  const toGrid = makeToBoundedGrid(maxSamplePx(pixels, limits), limits.sidePx);
  const grids = overviewGrids(finestInput(pixels, scene), limits.readPx / pixels.inputs.length, toGrid);
  // Other bands may lack the overviews that the finest has, and be read in full.
  return planFirst(
    grids,
    (grid) => toSample(pixels, scene, grid),
    (sample) => estimatePlanes(sample) <= limits.bytes,
  );
}

interface AreaSampleRequest {
  readonly scene: ComparedScene;
  readonly outline: AreaOutline;
  /** Whether every pixel of the scene in the area is needed; an area with too many is refused. */
  readonly isWhole: boolean;
}

/** Plans the part of a scene around an area, on the pixels of its finest band or on fewer; null if the area lies outside. */
export function planAreaSample(
  pixels: PixelPlan,
  { scene, outline, isWhole }: AreaSampleRequest,
  limits: SampleLimits,
): PixelPlan | null {
  const finest = finestInput(pixels, scene);
  const window = findOutlineWindow(finest, outline);
  if (window === null) return null;
  const { sharpen: _, ...unsharpened } = pixels;
  const planOn = (grid: Grid): PixelPlan => toSample(unsharpened, scene, grid);
  const toGrid = makeToBoundedGrid(maxSamplePx(pixels, limits), limits.sidePx);
  if (!isWhole) {
    return planFirst(middleGrids(finest, window, toGrid), planOn, (sample) => isAffordable(sample, limits));
  }
  const sample = planOn(toGrid(finest, window));
  const { width, height } = sample.grid;
  if (width < window.width || height < window.height || !isAffordable(sample, limits)) {
    throw unsupported(
      'area-too-large',
      `MIN_AREA takes areas of up to ${limits.sidePx} pixels a side, fewer for expensive expressions; this one has ${window.width} × ${window.height}.`,
    );
  }
  return sample;
}

const finestInput = ({ inputs }: PixelPlan, scene: ComparedScene): Asset =>
  finestOf(inputs.map((input) => findInputAsset(scene, input)));

/** The same expressions on the grid of a sample. */
function toSample(
  { viewId, sceneVersion, inputs, tree, sharpen }: PixelPlan,
  scene: ComparedScene,
  grid: Grid,
): PixelPlan {
  const planRead = makePlanRead(grid);
  const sample = { viewId, sceneVersion, grid, tree, inputs: toSampleInputs(inputs, scene, planRead) };
  const sharpened = sharpen === undefined ? null : toSampleSharpen(sharpen, scene, planRead);
  return sharpened === null ? sample : { ...sample, sharpen: sharpened };
}

/**
 * The same inputs on the grid of a sample, by nearest neighbour of an overview: measured are values that occur, and
 * classes stay classes.
 */
export function toSampleInputs(
  inputs: readonly InputPlan[],
  scene: ComparedScene,
  planRead: PlanRead,
): readonly InputPlan[] {
  return inputs.map((input) => ({
    ...input,
    warp: input.isAbsent ? null : planRead(findInputAsset(scene, input), 'near'),
  }));
}

/** A Brovey transform on the grid of a sample; null for other sharpening, which leaves means as they are. */
function toSampleSharpen(sharpen: SharpenPlan, scene: ComparedScene, planRead: PlanRead): SharpenPlan | null {
  if (sharpen.kind !== 'composite') return null;
  const { pan } = sharpen;
  return { ...sharpen, pan: { ...pan, warp: planRead(findInputAsset(scene, pan), 'near') } };
}
