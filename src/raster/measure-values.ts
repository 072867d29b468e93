import type { Statistics } from '../stats/index.ts';
import { fromKey, joinStatistics, toKey, toMoments } from '../stats/index.ts';
import type { Allocate, Kernels } from './kernels.ts';

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
 * bit to `toStatistics`. The values are lost.
 */
export function measureValues(
  kernels: Kernels,
  allocate: Allocate,
  { valuesAt, count }: { readonly valuesAt: number; readonly count: number },
): Statistics | null {
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
  return joinStatistics(moments, { count: finite, valuesAt: select });

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
