import type { Allocate, Kernels } from '../raster/index.ts';
import type { ScenePlanes, StackSize, WithIndexes } from './scene-planes.ts';
import { allocateIndexes, checkIndex, makeRoom, makeTable } from './scene-planes.ts';

/** A picture that takes each pixel from the first scene that is clear there. */
export interface FirstFit {
  /** Fills what is still empty from a scene, and returns how many pixels still are. */
  add(scene: ScenePlanes, index: number): number;
  /** Memory for the planes of the first scene, which become the picture without a copy; null after it. */
  room(): Allocate | null;
  readonly indexesAt: number;
  /** The picture so far, which later scenes change in place. */
  finish(): ScenePlanes & WithIndexes;
}

/** Begins an empty picture; all of its memory is allocated here. */
export function makeFirstFit(kernels: Kernels, allocate: Allocate, size: StackSize): FirstFit {
  const { count, channelCount } = size;
  const room = makeRoom(allocate, size);
  const indexesAt = allocateIndexes(kernels, allocate, count);
  const targetOf = makeTable(kernels, allocate, channelCount);
  const tableOf = makeTable(kernels, allocate, channelCount);
  let emptyPx = count;
  let begun: { readonly planes: ScenePlanes; readonly targetAt: number } | null = null;

  const begin = (planes: ScenePlanes) => {
    begun = { planes, targetAt: targetOf(planes) };
    return begun;
  };

  function beginEmpty() {
    const planes = room.planes();
    const buffer = kernels.buffer();
    for (const at of planes.channelsAt) new Uint8Array(buffer, at, 4 * count).fill(0);
    new Uint8Array(buffer, planes.maskAt, count).fill(0);
    return begin(planes);
  }

  return {
    add(scene, index) {
      checkIndex(index);
      if (begun === null && room.holds(scene)) {
        const { targetAt } = begin(scene);
        emptyPx -= kernels.run.keepClear(targetAt, indexesAt, channelCount, count, index);
        return emptyPx;
      }
      const { targetAt } = begun ?? beginEmpty();
      emptyPx -= kernels.run.firstFit(tableOf(scene), targetAt, indexesAt, channelCount, count, index);
      return emptyPx;
    },
    indexesAt,
    room: () => (begun === null ? room.begin() : null),
    finish: () => ({ ...(begun ?? beginEmpty()).planes, indexesAt }),
  };
}
