import type { Allocate, Kernels } from '../raster/index.ts';
import type { ScenePlanes, StackSize, WithCounts, WithIndexes } from './scene-planes.ts';
import {
  allocateEmpty,
  allocateFilled,
  allocateIndexes,
  allocateTables,
  checkIndex,
  makeTable,
} from './scene-planes.ts';

/** A scene with the plane of float32 by which its pixels are compared. */
export interface RatedScene extends ScenePlanes {
  readonly valuesAt: number;
}

/** A picture that takes each pixel from the scene with the highest or the lowest value there. */
export interface BestPixels {
  /** Of equal values the first stays. A scene whose value is not a number is not clear in that pixel. */
  add(scene: RatedScene, index: number): void;
  finish(): ScenePlanes & WithIndexes & WithCounts;
}

/** Begins an empty picture; all of its memory is allocated here. */
export function makeBestPixels(
  kernels: Kernels,
  allocate: Allocate,
  { wins, ...size }: StackSize & { readonly wins: 'highest' | 'lowest' },
): BestPixels {
  const { count, channelCount } = size;
  const planes = allocateEmpty(kernels, allocate, size);
  const indexesAt = allocateIndexes(kernels, allocate, count);
  const countsAt = allocateFilled(kernels, allocate, 2 * count);
  const bestAt = allocateFilled(kernels, allocate, 4 * count);
  const targetAt = allocateTables(kernels, allocate, [planes], channelCount);
  const tableOf = makeTable(kernels, allocate, channelCount);
  const targets = [targetAt, bestAt, indexesAt, countsAt, channelCount, count] as const;
  return {
    add(scene, index) {
      checkIndex(index);
      kernels.run.keepBest(tableOf(scene), scene.valuesAt, ...targets, index, wins === 'highest' ? 1 : -1);
    },
    finish: () => ({ ...planes, indexesAt, countsAt }),
  };
}
