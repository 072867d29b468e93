import type { Allocate, Kernels } from '../../raster/index.ts';
import type { RatedScene } from '../best-pixels.ts';
import type { ScenePlanes, WithCounts, WithIndexes } from '../scene-planes.ts';
import type { PlainScene } from './plain-stack.ts';

/** How a random stack is made. */
export interface StackRecipe {
  readonly seed: number;
  readonly sceneCount: number;
  readonly channelCount: number;
  readonly count: number;
  /** The share of clear pixels. */
  readonly clearShare: number;
  /** Few values, so that many are equal; or fractions; or small differences of large numbers, with odd ones among them. */
  readonly kind: 'whole' | 'fractions' | 'odd';
}

/** Numbers from 0 to 1 that a seed determines. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The lowest bits of such a generator repeat soon.
    return (state >>> 8) / 2 ** 24;
  };
}

const ODD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38, -3e38, 1e-40];

/** Scenes with holes. */
export function makeStack(recipe: StackRecipe): readonly PlainScene[] {
  const { seed, sceneCount, channelCount, count, clearShare, kind } = recipe;
  const random = makeRandom(seed);
  const nextValue = (): number => {
    if (kind === 'whole') return Math.floor(5 * random());
    if (kind === 'fractions') return random() - 0.25;
    return random() < 0.1 ? ODD[Math.floor(ODD.length * random())]! : 1e5 + random();
  };
  const plane = () => new Float32Array(count).map(nextValue);
  return Array.from({ length: sceneCount }, () => ({
    channels: Array.from({ length: channelCount }, plane),
    // Only the lowest bit counts.
    mask: new Uint8Array(count).map(() => 2 * Math.floor(2 * random()) + Number(random() < clearShare)),
    values: plane(),
  }));
}

/** Copies an array into the kernels' memory. */
export function put(kernels: Kernels, allocate: Allocate, array: Float32Array | Uint8Array): number {
  const at = allocate(array.byteLength);
  new Uint8Array(kernels.buffer(), at, array.byteLength).set(
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  );
  return at;
}

/** Copies scenes into the kernels' memory; channels follow each other at multiples of 16 bytes, as those of a warp do. */
export function putScenes(
  kernels: Kernels,
  allocate: Allocate,
  scenes: readonly PlainScene[],
): readonly RatedScene[] {
  return scenes.map(({ channels, mask, values }) => {
    const planeBytes = Math.ceil(values.byteLength / 16) * 16;
    const firstAt = allocate(planeBytes * channels.length);
    const channelsAt = channels.map((_, i) => firstAt + i * planeBytes);
    for (const [i, at] of channelsAt.entries())
      new Float32Array(kernels.buffer(), at, values.length).set(channels[i]!);
    return {
      channelsAt,
      maskAt: put(kernels, allocate, mask),
      valuesAt: put(kernels, allocate, values),
    };
  });
}

/** Copies of a result. */
export function readPlanes(
  kernels: Kernels,
  { channelsAt, maskAt, countsAt, indexesAt }: ScenePlanes & Partial<WithCounts & WithIndexes>,
  count: number,
) {
  const buffer = kernels.buffer();
  const words = (at: number | undefined) => (at === undefined ? [] : [...new Uint16Array(buffer, at, count)]);
  return {
    channels: channelsAt.map((at) => new Float32Array(buffer, at, count).slice()),
    mask: [...new Uint8Array(buffer, maskAt, count)],
    counts: words(countsAt),
    indexes: words(indexesAt),
  };
}
