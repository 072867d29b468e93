import type { Allocate, Kernels } from '../raster/index.ts';
import type { ScenePlanes, StackSize, WithCounts } from './scene-planes.ts';
import { allocateEmpty, allocateFilled, allocateSums, makeTable } from './scene-planes.ts';

/** A picture of numbers about the clear scenes of each pixel. */
export interface PixelSums {
  add(scene: ScenePlanes): void;
  /** A pixel without a clear scene is masked. */
  finish(): ScenePlanes & WithCounts;
}

/** Begins the mean of scenes, in double precision; all of its memory is allocated here. */
export function makePixelMean(kernels: Kernels, allocate: Allocate, size: StackSize): PixelSums {
  const { count, channelCount } = size;
  const planes = allocateEmpty(kernels, allocate, size);
  const countsAt = allocateFilled(kernels, allocate, 2 * count);
  const sums = allocateSums(kernels, allocate, size);
  const tableOf = makeTable(kernels, allocate, channelCount);
  return {
    add(scene) {
      kernels.run.addSums(tableOf(scene), countsAt, sums.tableAt, channelCount, count);
    },
    finish() {
      for (const [i, to] of planes.channelsAt.entries())
        kernels.run.finishMoments(sums.planesAt[i]!, countsAt, to, count, 0);
      kernels.run.maskCounted(countsAt, planes.maskAt, count);
      return { ...planes, countsAt };
    },
  };
}

/** Begins the standard deviation of scenes (that of the population, as `numpy.std`), in double precision. */
export function makePixelDeviation(kernels: Kernels, allocate: Allocate, size: StackSize): PixelSums {
  const { count, channelCount } = size;
  const planes = allocateEmpty(kernels, allocate, size);
  const countsAt = allocateFilled(kernels, allocate, 2 * count);
  const means = allocateSums(kernels, allocate, size);
  const squares = allocateSums(kernels, allocate, size);
  const tableOf = makeTable(kernels, allocate, channelCount);
  return {
    add(scene) {
      const moments = [means.tableAt, squares.tableAt] as const;
      kernels.run.addMoments(tableOf(scene), countsAt, ...moments, channelCount, count);
    },
    finish() {
      for (const [i, to] of planes.channelsAt.entries())
        kernels.run.finishMoments(squares.planesAt[i]!, countsAt, to, count, 1);
      kernels.run.maskCounted(countsAt, planes.maskAt, count);
      return { ...planes, countsAt };
    },
  };
}

/** Begins the number of clear scenes, which the result has as its only channel too; scenes have `channelCount`. */
export function makePixelCount(kernels: Kernels, allocate: Allocate, size: StackSize): PixelSums {
  const { count, channelCount } = size;
  const planes = allocateEmpty(kernels, allocate, { count, channelCount: 1 });
  const countsAt = allocateFilled(kernels, allocate, 2 * count);
  const tableOf = makeTable(kernels, allocate, channelCount);
  return {
    add(scene) {
      kernels.run.addCount(tableOf(scene), countsAt, channelCount, count);
    },
    finish() {
      kernels.run.countsToFloats(countsAt, planes.channelsAt[0]!, count);
      kernels.run.maskCounted(countsAt, planes.maskAt, count);
      return { ...planes, countsAt };
    },
  };
}
