import type { Asset } from '../../catalog/index.ts';
import type { Grid } from '../../geo/index.ts';
import { moveOrigin } from '../../geo/index.ts';
import type { PixelWindow, WarpPlan } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { LowPlan } from '../plan/sharpen-plan.ts';

/** A panchromatic band and the plan of its local mean, which read the same pixels. */
interface PlannedLow {
  readonly pan: InputPlan;
  readonly low: LowPlan | null;
}

interface LowRequest {
  readonly pan: InputPlan;
  readonly panAsset: Asset;
  /** How the bands that are sharpened come to the picture. */
  readonly bandWarp: WarpPlan;
}

/**
 * Plans the local mean of the panchromatic band. It lies on the whole pixels of the other bands' own grid, so that it is
 * the same for all tiles. Null when the copy read here is no finer than theirs: there is no detail to be had from it.
 */
export function planLow({ pan, panAsset, bandWarp }: LowRequest): PlannedLow | null {
  const { warp } = pan;
  if (warp === null) return { pan, low: null };
  if (pixelArea(warp) >= pixelArea(bandWarp) * (1 - NOISE)) return null;
  const { epsg, levelTransform, window } = bandWarp;
  const grid: Grid = {
    epsg,
    ...(bandWarp.proj == null ? {} : { proj: bandWarp.proj }),
    transform: moveOrigin(levelTransform, window),
    width: window.width,
    height: window.height,
  };
  // The mean is of the copy that the picture shows, whatever other copies the file has.
  const copy = { ...panAsset, ...warp.levelSize, transform: warp.levelTransform, overviews: [] };
  const average = planWarp({ target: grid, source: copy, method: 'average' });
  if (average === null) return { pan: { ...pan, warp: null }, low: null };
  const read = union(warp.window, average.window);
  return {
    pan: { ...pan, warp: { ...warp, window: read } },
    low: { grid, average: { ...average, level: warp.level, window: read }, warp: bandWarp },
  };
}

/** Sizes of copies are rounded to whole pixels, so pixels of "one" size differ by some parts of a thousand. */
const NOISE = 0.02;

/** Panchromatic and other bands of a scene have one reference system. */
const pixelArea = ({ levelTransform: [, a, b, , c, d] }: WarpPlan): number => Math.abs(a * d - b * c);

function union(one: PixelWindow, other: PixelWindow): PixelWindow {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}
