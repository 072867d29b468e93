import type { Asset, Scene } from '../../catalog/index.ts';
import { internal } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import { findAsset } from '../inputs/band-file.ts';
import { makePlanRead } from '../inputs/plan-inputs.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import { toWindowGrid } from '../samples/sample-grid.ts';
import { planLow } from './plan-low.ts';
import { findBandWarp } from './plan-sharpen.ts';

/** Samples along each side of a scene: sixteen are stable to a few percent of the spread, and read in milliseconds. */
const SAMPLES = 4;
/** Side of a sample in panchromatic pixels; it then lies in one or two blocks of a file. */
const SIDE_PX = 128;

/**
 * Plans the samples that say how the channels of a sharpened picture take on detail: chosen by the scene, never by the
 * tile, and at full resolution, since an overview has no detail left.
 */
export function planDetailSamples(plan: PixelPlan, scene: Scene): readonly PixelPlan[] {
  const { sharpen } = plan;
  if (sharpen?.kind !== 'pixelwise') return [];
  const panAsset = findAsset(scene, sharpen.pan.band);
  const { sensor } = parseViewId(scene.viewId);
  return toGrids(panAsset).flatMap((grid) => planSample(plan, { scene, sensor, panAsset, grid }) ?? []);
}

interface SampleRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly panAsset: Asset;
  readonly grid: Grid;
}

/** The same picture on the grid of a sample; null if there is nothing to show. */
function planSample(plan: PixelPlan, { scene, sensor, panAsset, grid }: SampleRequest): PixelPlan | null {
  const { sharpen, viewId, sceneVersion, tree } = plan;
  const facts = sensor.pansharpening;
  if (sharpen?.kind !== 'pixelwise' || facts === null) {
    throw internal('no-pan', 'Only pictures that are sharpened have detail to be measured.');
  }
  const planRead = makePlanRead(grid);
  const replan = (input: InputPlan, asset: Asset): InputPlan => ({
    ...input,
    warp: input.warp === null ? null : planRead(asset, input.warp.method),
  });
  const inputs = plan.inputs.map((input) => replan(input, findAsset(scene, input.band)));
  const bandWarp = findBandWarp(inputs, facts);
  if (bandWarp === null || inputs.some(({ warp }) => warp === null)) return null;
  const planned = planLow({ pan: replan(sharpen.pan, panAsset), panAsset, bandWarp });
  if (planned === null || planned.low === null) return null;
  return { viewId, sceneVersion, tree, grid, inputs, sharpen: { ...sharpen, ...planned } };
}

/** Squares in the middles of equal parts of the image. */
function toGrids(asset: Asset): readonly Grid[] {
  const size = { width: toSide(asset.width), height: toSide(asset.height) };
  const cornersOf = (length: number, side: number): readonly number[] =>
    Array.from({ length: SAMPLES }, (_, i) =>
      Math.max(0, Math.floor(((i + 0.5) * length) / SAMPLES - side / 2)),
    );
  return cornersOf(asset.height, size.height).flatMap((y) =>
    cornersOf(asset.width, size.width).map((x) => toWindowGrid(asset, { x, y, ...size }, size)),
  );
}

/** Small images are sampled whole, no pixel twice. */
const toSide = (lengthPx: number): number => Math.min(SIDE_PX, Math.max(1, Math.floor(lengthPx / SAMPLES)));
