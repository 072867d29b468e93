import type { TypedTree } from '../../bandmath/index.ts';
import type { Asset } from '../../catalog/index.ts';
import { notFound } from '../../errors.ts';
import type { Grid, LonLatBounds } from '../../geo/index.ts';
import type { PixelWindow } from '../../raster/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import type { CloudPlan } from '../clouds/index.ts';
import { estimateClouds, planClouds } from '../clouds/index.ts';
import type { ComparedScene } from '../earlier-scene.ts';
import type { InputPlan, PixelPlan } from '../plan.ts';
import { findAsset } from '../plan-inputs.ts';
import { estimatePlanes, workPerPixel } from '../render-limits.ts';
import { finestOf, isAffordable, SAMPLE_WORK, toMiddle } from '../samples.ts';
import { findWindow, toSampleGrid } from './sample-window.ts';

/** What is looked at, and as what. */
export interface SampleRequest {
  readonly scene: ComparedScene;
  /** The expression's inputs on the grid of the sample, by nearest neighbours: values that occur, and classes. */
  readonly toInputs: (grid: Grid) => readonly InputPlan[];
  /** Where to look; null for the whole scene. */
  readonly bounds: LonLatBounds | null;
}

/** Pixels to read for a range, or for a share of clouds; plain JSON. */
export interface IntensitySamplePlan {
  readonly sample: PixelPlan;
  /** Of the same grid; null when none are counted. */
  readonly clouds: CloudPlan | null;
  /** Estimated pixel memory. */
  readonly bytes: number;
}

/** Which clouds are counted: `onlyOpaque` without cirrus; null when none are. */
type Counted = { readonly sensor: Sensor; readonly onlyOpaque: boolean } | null;

/**
 * Plans a sample of an expression: the window's own pixels of its finest band, or fewer. Files without smaller copies have
 * to be read in full, and where that is too much, the middle of the window must do. Pure.
 */
export function planIntensitySample(
  tree: TypedTree,
  request: SampleRequest,
  counted: Counted = null,
): IntensitySamplePlan {
  const { scene, bounds } = request;
  const finest = finestOf(tree.inputs.map(({ band }) => findAsset(scene, band)));
  let window = findWindow(finest, bounds);
  if (window === null) throw outsideScene();
  for (;;) {
    const plan = planOn(finest, window, { tree, request, counted });
    if (canTake(plan) || window.width * window.height === 1) return plan;
    window = toMiddle(window);
  }
}

/** What to say when nothing that is looked at lies in the scene. */
export const outsideScene = () =>
  notFound('outside-scene', 'The BBOX or the area has no pixel in common with this scene.');

function planOn(
  finest: Asset,
  window: PixelWindow,
  { tree, request, counted }: { tree: TypedTree; request: SampleRequest; counted: Counted },
): IntensitySamplePlan {
  const { scene, toInputs } = request;
  const grid = toSampleGrid(finest, window, Math.max(1, Math.floor(SAMPLE_WORK / workPerPixel(tree))));
  const sample = { viewId: scene.viewId, sceneVersion: scene.version, grid, inputs: toInputs(grid), tree };
  const clouds = counted === null ? null : planClouds({ scene, grid, ...counted });
  const { width, height } = grid;
  // A byte a pixel for each of area and bounds, and a copy that percentiles are searched in.
  const own = width * height * (2 + 4);
  const bytes = estimatePlanes(sample) + (clouds === null ? 0 : estimateClouds(clouds, grid)) + own;
  return { sample, clouds, bytes };
}

function canTake({ sample, clouds, bytes }: IntensitySamplePlan): boolean {
  const masks = clouds?.source.kind === 'pixels' ? clouds.source.inputs : [];
  const readPx = masks.reduce(
    (sum, { warp }) => sum + (warp === null ? 0 : warp.window.width * warp.window.height),
    0,
  );
  return isAffordable(sample, { bytes: bytes - estimatePlanes(sample), readPx });
}
