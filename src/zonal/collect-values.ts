/** The values of an area in the kernels' memory: which pixels count, and the statistics of what was collected. */
import type { Summary } from '../numbers/index.ts';
import { fromKey, toKey, toMoments, toSummary } from '../numbers/index.ts';
import type { Allocate, Kernels } from '../raster/index.ts';

/** The bits of a pixel's flag, as in kernels/collect-values.ts: a cloud, one that does not count, no data at all. */
export const CLOUD_FLAGS = { counted: 1, masked: 2, noData: 4 } as const;

/** A plane in the kernels' memory, and which of its pixels are collected. */
interface CollectedPlane {
  readonly valuesAt: number;
  /** A byte per pixel, 0 where it has no data. */
  readonly maskAt: number;
  /** A byte per pixel; 0 if no pixel has a flag. */
  readonly flagsAt: number;
  /** Pairs of 32-bit numbers: the first pixel, and the one after the last. */
  readonly spansAt: number;
  readonly spanCount: number;
}

/** Values that count, in the kernels' memory. */
export interface CollectedValues {
  readonly valuesAt: number;
  /** How many there are. */
  readonly count: number;
  /** Pixels with data, clouds included. */
  readonly validPx: number;
  readonly cloudPx: number;
  add(plane: CollectedPlane): void;
}

/** Begins a collection with room for a number of pixels. */
export function makeCollectedValues(kernels: Kernels, allocate: Allocate, pixels: number): CollectedValues {
  // The kernel writes a value before it knows whether it counts.
  const valuesAt = allocate(4 * (pixels + 1));
  const countsAt = allocate(8);
  let until = valuesAt;
  const readCounts = () => new Uint32Array(kernels.buffer(), countsAt, 2);
  readCounts().fill(0);
  return {
    valuesAt,
    get count() {
      return (until - valuesAt) / 4;
    },
    get validPx() {
      return readCounts()[0] as number;
    },
    get cloudPx() {
      return readCounts()[1] as number;
    },
    add({ valuesAt: from, maskAt, flagsAt, spansAt, spanCount }) {
      until = kernels.run.collectValues(from, maskAt, flagsAt, spansAt, spanCount, until, countsAt);
    },
  };
}

/** The sums, bins and work memory of kernels/sum-values.ts and kernels/select-values.ts. */
const SUMS = 512 * 3;
const BINS = 65_536;
const SUM_WORK_BYTES = 64 * 1024;
const SELECT_WORK_BYTES = 768 * 1024;

/** The bits of the float32 -0. */
const NEGATIVE_ZERO = 0x80000000;

/** The work memory of measuring values, in addition to them. */
export const MEASURE_BYTES = 8 * SUMS + 4 * BINS + SELECT_WORK_BYTES;

/** Up to this many values the kernel of kernels/few-values.ts takes less time than those of many. */
export const FEW_VALUES = 16_384;

/** What `summarizeFew` writes, its work memory, and the bytes after the values that it reads. */
const FEW_NUMBERS = 11;
export const fewWorkBytes = (count: number): number => 16 * Math.min(count, FEW_VALUES) + 8_192;
const FEW_ROOM_BYTES = 64;

/**
 * Statistics of float32 values in the kernels' memory, those that are finite; null when there are none. Equal to the last
 * bit to `summarize`. The values are lost.
 */
export function measureValues(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, count }: { readonly valuesAt: number; readonly count: number },
): Summary | null {
  if (count <= FEW_VALUES) {
    const found = measureFew(kernels, allocate, { valuesAt, count });
    if (found !== 'wide') return found;
  }
  const sumsAt = allocate(8 * SUMS);
  const extentAt = allocate(8);
  const binsAt = allocate(4 * BINS);
  const workAt = allocate(Math.max(SUM_WORK_BYTES, SELECT_WORK_BYTES));
  const finite = kernels.run.sumValues(valuesAt, count, sumsAt, extentAt, binsAt, workAt);
  const [min, max] = new Float32Array(kernels.buffer(), extentAt, 2) as unknown as [number, number];
  const [minBits] = new Uint32Array(kernels.buffer(), extentAt, 1) as unknown as [number];
  // The two zeros are equal, but the negative one has the smaller key.
  const leastKey = toKey(min === 0 ? NEGATIVE_ZERO : minBits);
  const sums = new Float64Array(kernels.buffer(), sumsAt, SUMS);
  const moments = toMoments(sums, { count: finite, min, max });
  if (moments === null) return null;
  return toSummary(moments, { count: finite, valuesAt: select });

  function select(ranks: readonly number[]): number[] {
    const sorted = Uint32Array.from(ranks).sort();
    const ranksAt = allocate(4 * ranks.length);
    const memory = new Uint32Array(kernels.buffer(), ranksAt, ranks.length);
    memory.set(sorted);
    kernels.run.selectValues(valuesAt, count, binsAt, leastKey, ranksAt, ranks.length, workAt);
    const values = new Float32Array(Uint32Array.from(memory, fromKey).buffer);
    // No negative zero.
    return ranks.map((rank) => (values[sorted.indexOf(rank)] as number) + 0);
  }
}

/** The same for few values; those that span very many powers of two are not measured. */
function measureFew(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, count }: { readonly valuesAt: number; readonly count: number },
): Summary | null | 'wide' {
  allocate(FEW_ROOM_BYTES);
  const outAt = allocate(8 * FEW_NUMBERS);
  const finite = kernels.run.summarizeFew(valuesAt, count, outAt, allocate(fewWorkBytes(count)));
  if (finite <= 0) return finite === 0 ? null : 'wide';
  const numbers = new Float64Array(kernels.buffer(), outAt, FEW_NUMBERS);
  const [total, min, max, average, std, variance, q1, median, q3, p10, p90] = numbers as unknown as [
    ...[number, number, number, number, number, number, number, number, number, number, number],
  ];
  return { count: total, min, max, average, std, variance, q1, median, q3, p10, p90 };
}
