import type { Allocate } from '../raster/index.ts';
import type { PixelWork } from '../render/native/index.ts';
import type { ScenePlanes, WithCounts, WithIndexes } from '../stack/index.ts';
import {
  distanceToEdge,
  makeBestPixels,
  makeBlend,
  makeFirstFit,
  makePixelCount,
  makePixelDeviation,
  makePixelMean,
  makeRoom,
  NO_SCENE,
  stackMedoid,
  stackPercentile,
} from '../stack/index.ts';
import type { ComposeJob, FilledPixels } from './compose-job.ts';
import type { Selection } from './mosaic.ts';

/** A scene on the grid of a mosaic, in the kernels' memory. */
export interface AddedScene extends ScenePlanes {
  /** What the selection compares; 0 if it compares nothing. */
  readonly valuesAt: number;
}

/** The pixels of a mosaic; indexes where they come from one scene each, counts where all scenes were read. */
export interface ComposedPlanes extends ScenePlanes, Partial<WithIndexes & WithCounts> {}

/** A mosaic in the making. */
export interface Accumulator {
  /** The memory of the scene is free afterwards, except for what `room` gave. */
  add(scene: AddedScene, index: number, allocate: Allocate): void;
  /** Memory for the planes of the next scene, which then need no copy; null if they are not kept as they are. */
  room(): Allocate | null;
  /** Whether neither the scene with this index nor any later one would change a pixel. */
  isFull(index: number): boolean;
  /** Where the index of each pixel's scene is: one with a smaller index takes its place. Null if all scenes count everywhere. */
  readonly indexesAt: number | null;
  /** All memory of scenes is free by then; what the result needs is taken from `allocate`. */
  finish(allocate: Allocate): ComposedPlanes;
}

/** Begins a mosaic, with what jobs before this one have filled; all memory that outlives a scene is allocated here. */
export function makeAccumulator(
  job: Pick<ComposeJob, 'selection' | 'grid' | 'padPx' | 'channels' | 'featherPx' | 'before' | 'scenes'>,
  work: PixelWork,
): Accumulator {
  const { selection, grid, channels: channelCount } = job;
  const { kernels, allocate } = work;
  const size = { count: grid.width * grid.height, channelCount };
  switch (selection.kind) {
    case 'highest':
    case 'lowest': {
      const best = makeBestPixels(kernels, allocate, { ...size, wins: selection.kind });
      return toStreaming(best);
    }
    case 'mean':
      return toStreaming(makePixelMean(kernels, allocate, size));
    case 'deviation':
      return toStreaming(makePixelDeviation(kernels, allocate, size));
    case 'count':
      return toStreaming(makePixelCount(kernels, allocate, size));
    case 'median':
    case 'percentile':
    case 'medoid':
      return makeStack(selection, { ...size, scenes: job.scenes.length }, work);
    default:
      return job.featherPx === 0 ? fillUp(job, work) : blend(job, work);
  }
}

interface Streaming {
  add(scene: AddedScene, index: number): void;
  finish(): ComposedPlanes;
}

const toStreaming = ({ add, finish }: Streaming): Accumulator => ({
  add,
  finish,
  room: () => null,
  isFull: () => false,
  indexesAt: null,
});

/** Scenes that are computed are copied out of the memory that they are read in: the next one is read there. */
function makeStack(
  selection: Selection,
  {
    count,
    channelCount,
    scenes: most,
  }: { readonly count: number; readonly channelCount: number; readonly scenes: number },
  { kernels, allocate }: PixelWork,
): Accumulator {
  const planeBytes = 4 * count;
  const rooms = Array.from({ length: most }, () => makeRoom(allocate, { count, channelCount }));
  const scenes: ScenePlanes[] = [];
  const indexes: number[] = [];

  function copy({ channelsAt, maskAt }: ScenePlanes, to: ScenePlanes): ScenePlanes {
    const memory = new Uint8Array(kernels.buffer());
    for (const [i, at] of channelsAt.entries()) memory.copyWithin(to.channelsAt[i]!, at, at + planeBytes);
    if (maskAt === 0) memory.fill(1, to.maskAt, to.maskAt + count);
    else memory.copyWithin(to.maskAt, maskAt, maskAt + count);
    return to;
  }

  return {
    add(scene, index) {
      const room = rooms[indexes.length]!;
      scenes.push(room.holds(scene) ? scene : copy(scene, room.planes()));
      indexes.push(index);
    },
    room: () => rooms[indexes.length]!.begin(),
    isFull: () => false,
    indexesAt: null,
    finish(free) {
      if (indexes.length === 0) return { channelsAt: [], maskAt: 0 };
      if (selection.kind !== 'medoid') {
        const percent = selection.kind === 'percentile' ? selection.percent : 50;
        return stackPercentile(kernels, free, { scenes, count, percent });
      }
      const chosen = stackMedoid(kernels, free, { scenes, count });
      // Places in the stack become those among the candidates.
      const places = new Uint16Array(kernels.buffer(), chosen.indexesAt, count);
      for (let i = 0; i < count; i += 1) places[i] = indexes[places[i]!] ?? places[i]!;
      return chosen;
    },
  };
}

/** Takes each pixel from the first scene that has it, in the order of indexes: scenes may be added in another one. */
function fillUp(
  { grid, padPx, channels: channelCount, before }: Pick<ComposeJob, 'grid' | 'padPx' | 'channels' | 'before'>,
  { kernels, allocate }: PixelWork,
): Accumulator {
  const count = grid.width * grid.height;
  const fit = makeFirstFit(kernels, allocate, { count, channelCount });
  let empty = count;
  let reopened = 0;
  let latest = -1;
  if (before !== null) restore(before);
  else if (padPx > 0) fillAround();
  return {
    add(scene, index) {
      if (index < latest) reopened += reopen(scene, index);
      empty = fit.add(scene, index) + reopened;
      latest = Math.max(latest, index);
    },
    room: fit.room,
    isFull: (index) => empty === 0 && index > latest,
    indexesAt: fit.indexesAt,
    finish: fit.finish,
  };

  /** The pixels around the result only widen masks: they count as those of the first scene, and need no other. */
  function fillAround(): void {
    const { width, height } = grid;
    const maskAt = allocate(count);
    const around = new Uint8Array(kernels.buffer(), maskAt, count).fill(1);
    for (let row = padPx; row < height - padPx; row += 1)
      around.fill(0, row * width + padPx, (row + 1) * width - padPx);
    empty = fit.add({ channelsAt: fit.finish().channelsAt, maskAt }, 0);
  }

  /** Empties the pixels of later scenes that this one shows too; returns their number. */
  function reopen({ channelsAt, maskAt }: ScenePlanes, index: number): number {
    const buffer = kernels.buffer();
    const planes = fit.finish();
    const indexes = new Uint16Array(buffer, planes.indexesAt, count);
    const filled = new Uint8Array(buffer, planes.maskAt, count);
    const clear = maskAt === 0 ? null : new Uint8Array(buffer, maskAt, count);
    const channels = channelsAt.map((at) => new Float32Array(buffer, at, count));
    let pixels = 0;
    for (let i = 0; i < count; i += 1) {
      if (filled[i] === 0 || indexes[i]! < index || clear?.[i] === 0) continue;
      if (channels.some((values) => Number.isNaN(values[i]))) continue;
      filled[i] = 0;
      pixels += 1;
    }
    return pixels;
  }

  function restore({ channels, mask, indexes }: FilledPixels): void {
    const own = fit.room() ?? allocate;
    const channelsAt = channels.map((values) => {
      const at = own(values.byteLength);
      new Float32Array(kernels.buffer(), at, count).set(values);
      return at;
    });
    const maskAt = own(count);
    new Uint8Array(kernels.buffer(), maskAt, count).set(mask);
    empty = fit.add({ channelsAt, maskAt }, 0);
    new Uint16Array(kernels.buffer(), fit.indexesAt, count).set(indexes);
    for (const index of indexes) if (index !== NO_SCENE && index > latest) latest = index;
  }
}

/** Fades each scene into those behind it, towards the edges of what it shows. */
function blend(
  { grid, channels: channelCount, featherPx }: Pick<ComposeJob, 'grid' | 'channels' | 'featherPx'>,
  { kernels, allocate }: PixelWork,
): Accumulator {
  const { width, height } = grid;
  const fading = makeBlend(kernels, allocate, { count: width * height, channelCount });
  let open = width * height;
  return {
    add(scene, index, free) {
      const { maskAt } = scene;
      const alphasAt = distanceToEdge(kernels, free, { maskAt, width, height, maxPx: featherPx });
      open = fading.add({ ...scene, alphasAt, opaqueAt: featherPx }, index);
    },
    room: () => null,
    isFull: () => open === 0,
    indexesAt: null,
    finish: fading.finish,
  };
}
