import type { Asset, Scene } from '../../catalog/index.ts';
import { internal } from '../../errors.ts';
import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import type { InputPlan, PixelPlan } from '../plan.ts';
import { findAsset, makePlanRead } from '../plan-inputs.ts';
import { planLow } from './plan-low.ts';
import { findBandWarp } from './plan-sharpen.ts';

/** Places along each side of a scene: sixteen are stable to some percent of the spread, and read in milliseconds. */
const PLACES = 4;
/** Side of a place in panchromatic pixels; a place then lies in one or two blocks of a file. */
const SIDE_PX = 128;

/**
 * Plans the places that say how the channels of a sharpened picture take on detail: chosen by the scene, never by the
 * tile, and at full resolution, since in a reduced copy there is no detail left.
 */
export function planDetailPlaces(plan: PixelPlan, scene: Scene): readonly PixelPlan[] {
  const { sharpen } = plan;
  if (sharpen?.kind !== 'pixelwise') return [];
  const panAsset = findAsset(scene, sharpen.pan.band);
  const { sensor } = parseViewId(scene.viewId);
  return toGrids(panAsset).flatMap((grid) => planPlace(plan, { scene, sensor, panAsset, grid }) ?? []);
}

interface Place {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly panAsset: Asset;
  readonly grid: Grid;
}

/** The same picture at another place; null when there is nothing to be seen. */
function planPlace(plan: PixelPlan, { scene, sensor, panAsset, grid }: Place): PixelPlan | null {
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
function toGrids({ epsg, proj, transform, width, height }: Asset): readonly Grid[] {
  const size = { width: toSide(width), height: toSide(height) };
  const cornersOf = (length: number, side: number): readonly number[] =>
    Array.from({ length: PLACES }, (_, i) => Math.floor(((i + 0.5) * length) / PLACES - side / 2));
  return cornersOf(height, size.height).flatMap((y) =>
    cornersOf(width, size.width).map((x) => ({
      epsg,
      ...(proj === undefined ? {} : { proj }),
      transform: moveOrigin(transform, { x: Math.max(0, x), y: Math.max(0, y) }),
      ...size,
    })),
  );
}

/** Small images are seen whole, without a pixel twice. */
const toSide = (lengthPx: number): number => Math.min(SIDE_PX, Math.max(1, Math.floor(lengthPx / PLACES)));
