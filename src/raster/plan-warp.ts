import type { Grid, Size } from '../geo/index.ts';
import { scaleAffine, scaleLattice } from '../geo/index.ts';
import type { ApproximateGrid, GeoreferencedGrid } from '../proj/index.ts';
import { evaluatePatch, makeApproximateGrid, PATCH_LENGTH } from '../proj/index.ts';
import { findLevel } from './overview-level.ts';
import type { ResampleMethod } from './resampler.ts';
import { kernelSupport, resamplers } from './resampler.ts';
import { cacheGrid } from './warp-grids.ts';
import type { PixelWindow, WarpPlan } from './warp-plan.ts';
import { warpWorkBytes } from './work-memory.ts';

/** An image to read from: its full resolution and the sizes of its overviews. */
export interface WarpSource extends GeoreferencedGrid {
  readonly overviews: readonly Size[];
}

/** Decides which level and window of an image a target needs; null when the two do not overlap. */
export function planWarp(request: {
  readonly target: Grid;
  readonly source: WarpSource;
  readonly method: ResampleMethod;
  /** Pixels to read around those that the warp needs. */
  readonly marginPx?: number;
}): WarpPlan | null {
  const { target, source, method, marginPx = 0 } = request;
  const { level } = findLevel(target, source, source.overviews);
  const { width, height } = level === 0 ? source : source.overviews[level - 1]!;
  const levelSize = { width, height };
  const levelTransform = scaleAffine(source.transform, source, levelSize);
  const georeference = {
    epsg: source.epsg,
    ...(source.proj == null ? {} : { proj: source.proj }),
    ...(source.lattice == null ? {} : { lattice: scaleLattice(source.lattice, source, levelSize) }),
  };
  const grid = makeApproximateGrid(target, { ...georeference, transform: levelTransform, width, height });
  const window = neededWindow(grid, { target, levelSize, method, marginPx });
  if (window === null) return null;
  const workBytes = warpWorkBytes(grid, resamplers[method], window);
  const plan: WarpPlan = { method, level, ...georeference, levelTransform, levelSize, window, workBytes };
  cacheGrid(plan, grid);
  return plan;
}

interface Extent {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

function neededWindow(
  grid: ApproximateGrid,
  request: {
    readonly target: Grid;
    readonly levelSize: Size;
    readonly method: ResampleMethod;
    readonly marginPx: number;
  },
): PixelWindow | null {
  const { width, height } = request.levelSize;
  const resampler = resamplers[request.method];
  const all: Extent = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let i = 0; i < grid.cellCount; i++) {
    const { minX, minY, maxX, maxY } = positionsInCell(grid, i, {
      target: request.target,
      insetPx: resampler.isArea ? 0 : 0.5,
    });
    if (maxX < 0 || maxY < 0 || minX > width || minY > height) continue;
    const [reachX, reachY] = kernelSupport(resampler, grid.ratios[2 * i]!, grid.ratios[2 * i + 1]!);
    const [firstX, endX] = tapRange(minX, maxX, reachX);
    const [firstY, endY] = tapRange(minY, maxY, reachY);
    all.minX = Math.min(all.minX, firstX);
    all.minY = Math.min(all.minY, firstY);
    all.maxX = Math.max(all.maxX, endX);
    all.maxY = Math.max(all.maxY, endY);
  }
  const { marginPx } = request;
  const x = Math.max(0, all.minX - marginPx);
  const y = Math.max(0, all.minY - marginPx);
  const endX = Math.min(width, all.maxX + marginPx);
  const endY = Math.min(height, all.maxY + marginPx);
  return endX > x && endY > y ? { x, y, width: endX - x, height: endY - y } : null;
}

/** A margin at both ends for the rounding of positions. */
const SPARE_PX = 0.01;

/** The first pixel, and the one past the last, that a kernel touches for positions in a range. */
function tapRange(min: number, max: number, reach: number): [first: number, end: number] {
  if (reach === 0) return [Math.floor(min - SPARE_PX), Math.floor(max + SPARE_PX) + 1];
  const radius = Math.ceil(reach);
  return [Math.floor(min - 0.5 - SPARE_PX) - radius + 1, Math.floor(max - 0.5 + SPARE_PX) + radius + 1];
}

/**
 * The bounds of the source positions of the pixels of a cell that lie in the target: of their centres, half a pixel
 * from the edge, or of their corners.
 */
function positionsInCell(
  grid: ApproximateGrid,
  index: number,
  { target, insetPx }: { readonly target: Size; readonly insetPx: number },
): Extent {
  const [col, row, size] = grid.cells.subarray(3 * index) as unknown as [number, number, number];
  const first = (corner: number): number => (Math.max(0, -corner) + insetPx) / size;
  const last = (corner: number, length: number): number => (Math.min(size, length - corner) - insetPx) / size;
  const [u0, u1] = [first(col), last(col, target.width)];
  const [v0, v1] = [first(row), last(row, target.height)];
  const extent: Extent = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const u of [u0, (u0 + u1) / 2, u1]) {
    for (const v of [v0, (v0 + v1) / 2, v1]) {
      const [x, y] = evaluatePatch(grid.patches, index * PATCH_LENGTH, u, v);
      extent.minX = Math.min(extent.minX, x);
      extent.minY = Math.min(extent.minY, y);
      extent.maxX = Math.max(extent.maxX, x);
      extent.maxY = Math.max(extent.maxY, y);
    }
  }
  const bulgeX = bulge(grid.patches.subarray(index * PATCH_LENGTH), u1 - u0, v1 - v0);
  const bulgeY = bulge(grid.patches.subarray(index * PATCH_LENGTH + 9), u1 - u0, v1 - v0);
  extent.minX -= bulgeX;
  extent.maxX += bulgeX;
  extent.minY -= bulgeY;
  extent.maxY += bulgeY;
  return extent;
}

/**
 * How far a patch can exceed nine of its values: a parabola a t^2 rises at most a (h / 4)^2 over points h / 2 apart.
 */
function bulge(coefficients: Float64Array, spanU: number, spanV: number): number {
  const squares = (...indexes: number[]): number =>
    indexes.reduce((sum, i) => sum + Math.abs(coefficients[i]!), 0);
  return (squares(6, 7, 8) * spanU * spanU + squares(2, 5, 8) * spanV * spanV) / 16;
}
