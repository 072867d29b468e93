import type { TypedTree } from '../../bandmath/index.ts';
import { notFound } from '../../errors.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { estimateClouds } from '../clouds/estimate-clouds.ts';
import { planClouds } from '../clouds/plan-clouds.ts';
import { findAsset } from '../inputs/band-file.ts';
import type { CloudPlan } from '../plan/cloud-plan.ts';
import { countRead, estimatePlanes } from '../plan/estimate-planes.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { SampleLimits } from '../plan/limits.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import { findBoundsWindow, wholeWindow } from '../samples/find-window.ts';
import { isAffordable, maxSamplePx, planFirst } from '../samples/plan-sample.ts';
import { finestOf, makeToSampleGrid, middleGrids } from '../samples/sample-grid.ts';
import type { ComparedScene } from '../scenes/earlier-scene.ts';

/** Which part of a scene is sampled, and as what. */
export interface SampleRequest {
  readonly scene: ComparedScene;
  /** The expression's inputs on the grid of the sample, by nearest neighbour: values that occur, and classes. */
  readonly toInputs: (grid: Grid) => readonly InputPlan[];
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

/** Plans a sample of an expression: the own pixels of its finest band, or fewer; or the middle of them. Pure. */
export function planValueSample(
  tree: TypedTree,
  { scene, toInputs, bounds, limits }: SampleRequest,
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
