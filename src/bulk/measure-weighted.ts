import type { Summary } from '../numbers/index.ts';
import type { Kernels } from '../raster/index.ts';
import { FEW_VALUES } from '../zonal/measuring.ts';
import { SUMMARY_NUMBERS, toSummary } from './scene-numbers.ts';
import { summarizeWeighted } from './weighted-values.ts';

/** The work memory of the kernel `summarizeWeighted`. */
export const weightedWorkBytes = (count: number): number => 32 * Math.min(count, FEW_VALUES) + 32_768;

/** Values and weights in the kernels' memory. */
interface WeightedMemory {
  readonly valuesAt: number;
  readonly weightsAt: number;
  readonly count: number;
  /** Memory for the work, and for the numbers. */
  readonly workAt: number;
  readonly outAt: number;
}

/** Statistics of weighted values, as `summarizeWeighted`, by the kernel if they are few. Values and weights are lost. */
export function measureWeighted(
  kernels: Kernels,
  { valuesAt, weightsAt, count, workAt, outAt }: WeightedMemory,
): Summary | null {
  if (count > FEW_VALUES) {
    return summarizeWeighted({
      values: new Float32Array(kernels.buffer(), valuesAt, count),
      weights: new Float32Array(kernels.buffer(), weightsAt, count),
    });
  }
  if (kernels.run.summarizeWeighted(valuesAt, weightsAt, count, outAt, workAt) === 0) return null;
  return toSummary(new Float64Array(kernels.buffer(), outAt, SUMMARY_NUMBERS), 0);
}

/** The same for values of several shapes outside of the kernels' memory. */
export function makeMeasureCopies(kernels: Kernels, maxCount: number) {
  const allocate = kernels.begin();
  const [valuesAt, weightsAt] = [allocate(4 * maxCount), allocate(4 * maxCount)];
  const [workAt, outAt] = [allocate(weightedWorkBytes(maxCount)), allocate(8 * SUMMARY_NUMBERS)];
  return (values: Float32Array, weights: Float32Array): Summary | null => {
    new Float32Array(kernels.buffer(), valuesAt, values.length).set(values);
    new Float32Array(kernels.buffer(), weightsAt, weights.length).set(weights);
    return measureWeighted(kernels, { valuesAt, weightsAt, count: values.length, workAt, outAt });
  };
}
