import type { Size } from '../../geo/index.ts';
import type { Allocate, Kernels } from '../../raster/index.ts';
import type { HeightPlane, HeightWork } from './height-plane.ts';
import { viewPlane } from './height-plane.ts';

/** Known pixels within this distance fill a void: as in kernels/fill-voids.ts. */
const VOID_RADIUS_PX = 8;
/** Side of the blocks in which kernels/fill-voids.ts first looks for known pixels. */
const VOID_BLOCK_PX = 8;
/** A height is a spike if it is this much farther from its neighbours than they are apart. */
const SPIKE_M = 10;
/** So many times the median distance of the neighbours from their median counts as their spread. */
const SPIKE_SPREADS = 3;
/** Reach of the 5 × 5 window in which spikes are found. */
const SPIKE_REACH_PX = 2;
/** Reach of the 3 × 3 median. */
const MEDIAN_REACH_PX = 1;
/**
 * How often stair-steps are averaged, each time one pixel farther. Whole metres on a slope of 1 : 300 (30 m pixels) are
 * then off by 0.07 m instead of 0.29 m; more passes would gain little, and need more pixels around a map tile.
 */
const SMOOTH_PASSES = 12;

/** A filtered height depends on no pixel farther away than this, in x or in y: neighbouring windows need such a margin. */
export const FILTER_REACH_PX = VOID_RADIUS_PX + SPIKE_REACH_PX + MEDIAN_REACH_PX + SMOOTH_PASSES;

/** Pixels on every side of a padded plane: as in kernels/padded-plane.ts. */
export const PAD_PX = 2;

/** Heights in the kernels' memory; NaN is unknown, whatever the mask says. */
interface FilteredHeights extends HeightPlane {
  /** The step between two stored heights in metres; 0 for floating point. */
  readonly stepM: number;
}

/**
 * Cleans heights, in their own memory: small voids are filled from what is around them, spikes and the noise of single
 * pixels are removed by medians, and the stair-steps of whole numbers are smoothed, by half a step at most.
 */
export function filterHeights(kernels: Kernels, allocate: Allocate, heights: FilteredHeights): void {
  const { valuesAt, maskAt, width, height, stepM } = heights;
  let oneAt = allocatePadded(allocate, heights, VOID_RADIUS_PX);
  let twoAt = allocatePadded(allocate, heights, PAD_PX);
  const threeAt = allocatePadded(allocate, heights, PAD_PX);
  const columnsAt = allocateColumns(allocate, width);
  const blocksAt = allocate((Math.ceil(width / VOID_BLOCK_PX) + 2) * (Math.ceil(height / VOID_BLOCK_PX) + 2));
  const tablesAt = allocate(voidTables.byteLength);
  new Uint8Array(kernels.buffer(), tablesAt, voidTables.byteLength).set(new Uint8Array(voidTables));
  const { run } = kernels;
  run.padHeights(valuesAt, maskAt, width, height, oneAt, VOID_RADIUS_PX);
  run.fillVoids(oneAt, twoAt, width, height, tablesAt, blocksAt);
  run.removeSpikes(twoAt, oneAt, width, height, columnsAt, SPIKE_M, SPIKE_SPREADS);
  run.medianOf9(oneAt, threeAt, width, height);
  let resultAt = threeAt;
  for (let pass = 0; stepM > 0 && pass < SMOOTH_PASSES; pass++) {
    run.smoothSteps(threeAt, resultAt, oneAt, width, height, stepM / 2);
    resultAt = oneAt;
    [oneAt, twoAt] = [twoAt, oneAt];
  }
  run.unpadHeights(resultAt, width, height, valuesAt, maskAt);
}

/** The address of a new plane with `padPx` pixels more on every side. */
export const allocatePadded = (allocate: Allocate, { width, height }: Size, padPx: number): number =>
  allocate(4 * (width + 2 * padPx) * (height + 2 * padPx));

/** The address of the rows in which kernels/median-of-25.ts sorts columns: six of them, each with a few pixels more. */
export const allocateColumns = (allocate: Allocate, width: number): number =>
  allocate(6 * 4 * (width + 2 * PAD_PX + 7));

/** Reach of the window that decides whether heights are whole metres around a pixel. */
const WHOLE_REACH_PX = 2;

/** A filtered height depends on no pixel of the file farther away than this, in x or in y. */
export const ARTEFACT_REACH_PX = Math.max(FILTER_REACH_PX, WHOLE_REACH_PX);

/**
 * Removes spikes, small voids and stair-steps, in place. Many models of floating point hold whole metres, in parts or
 * throughout: there they are treated as such. That is told from the pixels around each one, so that neighbouring windows
 * agree.
 */
export function removeArtefacts(plane: HeightPlane, stepM: number, work: HeightWork): void {
  const { kernels, allocate } = work;
  const isWhole = stepM > 0 ? null : markWhole(plane, work);
  if (isWhole === null) {
    filterHeights(kernels, allocate, { ...plane, stepM });
    return;
  }
  const smooth = copyPlane(plane, work);
  filterHeights(kernels, allocate, { ...plane, stepM: 0 });
  filterHeights(kernels, allocate, { ...smooth, stepM: 1 });
  const { values } = viewPlane(kernels, plane);
  const smoothed = viewPlane(kernels, smooth).values;
  for (let i = 0; i < values.length; i++) if (isWhole[i] === 1) values[i] = smoothed[i]!;
}

function copyPlane(plane: HeightPlane, { kernels, allocate }: HeightWork): HeightPlane {
  const count = plane.width * plane.height;
  const copy = { ...plane, valuesAt: allocate(4 * count), maskAt: plane.maskAt === 0 ? 0 : allocate(count) };
  const [from, to] = [viewPlane(kernels, plane), viewPlane(kernels, copy)];
  to.values.set(from.values);
  if (from.mask !== null) to.mask?.set(from.mask);
  return copy;
}

/** 1 where all known heights around a pixel are whole metres, and not all 0; null if that is nowhere. */
function markWhole(plane: HeightPlane, { kernels }: HeightWork): Uint8Array | null {
  const { width, height } = plane;
  const { values, mask } = viewPlane(kernels, plane);
  const isWhole = new Uint8Array(values.length);
  let isAny = false;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (!Number.isInteger(values[i])) continue;
      if (!isWholeAround({ values, mask, width, height }, x, y)) continue;
      isWhole[i] = 1;
      isAny = true;
    }
  }
  return isAny ? isWhole : null;
}

interface Heights {
  readonly values: Float32Array;
  readonly mask: Uint8Array | null;
  readonly width: number;
  readonly height: number;
}

function isWholeAround({ values, mask, width, height }: Heights, column: number, row: number): boolean {
  let [min, max] = [Infinity, -Infinity];
  for (let y = Math.max(0, row - WHOLE_REACH_PX); y <= Math.min(height - 1, row + WHOLE_REACH_PX); y++) {
    for (
      let x = Math.max(0, column - WHOLE_REACH_PX);
      x <= Math.min(width - 1, column + WHOLE_REACH_PX);
      x++
    ) {
      const i = y * width + x;
      if (mask !== null && mask[i] === 0) continue;
      const value = values[i]!;
      if (!Number.isInteger(value)) return false;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  // The sea is 0 m and has no steps.
  return min !== 0 || max !== 0;
}

/** Pixels of a row of the tables: the window around a void, in whole groups of four. */
const TABLE_COLS = 20;
const TABLE_ROWS = 2 * VOID_RADIUS_PX + 1;

/**
 * For the pixels around a void their weights, then the directions in which they lie, as kernels/fill-voids.ts reads
 * them. A void is filled only if known pixels lie around it: three neighbouring octants without any are open ground,
 * since the edge of a large unknown region leaves at least as many, however it runs. Quadrants would not do: next to a
 * diagonal edge three of the four have known pixels.
 */
const voidTables: ArrayBuffer = makeVoidTables();

function makeVoidTables(): ArrayBuffer {
  const length = TABLE_COLS * TABLE_ROWS;
  const tables = new ArrayBuffer(8 * length);
  const weights = new Float32Array(tables, 0, length);
  const octants = new Uint32Array(tables, 4 * length, length);
  for (let y = -VOID_RADIUS_PX; y <= VOID_RADIUS_PX; y++) {
    for (let x = -VOID_RADIUS_PX; x <= VOID_RADIUS_PX; x++) {
      const squarePx = x * x + y * y;
      if (squarePx === 0 || squarePx > VOID_RADIUS_PX ** 2) continue;
      const i = (y + VOID_RADIUS_PX) * TABLE_COLS + x + VOID_RADIUS_PX;
      weights[i] = 1 / squarePx;
      octants[i] = 1 << octantOf(x, y);
    }
  }
  return tables;
}

/** The octant of a direction, from 0 to 7, by whole numbers: each begins at an axis or diagonal and goes up to the next. */
function octantOf(x: number, y: number): number {
  if (x > 0 && y >= 0) return y < x ? 0 : 1;
  if (x <= 0 && y > 0) return -x < y ? 2 : 3;
  if (x < 0 && y <= 0) return -y < -x ? 4 : 5;
  return x < -y ? 6 : 7;
}
