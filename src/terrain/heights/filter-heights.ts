import type { Allocate, Kernels, MaskedPlane } from '../../raster/index.ts';
import { allocateColumns, allocatePadded, PAD_PX } from '../../raster/index.ts';
import { VOID_BLOCK_PX, VOID_RADIUS_PX, voidTables } from './void-tables.ts';

/** A height is a spike if it is this much farther from its neighbours than they are apart. */
const SPIKE_M = 10;
/** How often the median distance of the neighbours from their median counts as their being apart. */
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

/** Heights in metres in the kernels' memory; `maskAt` says which are known. */
export interface FilteredHeights extends MaskedPlane {
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
