import type { TypedTree } from '../../bandmath/index.ts';
import type { Asset } from '../../catalog/index.ts';
import type { AreaOutline, Grid, LonLatBounds } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { estimateClouds, planClouds } from '../clouds/plan-clouds.ts';
import { internal, notFound, unsupported } from '../errors.ts';
import type { PlanRead, SampleLimits } from '../plan/plan-inputs.ts';
import {
  countRead,
  estimatePlanes,
  findAsset,
  findInputAsset,
  makePlanRead,
  planInputs,
  workPerPixel,
} from '../plan/plan-inputs.ts';
import type { CloudPlan, ComparedScene, InputPlan, PixelPlan, SharpenPlan } from '../plan/render-plan.ts';
import { findBoundsWindow, findOutlineWindow, wholeWindow } from './find-window.ts';
import { finestOf, makeToBoundedGrid, makeToSampleGrid, middleGrids, overviewGrids } from './sample-grid.ts';

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

/** Which part of a scene is sampled. */
interface SampledPart {
  readonly scene: ComparedScene;
  /** Null for the whole scene. */
  readonly bounds: LonLatBounds | null;
  readonly limits: SampleLimits;
}

/** Pixels to read for a range, or for a share of clouds; plain JSON. */
export interface ValueSamplePlan {
  readonly sample: PixelPlan;
  /** On the same grid; null if no clouds are counted. */
  readonly clouds: CloudPlan | null;
  /** Estimated pixel memory. */
  readonly bytes: number;
}

/** Which clouds are counted: `onlyOpaque` without cirrus; null if none are. */
type CountedClouds = { readonly sensor: Sensor; readonly onlyOpaque: boolean } | null;

/**
 * Plans a sample of an expression: the pixels of its finest band themselves, or fewer, or the middle of them. Bands are
 * sampled by nearest neighbour: values that occur, and classes. Pure.
 */
export function planValueSample(
  tree: TypedTree,
  part: SampledPart & { readonly sensor: Sensor; readonly calibrated: boolean },
  counted: CountedClouds = null,
): ValueSamplePlan {
  const { scene, sensor, calibrated } = part;
  const toInputs = (grid: Grid) =>
    planInputs(tree.inputs, { scene, sensor, calibrated, method: 'near', grid });
  return planInputSample(tree, { ...part, toInputs }, counted);
}

/** The same for inputs that are planned already. */
export function planInputSample(
  tree: TypedTree,
  {
    scene,
    toInputs,
    bounds,
    limits,
  }: SampledPart & { readonly toInputs: (grid: Grid) => readonly InputPlan[] },
  counted: CountedClouds = null,
): ValueSamplePlan {
  const finest = finestOf(tree.inputs.map(({ band }) => findAsset(scene, band)));
  const window = bounds === null ? wholeWindow(finest) : findBoundsWindow(finest, bounds);
  if (window === null) throw outsideScene();
  const { viewId, version: sceneVersion } = scene;
  const planOn = (grid: Grid): ValueSamplePlan => {
    const sample: PixelPlan = { viewId, sceneVersion, grid, inputs: toInputs(grid), tree };
    const clouds = counted === null ? null : planClouds({ scene, grid, ...counted });
    // A byte a pixel for each of area and bounds, and a copy in which percentiles are searched.
    const own = grid.width * grid.height * (2 + 4);
    const bytes = estimatePlanes(sample) + (clouds === null ? 0 : estimateClouds(clouds, grid)) + own;
    return { sample, clouds, bytes };
  };
  const toGrid = makeToSampleGrid(Math.max(1, maxSamplePx({ tree }, limits)));
  return planFirst(middleGrids(finest, window, toGrid), planOn, (plan) => fits(plan, limits));
}

/** The error for a part that has no pixel of the scene. */
export const outsideScene = () =>
  notFound('outside-scene', 'The BBOX or the area has no pixel in common with this scene.');

function fits({ sample, clouds, bytes }: ValueSamplePlan, limits: SampleLimits): boolean {
  const masks = clouds?.source.kind === 'pixels' ? clouds.source.inputs : [];
  const readPx = masks.reduce((sum, { warp }) => sum + countRead(warp), 0);
  return isAffordable(sample, limits, { bytes: bytes - estimatePlanes(sample), readPx });
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

/**
 * Plans on one grid after the other until a plan fits; the last one is taken in any case. Files without overviews are
 * read in full, and where that is too much, a smaller part must do.
 */
function planFirst<Plan>(
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
function isAffordable(sample: PixelPlan, limits: SampleLimits, others = { bytes: 0, readPx: 0 }): boolean {
  const readPx = sample.inputs.reduce((sum, { warp }) => sum + countRead(warp), others.readPx);
  return estimatePlanes(sample) + others.bytes <= limits.bytes && readPx <= limits.readPx;
}

/** Pixels on which expressions of this cost may be computed for a sample. */
const maxSamplePx = ({ tree }: Pick<PixelPlan, 'tree'>, { work }: SampleLimits): number =>
  Math.floor(work / workPerPixel(tree));
