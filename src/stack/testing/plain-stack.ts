/** The arithmetic of this room, one pixel after the other, in plain numbers: the reference of its tests. */

/** A scene as arrays. */
export interface PlainScene {
  readonly channels: readonly Float32Array[];
  readonly mask: Uint8Array;
  /** By which pixels are compared. */
  readonly values: Float32Array;
}

/** A clear scene in one pixel. */
export interface Observation {
  readonly index: number;
  readonly channels: readonly number[];
  readonly value: number;
}

/** The clear scenes of a pixel, in their order. */
export const listClear = (scenes: readonly PlainScene[], pixel: number): readonly Observation[] =>
  scenes
    .map(({ channels, mask, values }, index) => ({
      index,
      isClear: (mask[pixel]! & 1) === 1,
      channels: channels.map((plane) => plane[pixel]!),
      value: values[pixel]!,
    }))
    .filter(({ isClear, channels }) => isClear && !channels.some(Number.isNaN));

/** A percentile by linear interpolation. */
export function percentileOf(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * (percent / 100);
  const below = sorted[Math.floor(rank)]!;
  const above = sorted[Math.ceil(rank)]!;
  return below === above ? below : below + (above - below) * (rank - Math.floor(rank));
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The standard deviation in two passes. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** The observation with the least sum of distances; a sum that is not a number counts as infinite. */
export function medoidOf(clear: readonly Observation[]): Observation {
  const sums = clear.map((one) => {
    const sum = clear.reduce((before, other) => (other === one ? before : before + distance(one, other)), 0);
    return Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum;
  });
  return clear[sums.indexOf(Math.min(...sums))]!;
}

const distance = (a: Observation, b: Observation): number =>
  Math.sqrt(
    a.channels.reduce((sum, value, i) => sum + (value - b.channels[i]!) * (value - b.channels[i]!), 0),
  );

/** The observation with the highest value times `sign`. */
export const bestOf = (clear: readonly Observation[], sign: number): Observation =>
  clear.reduce((best, one) => (one.value * sign > best.value * sign ? one : best));

/** The blend of observations, the front one first, whose values are opaque from `opaqueAt` on. */
export function blendOf(clear: readonly Observation[], opaqueAt: number) {
  const seen = clear.filter(({ value }) => value > 0);
  let weight = 0;
  const weights = seen.map(({ value }) => {
    const part = (1 - weight) * Math.min(1, value / opaqueAt);
    weight += part;
    return part;
  });
  const greatest = Math.max(...weights.map(Math.fround));
  return {
    weight,
    index: seen[weights.map(Math.fround).indexOf(greatest)]?.index,
    channels:
      seen[0]?.channels.map(
        (_, channel) => seen.reduce((sum, one, i) => sum + weights[i]! * one.channels[channel]!, 0) / weight,
      ) ?? [],
  };
}
