import type { Grid } from '../../geo/index.ts';
import { applyAffine, invertAffine } from '../../geo/index.ts';
import type { PixelWindow, WarpPlan } from '../../raster/index.ts';
import { planWarp } from '../../raster/index.ts';
import { estimatePlanes } from '../plan/estimate-planes.ts';
import type { InputPlan } from '../plan/input-plan.ts';
import type { PixelPlan } from '../plan/pixel-plan.ts';
import { cropGrid } from './area-window.ts';
import type { NativeBand, NativeGrid } from './native-plan.ts';

/** Positions that differ by less are the same: transforms are stored with some fifteen digits. */
const SAME_PX = 1e-3;
/** Pixel memory of one window: larger ones are computed in parts. Little enough for several threads at once. */
const MAX_WINDOW_BYTES = 64 * 2 ** 20;
/** Parts end where blocks of most files do, so that none is decoded twice. */
const MIN_SIDE_PX = 64;

/** The plan of a band in a window of the grid. */
export function planWindow(
  { viewId, sceneVersion, grid }: NativeGrid,
  { tree, inputs }: NativeBand,
  window: PixelWindow,
): PixelPlan {
  const target = cropGrid(grid, window);
  const plans = new Map<WarpPlan, WarpPlan | null>();
  const planOnce = (warp: WarpPlan): WarpPlan | null => {
    const known = plans.get(warp);
    if (known !== undefined) return known;
    const plan = planCopy(target, warp) ?? planPart(target, warp);
    plans.set(warp, plan);
    return plan;
  };
  const onWindow = inputs.map(
    (input): InputPlan => ({ ...input, warp: input.warp === null ? null : planOnce(input.warp) }),
  );
  return { viewId, sceneVersion, grid: target, tree, inputs: onWindow };
}

/** The plan of reading pixels as they are; null where the grids differ, or the image ends within the window. */
function planCopy(target: Grid, whole: WarpPlan): WarpPlan | null {
  const { epsg, proj = null, lattice = null, levelTransform, levelSize } = whole;
  if (lattice !== null || epsg !== target.epsg || proj !== (target.proj ?? null)) return null;
  const toPixel = invertAffine(levelTransform);
  const positionOf = (col: number, row: number) =>
    applyAffine(toPixel, ...applyAffine(target.transform, col, row));
  const [x, y] = positionOf(0, 0).map(Math.round) as [number, number];
  const { width, height } = target;
  const isSame = (col: number, row: number): boolean => {
    const [sourceX, sourceY] = positionOf(col, row);
    return Math.abs(sourceX - x - col) < SAME_PX && Math.abs(sourceY - y - row) < SAME_PX;
  };
  if (!isSame(0, 0) || !isSame(width, 0) || !isSame(0, height)) return null;
  if (x < 0 || y < 0 || x + width > levelSize.width || y + height > levelSize.height) return null;
  return { ...whole, window: { x, y, width, height }, workBytes: 0, isCopy: true };
}

/** The plan of resampling a window. */
function planPart(target: Grid, { method, epsg, proj, lattice, levelTransform, levelSize }: WarpPlan) {
  const source = {
    epsg,
    ...(proj == null ? {} : { proj }),
    ...(lattice == null ? {} : { lattice }),
    transform: levelTransform,
    ...levelSize,
    overviews: [],
  };
  return planWarp({ target, source, method });
}

/** Plans a window in one piece, or in several where the inputs take too much memory. */
export function* planWindows(
  plan: NativeGrid,
  band: NativeBand,
  window: PixelWindow,
): Generator<{ readonly window: PixelWindow; readonly pixels: PixelPlan }> {
  const pixels = planWindow(plan, band, window);
  const halves = estimatePlanes(pixels) <= MAX_WINDOW_BYTES ? null : halve(window);
  if (halves === null) yield { window, pixels };
  else for (const half of halves) yield* planWindows(plan, band, half);
}

/** Two halves along the longer side; null for a window that is small already. */
function halve({ x, y, width, height }: PixelWindow): readonly PixelWindow[] | null {
  const half = (length: number): number => Math.ceil(length / 2 / MIN_SIDE_PX) * MIN_SIDE_PX;
  if (Math.max(width, height) <= MIN_SIDE_PX) return null;
  if (width >= height) {
    const left = half(width);
    return [
      { x, y, width: left, height },
      { x: x + left, y, width: width - left, height },
    ];
  }
  const upper = half(height);
  return [
    { x, y, width, height: upper },
    { x, y: y + upper, width, height: height - upper },
  ];
}

/** Pixel memory of the windows of a band, at most. */
export function estimateWindow(plan: NativeGrid, band: NativeBand, window: PixelWindow): number {
  let largest = 0;
  for (const { pixels } of planWindows(plan, band, window))
    largest = Math.max(largest, estimatePlanes(pixels));
  return largest;
}
