import type { Allocate, Kernels } from '../raster/index.ts';
import type { ScenePlanes, StackSize, WithIndexes } from './scene-planes.ts';
import {
  allocateEmpty,
  allocateFilled,
  allocateIndexes,
  allocateSums,
  checkIndex,
  makeTable,
  wholeBlocks,
} from './scene-planes.ts';

/** A scene with its opacity. */
export interface ScenePart extends ScenePlanes {
  /**
   * A plane of float32: the pixel is opaque from `opaqueAt` on, and invisible at 0, below, and where it is not a number.
   * For feathered edges it is the distance to the edge, and `opaqueAt` the width of the feather.
   */
  readonly alphasAt: number;
  readonly opaqueAt: number;
}

/** Scenes over each other, the front one first. */
export interface Blend {
  /** Adds a scene behind those before, and returns how many pixels are not opaque yet. */
  add(scene: ScenePart, index: number): number;
  /**
   * Values by weight, divided by the sum of weights, so that a pixel is masked only if no scene is visible in it. Indexes
   * are those of the scenes with the most weight, the first of equal ones.
   */
  finish(): ScenePlanes & WithIndexes;
}

/** Begins an empty blend, in double precision; all of its memory is allocated here. */
export function makeBlend(kernels: Kernels, allocate: Allocate, size: StackSize): Blend {
  const { count, channelCount } = size;
  const planes = allocateEmpty(kernels, allocate, size);
  const indexesAt = allocateIndexes(kernels, allocate, count);
  const sums = allocateSums(kernels, allocate, size);
  const weightsAt = allocateFilled(kernels, allocate, 8 * wholeBlocks(count));
  const greatestAt = allocateFilled(kernels, allocate, 4 * count);
  const tableOf = makeTable(kernels, allocate, channelCount);
  let openPx = count;
  return {
    add(scene, index) {
      checkIndex(index);
      const target = [sums.tableAt, weightsAt, greatestAt, indexesAt, channelCount, count] as const;
      openPx -= kernels.run.addBlend(tableOf(scene), scene.alphasAt, scene.opaqueAt, ...target, index);
      return openPx;
    },
    finish() {
      for (const [i, to] of planes.channelsAt.entries())
        kernels.run.finishBlend(sums.planesAt[i]!, weightsAt, to, planes.maskAt, count);
      return { ...planes, indexesAt };
    },
  };
}
