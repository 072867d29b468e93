import type { Summary } from '../numbers/index.ts';
import type { Kernels, PixelWindow } from '../raster/index.ts';
import { makeCollectedValues, measureValues } from '../zonal/measuring.ts';
import type { CoveredShapes } from './cover-shapes.ts';
import { measureWeighted } from './measure-weighted.ts';
import { RUN } from './run-list.ts';
import { NUMBERS, SUMMARY_NUMBERS } from './scene-numbers.ts';
import type { WeightedValues } from './weighted-values.ts';
import type { WindowJob, WindowPixels } from './window-job.ts';
import { countRuns, makeShapeMemory, maxOf, putJobs } from './window-job.ts';

/** Values of a shape in a window, for one expression. */
interface ShapeValues {
  readonly validPx: number;
  readonly cloudPx: number;
  measure(): Summary | null;
  /** The values as arrays of their own. */
  keep(): Readonly<Record<keyof WeightedValues, Float32Array<ArrayBuffer>>>;
}

/** Collects values shape by shape. */
interface CollectValues {
  select(shape: number): void;
  /** The values of the selected shape; valid until the next call. */
  collected(expression: number): ShapeValues;
}

type MakeCollect = (job: WindowJob, pixels: WindowPixels, kernels: Kernels) => CollectValues;

const NO_WEIGHTS = new Float32Array(0);

/** Collects the pixels that count by their centres, in the kernels' memory. */
export const makeCollectCentres: MakeCollect = (
  { window, covered, members },
  { channels, flagsAt, allocate },
  kernels,
) => {
  const spansAt = allocate(8 * maxOf(members, (shape) => countRuns(covered, shape)));
  const workAt = allocate(0);
  let clipped = { spanCount: 0, pixels: 0 };
  return {
    select(shape) {
      clipped = clipRuns(covered, shape, window, { kernels, spansAt });
    },
    collected(expression) {
      const own = kernels.begin(workAt);
      const values = makeCollectedValues(kernels, own, clipped.pixels);
      const plane = channels?.[expression];
      if (plane !== undefined) values.add({ ...plane, flagsAt, spansAt, spanCount: clipped.spanCount });
      const { valuesAt, count, validPx, cloudPx } = values;
      return {
        validPx,
        cloudPx,
        measure: () => measureValues(kernels, own, values),
        keep: () => ({
          values: new Float32Array(kernels.buffer(), valuesAt, count).slice(),
          weights: NO_WEIGHTS,
        }),
      };
    },
  };
};

/** Collects pixels with the share of each that the shape covers. */
export const makeCollectShares: MakeCollect = (job, pixels, kernels) => {
  const { covered, members } = job;
  const { channels, allocate } = pixels;
  if (channels === null) return { select: () => {}, collected: () => NOTHING };
  const most = {
    maxPx: maxOf(members, (shape) => covered.pixels[shape] as number),
    maxRuns: maxOf(members, (shape) => countRuns(covered, shape)),
  };
  const jobs = putJobs(job, { ...pixels, channels }, { ...most, kernels });
  const memory = makeShapeMemory(covered, most, { kernels, allocate });
  const outAt = allocate(8 * NUMBERS.length);
  let selected = { firstWeight: 0, runCount: 0 };
  return {
    select(shape) {
      selected = { firstWeight: memory.put(shape), runCount: countRuns(covered, shape) };
    },
    collected(expression) {
      const { firstWeight, runCount } = selected;
      const { runsAt, weightsAt } = memory;
      const jobAt = jobs.toAddress(expression);
      const count = kernels.run.collectShares(jobAt, runsAt, runCount, weightsAt, firstWeight, outAt);
      const [validPx, cloudPx] = new Float64Array(
        kernels.buffer(),
        outAt + 8 * SUMMARY_NUMBERS,
        2,
      ) as unknown as [number, number];
      const found = { valuesAt: jobs.collectedAt, weightsAt: jobs.collectedWeightsAt, count };
      const copy = (at: number) => new Float32Array(kernels.buffer(), at, count).slice();
      return {
        validPx,
        cloudPx,
        measure: () => measureWeighted(kernels, { ...found, workAt: jobs.workAt, outAt }),
        keep: () => ({ values: copy(found.valuesAt), weights: copy(found.weightsAt) }),
      };
    },
  };
};

/** What a window without data has of a shape. */
const NOTHING: ShapeValues = {
  validPx: 0,
  cloudPx: 0,
  measure: () => null,
  keep: () => ({ values: NO_WEIGHTS, weights: NO_WEIGHTS }),
};

/** Writes the runs of a shape in a window as spans of its pixels. */
function clipRuns(
  { runs, runEnds }: CoveredShapes,
  shape: number,
  { x, y, width, height }: PixelWindow,
  { kernels, spansAt }: { readonly kernels: Kernels; readonly spansAt: number },
): { readonly spanCount: number; readonly pixels: number } {
  const from = runEnds[shape - 1] ?? 0;
  const until = runEnds[shape] as number;
  const spans = new Uint32Array(kernels.buffer(), spansAt, 2 * (until - from));
  let [spanCount, pixels] = [0, 0];
  for (let at = RUN * from; at < RUN * until; at += RUN) {
    const row = (runs[at] as number) - y;
    if (row < 0 || row >= height) continue;
    const first = Math.max(0, (runs[at + 1] as number) - x);
    const last = Math.min(width, (runs[at + 2] as number) - x);
    if (first >= last) continue;
    spans[2 * spanCount] = row * width + first;
    spans[2 * spanCount + 1] = row * width + last;
    spanCount += 1;
    pixels += last - first;
  }
  return { spanCount, pixels };
}
