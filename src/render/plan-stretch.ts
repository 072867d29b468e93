import type { BandInput, TypedTree } from '../bandmath/index.ts';
import type { Asset, Scene } from '../catalog/index.ts';
import type { Sensor } from '../sensors/index.ts';
import type { ContrastRange } from '../stats/index.ts';
import type { InputPlan, LevelWindow, PercentileCut, StretchPlan } from './plan.ts';
import { shownInput } from './plan-expressions.ts';
import { findAsset, toBandPlan } from './plan-inputs.ts';

interface StretchRequest {
  readonly scene: Scene;
  readonly sensor: Sensor;
  readonly tree: TypedTree;
  readonly inputs: readonly InputPlan[];
  /** What the caller wants; null for the scene's own contrast. */
  readonly range: ContrastRange | null;
}

/** 2–98 % of the scene with cloud correction (interface 4.2); pictures of 8 bits, such as NAIP's, as they are. */
export function planStretches({
  scene,
  sensor,
  tree,
  inputs,
  range,
}: StretchRequest): readonly StretchPlan[] {
  const cut: PercentileCut = { lowPercent: 2, highPercent: 98, cloudPercent: scene.cloudPercent ?? 0 };
  return tree.outputs.map((_, place): StretchPlan => {
    if (range !== null) return { kind: 'fixed', ...range };
    const shown = shownInput(tree, place);
    if (shown === null) return { kind: 'computed', cut };
    const { band } = tree.inputs[shown] as BandInput;
    const asset = findAsset(scene, band);
    if (sensor.defaultStretch === 'none' && asset.type === 'uint8')
      return { kind: 'fixed', min: 0, max: 255 };
    const { rule, parameters, bits } = inputs[shown] as InputPlan;
    if ((rule !== 'plain' && rule !== 'shifted') || bits !== undefined) return { kind: 'computed', cut };
    const [shift = 0] = parameters;
    return {
      kind: 'band',
      cut,
      sample: { ...toBandPlan(band, asset), shift, read: planContrastRead(asset) },
    };
  });
}

/** Enough pixels for stable percentiles, few enough to be read in milliseconds. */
const CONTRAST_PIXELS = 512 * 512;

/** Of a file without smaller copies only the middle is looked at: all of a Sentinel-1 scene would take gigabytes. */
const CONTRAST_SIDE_PX = 3_000;

/** The coarsest copy of the band that still has enough pixels, whole or, where that is too large, its middle. */
export function planContrastRead(asset: Asset, sidePx = CONTRAST_SIDE_PX): LevelWindow {
  const levels = [{ width: asset.width, height: asset.height }, ...asset.overviews];
  const level = Math.max(
    0,
    levels.findLastIndex(({ width, height }) => width * height >= CONTRAST_PIXELS),
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
