import type { Allocate, Kernels } from '../raster/index.ts';
import { internal } from './errors.ts';
import type { ScenePlanes, WithCounts, WithIndexes } from './scene-planes.ts';
import { allocateIndexes, allocateTables, makeRoom } from './scene-planes.ts';

/** Scenes that lie in memory together, since each pixel needs all of them at once. */
interface Stack {
  /** One or more, up to `MAX_STACK`, with the same number of channels. */
  readonly scenes: readonly ScenePlanes[];
  /** Pixels of every plane. */
  readonly count: number;
}

/** Scenes that a stack can have. */
export const MAX_STACK = 64;

/**
 * The percentile of each channel over the clear scenes of a pixel, 0 to 100: between two values by linear interpolation,
 * as `numpy.percentile` does by default. 50 is the median: of an even number the mean of the middle two.
 */
export function stackPercentile(
  kernels: Kernels,
  allocate: Allocate,
  { percent, ...stack }: Stack & { readonly percent: number },
): ScenePlanes & WithCounts {
  if (!(percent >= 0 && percent <= 100))
    throw internal('stack-percent', `A percentile lies between 0 and 100: ${percent} does not.`);
  const { planes, countsAt, numbers, channelCount } = prepare(kernels, allocate, stack);
  const { count, scenes } = stack;
  // A row of 16 pixels, its clear bytes and an address for each scene (kernels/stack-percentile.ts).
  const workAt = allocate(scenes.length * (64 + 16 + 4));
  kernels.run.stackPercentile(...numbers, countsAt, channelCount, count, percent / 100, workAt);
  return { ...planes, countsAt };
}

/**
 * The medoid of each pixel: the clear scene with the least sum of Euclidean distances, over all channels, to the other
 * clear ones; of several the first. Unlike medians of channels, its colour is one that a sensor has seen. Indexes are
 * places in the stack.
 */
export function stackMedoid(
  kernels: Kernels,
  allocate: Allocate,
  stack: Stack,
): ScenePlanes & WithCounts & WithIndexes {
  const { planes, countsAt, numbers, channelCount } = prepare(kernels, allocate, stack);
  const { count, scenes } = stack;
  const indexesAt = allocateIndexes(kernels, allocate, count);
  // Rows of 16 doubles for each channel, for lanes and for sums; clear bytes; an address (kernels/stack-medoid.ts).
  const workAt = allocate(scenes.length * (128 * (channelCount + 2) + 16 + 4));
  kernels.run.stackMedoid(...numbers, indexesAt, countsAt, channelCount, count, workAt);
  return { ...planes, countsAt, indexesAt };
}

/** What both kernels begin with. */
function prepare(kernels: Kernels, allocate: Allocate, { scenes, count }: Stack) {
  if (scenes.length < 1 || scenes.length > MAX_STACK)
    throw internal('stack-scenes', `A stack has 1 to ${MAX_STACK} scenes, not ${scenes.length}.`);
  const channelCount = scenes[0]!.channelsAt.length;
  // The kernels write every pixel.
  const planes = makeRoom(allocate, { count, channelCount }).planes();
  const countsAt = allocate(2 * count);
  const scenesAt = allocateTables(kernels, allocate, scenes, channelCount);
  const targetAt = allocateTables(kernels, allocate, [planes], channelCount);
  return { planes, countsAt, channelCount, numbers: [scenesAt, scenes.length, targetAt] as const };
}
