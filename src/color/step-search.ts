import type { Allocate, Kernels } from '../raster/index.ts';

/**
 * Finds how many thresholds are not above a value, in about two memory reads: the range is divided into buckets that
 * know how many thresholds precede them, and the bucket itself is searched by bisection. It is exact despite rounding,
 * because the same function assigns thresholds and values to buckets, and that function never decreases.
 */
export interface StepSearch {
  readonly low: number;
  readonly perUnit: number;
  /** For each bucket, the number of thresholds in all buckets before it. */
  readonly starts: Uint16Array;
  /** The largest power of two that is not above the max number of thresholds in a bucket: bisection begins there. */
  readonly half: number;
  /** Ascending, followed by NaN: nothing is at or above it. */
  readonly thresholds: Float32Array;
}

/** Four for each of 256 colours: in a ramp no bucket has two. */
const FEW_BUCKETS = 1024;
const MANY_BUCKETS = 16_384;
/** Up to this many in a bucket, more buckets would not pay. */
const FEW_IN_BUCKET = 3;

/**
 * Prepares the search; thresholds must not decrease. They are rounded to float32, as the values are. It begins with
 * `buckets` and divides them as long as one has several thresholds.
 */
export function makeStepSearch(given: readonly number[], buckets = FEW_BUCKETS): StepSearch {
  const sorted = Float32Array.from(given);
  let search = fillBuckets(sorted, buckets);
  while (search.half > FEW_IN_BUCKET / 2 && search.starts.length < MANY_BUCKETS) {
    search = fillBuckets(sorted, search.starts.length * 4);
  }
  return search;
}

function fillBuckets(sorted: Float32Array, buckets: number): StepSearch {
  const low = sorted[0] ?? 0;
  const span = (sorted.at(-1) ?? 0) - low;
  const perUnit = span > 0 ? Math.fround(buckets / span) : 0;
  const starts = new Uint16Array(buckets);
  let maxInBucket = 1;
  let [before, bucket, inBucket] = [0, 0, 0];
  for (const threshold of sorted) {
    const own = bucketOf(threshold, low, perUnit, buckets - 1);
    inBucket = own === bucket ? inBucket + 1 : 1;
    maxInBucket = Math.max(maxInBucket, inBucket);
    starts.fill(before, bucket + 1, own + 1);
    bucket = own;
    before++;
  }
  starts.fill(before, bucket + 1);
  const half = 2 ** (31 - Math.clz32(maxInBucket));
  const thresholds = new Float32Array(sorted.length + 2 * half).fill(Number.NaN);
  thresholds.set(sorted);
  return { low, perUnit, starts, half, thresholds };
}

/** In float32, as in kernels/paint-steps.ts: never decreases as the value grows. */
function bucketOf(value: number, low: number, perUnit: number, last: number): number {
  const scaled = Math.fround(Math.fround(value - low) * perUnit);
  return scaled > 0 ? (scaled < last ? Math.floor(scaled) : last) : 0;
}

const JOB_BYTES = 36;

/** A search, and what the kernel writes: `slots` by the number of thresholds not above the value. */
export interface SlotSearch {
  readonly search: StepSearch;
  readonly slots: Uint8Array;
  /** What the kernel needs of a bucket in one place, if none has two thresholds; null otherwise. */
  readonly entries: Uint32Array | null;
}

/** Prepares a search of slots. */
export function makeSlotSearch(search: StepSearch, slots: Uint8Array): SlotSearch {
  const { starts, thresholds, half } = search;
  if (half > 1) return { search, slots, entries: null };
  const entries = new Uint32Array(2 * starts.length);
  const limits = new Float32Array(entries.buffer);
  for (let bucket = 0; bucket < starts.length; bucket++) {
    const before = starts[bucket]!;
    limits[2 * bucket] = thresholds[before]!;
    entries[2 * bucket + 1] = slots[before]! | ((slots[before + 1] ?? 0) << 8);
  }
  return { search, slots, entries };
}

/**
 * Writes a search for kernels/paint-steps.ts into memory and returns the address of its job. The kernel writes `hole`
 * where there is no value.
 */
export function writeSearch(
  kernels: Kernels,
  allocate: Allocate,
  { search, slots, entries, hole }: SlotSearch & { readonly hole: number },
): number {
  const { low, perUnit, starts, half, thresholds } = search;
  const startsAt = allocate(starts.byteLength);
  const thresholdsAt = allocate(thresholds.byteLength);
  const slotsAt = allocate(slots.byteLength);
  const entriesAt = entries === null ? 0 : allocate(entries.byteLength);
  const jobAt = allocate(JOB_BYTES);
  const buffer = kernels.buffer();
  new Uint16Array(buffer, startsAt, starts.length).set(starts);
  new Float32Array(buffer, thresholdsAt, thresholds.length).set(thresholds);
  new Uint8Array(buffer, slotsAt, slots.length).set(slots);
  if (entries !== null) new Uint32Array(buffer, entriesAt, entries.length).set(entries);
  const job = new DataView(buffer, jobAt, JOB_BYTES);
  for (const [i, value] of [low, perUnit, starts.length - 1].entries()) job.setFloat32(i * 4, value, true);
  for (const [i, value] of [half, startsAt, thresholdsAt, slotsAt, hole, entriesAt].entries()) {
    job.setUint32(12 + i * 4, value, true);
  }
  return jobAt;
}
