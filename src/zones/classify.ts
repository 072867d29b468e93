/** Pixels become zones: classes of their values, smoothed, without holes and without small patches. */
import { assignClusters, fitClusters, sieve } from '../numbers/index.ts';

/** How values are divided: by clusters of similar values, or into classes of equal area. */
export type ZoneMethod = 'kmeans' | 'quantiles';

/** The shape of a field in pixels. */
export interface FieldMask {
  readonly width: number;
  readonly height: number;
  /** 1 for pixels of the field. */
  readonly inside: Uint8Array;
}

/** What zones are made by. */
export interface ZoneRules {
  readonly count: number;
  readonly method: ZoneMethod;
  /** How often each pixel takes the most frequent zone around it. */
  readonly smoothing: number;
  /** Smaller patches become part of their largest neighbour. */
  readonly minPixels: number;
}

/** The zone of each pixel, from 1 for the lowest values; 0 outside of the field. All 0 if no pixel has a value. */
export function classify(
  scores: Float32Array,
  field: FieldMask,
  { count, method, smoothing, minPixels }: ZoneRules,
): Uint8Array {
  const classes = method === 'kmeans' ? byClusters(scores, count) : byQuantiles(scores, count);
  let zones = fillNearest(classes, field);
  for (let pass = 0; pass < smoothing; pass++) zones = takeMajority(zones, field);
  return minPixels > 1
    ? sieve({ labels: zones, width: field.width, height: field.height }, minPixels)
    : zones;
}

function byClusters(scores: Float32Array, count: number): Uint8Array {
  const features = { planes: [scores], mask: null };
  const model = fitClusters(features, count);
  return model === null ? new Uint8Array(scores.length) : assignClusters(model, features);
}

/** Classes between quantiles that NumPy's default interpolates; a value on a bound belongs to the lower class. */
export function byQuantiles(scores: Float32Array, count: number): Uint8Array {
  const sorted = scores.filter((value) => !Number.isNaN(value)).sort();
  const bounds = Array.from({ length: count - 1 }, (_, i) => {
    const position = ((i + 1) / count) * (sorted.length - 1);
    const below = sorted[Math.floor(position)]!;
    return below + (position - Math.floor(position)) * (sorted[Math.ceil(position)]! - below);
  });
  return Uint8Array.from(scores, (value) => {
    if (Number.isNaN(value)) return 0;
    let zone = 1;
    while (zone < count && value > bounds[zone - 1]!) zone++;
    return zone;
  });
}

/** Pixels of the field without a class take that of the nearest one, step by step over sides of pixels. */
export function fillNearest(classes: Uint8Array, { width, height, inside }: FieldMask): Uint8Array {
  const filled = classes.map((own, i) => (inside[i] === 1 ? own : 0));
  let front: number[] = [];
  for (let i = 0; i < filled.length; i++) if (filled[i] !== 0) front.push(i);
  while (front.length > 0) {
    const next: number[] = [];
    for (const i of front) {
      const column = i % width;
      for (const other of [
        i - width,
        column > 0 ? i - 1 : -1,
        column < width - 1 ? i + 1 : -1,
        i + width < width * height ? i + width : -1,
      ]) {
        if (other < 0 || filled[other] !== 0 || inside[other] !== 1) continue;
        filled[other] = filled[i]!;
        next.push(other);
      }
    }
    front = next;
  }
  return filled;
}

/** The most frequent zone of each pixel and the eight around it; its own if that is among the most frequent, else the lowest. */
export function takeMajority(zones: Uint8Array, { width, height }: FieldMask): Uint8Array {
  const counts = new Uint8Array(256);
  return zones.map((own, i) => {
    if (own === 0) return 0;
    const [column, row] = [i % width, Math.floor(i / width)];
    counts.fill(0);
    for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++)
        counts[zones[y * width + x]!]! += 1;
    counts[0] = 0;
    const most = counts.reduce((max, count) => Math.max(max, count), 0);
    return counts[own] === most ? own : counts.indexOf(most);
  });
}
