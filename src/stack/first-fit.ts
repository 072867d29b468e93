import type { Allocate, Kernels } from '../raster/index.ts';
import type { ScenePlanes, StackSize, WithIndexes } from './scene-planes.ts';
import { allocateEmpty, allocateIndexes, allocateTables, checkIndex, makeTable } from './scene-planes.ts';

/** A picture that takes each pixel from the first scene that is clear there. */
export interface FirstFit {
  /** Fills what is still empty from a scene, and returns how many pixels still are. */
  add(scene: ScenePlanes, index: number): number;
  finish(): ScenePlanes & WithIndexes;
}

/** Begins an empty picture; all of its memory is allocated here. */
export function makeFirstFit(kernels: Kernels, allocate: Allocate, size: StackSize): FirstFit {
  const { count, channelCount } = size;
  const planes = allocateEmpty(kernels, allocate, size);
  const indexesAt = allocateIndexes(kernels, allocate, count);
  const targetAt = allocateTables(kernels, allocate, [planes], channelCount);
  const tableOf = makeTable(kernels, allocate, channelCount);
  let emptyPx = count;
  return {
    add(scene, index) {
      checkIndex(index);
      emptyPx -= kernels.run.firstFit(tableOf(scene), targetAt, indexesAt, channelCount, count, index);
      return emptyPx;
    },
    finish: () => ({ ...planes, indexesAt }),
  };
}
