import type { Summary } from '../numbers/index.ts';
import { fromKey, toKey, toMoments, toSummary } from '../numbers/index.ts';
import type { Allocate, Kernels } from './kernels.ts';
import type { PixelWindow } from './plan-warp.ts';

/** The bits of a pixel's flag, as in kernels/collect-values.ts: a cloud, one that does not count, no data at all. */
export const CLOUD_FLAGS = { counted: 1, masked: 2, noData: 4 } as const;

/** A plane in the kernels' memory, and which of its pixels are collected. */
export interface CollectedPlane {
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

/** Begins a collection, with room for so many pixels. */
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

/** A classification in the kernels' memory. */
interface ClassPlane {
  readonly valuesAt: number;
  /** A byte per pixel: where it is 0 the class is 0; 0 if there is data everywhere. */
  readonly maskAt: number;
  readonly count: number;
}

/** Adds a flag to the pixels of some classes; true if there are any. */
export function flagClasses(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, maskAt, count }: ClassPlane,
  {
    classes,
    flag,
    flagsAt,
  }: { readonly classes: readonly number[]; readonly flag: number; readonly flagsAt: number },
): boolean {
  const classesAt = allocate(4 * classes.length);
  new Float32Array(kernels.buffer(), classesAt, classes.length).set(classes);
  return kernels.run.flagClasses(valuesAt, maskAt, count, classesAt, classes.length, flag, flagsAt) === 1;
}

/** Pixels of a coarser grid, each of which is several of a finer one on each axis. */
export interface RepeatedPixels {
  /** Those of the coarser grid that cover the finer one. */
  readonly window: PixelWindow;
  /** Finer pixels on each axis of a coarser one. */
  readonly times: number;
  /** Columns and rows of the first coarser pixel that lie before the finer grid. */
  readonly startCol: number;
  readonly startRow: number;
}

/** Adds the flags of a window of a coarser grid to those of a finer one. */
export function repeatFlags(
  kernels: Kernels,
  { window, times, startCol, startRow }: RepeatedPixels,
  {
    coarseAt,
    flagsAt,
    width,
    height,
  }: { readonly coarseAt: number; readonly flagsAt: number; readonly width: number; readonly height: number },
): void {
  kernels.run.repeatFlags(coarseAt, window.width, flagsAt, width, height, times, startCol, startRow);
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

/**
 * Statistics of float32 values in the kernels' memory, those that are finite; null when there are none. Equal to the last
 * bit to `summarize`. The values are lost.
 */
export function measureValues(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, count }: { readonly valuesAt: number; readonly count: number },
): Summary | null {
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
