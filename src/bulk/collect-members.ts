import type { Summary } from '../numbers/index.ts';
import type { Allocate, Kernels, PixelWindow, ResultPlane } from '../raster/index.ts';
import type { MeasuredPiece } from '../zonal/measuring.ts';
import { CLOUD_FLAGS, makeCollectedValues, measureValues } from '../zonal/measuring.ts';
import type { CoveredShapes, Weights } from './cover-shapes.ts';
import { RUN } from './cover-shapes.ts';
import type { WeightedValues } from './weighted-values.ts';
import { summarizeWeighted } from './weighted-values.ts';

/** The input of the job that measures shapes in a window of a scene. */
export interface WindowJob {
  readonly piece: MeasuredPiece;
  /** Where the piece lies in the grid of the runs. */
  readonly window: PixelWindow;
  readonly covered: CoveredShapes;
  /** Shapes whose boxes meet the window. */
  readonly members: Uint32Array;
  readonly expressions: number;
  readonly weights: Weights;
}

/** The pixels of a window in the kernels' memory; without channels it has no data. */
export interface WindowPixels {
  readonly channels: readonly ResultPlane[] | null;
  readonly flagsAt: number;
  readonly allocate: Allocate;
}

/** Values of a shape in a window, for one expression. */
interface ShapeValues {
  readonly validPx: number;
  readonly cloudPx: number;
  measure(): Summary | null;
  /** The values as arrays of their own. */
  keep(): WeightedValues;
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
export const makeCollectShares: MakeCollect = (
  { window, covered, members },
  { channels, flagsAt },
  kernels,
) => {
  const size = maxOf(members, (shape) => covered.pixels[shape] as number);
  const [positions, shares] = [new Uint32Array(size), new Float32Array(size)];
  const [values, weights] = [new Float32Array(size), new Float32Array(size)];
  const pixels = window.width * window.height;
  const flags = flagsAt === 0 ? null : new Uint8Array(kernels.buffer(), flagsAt, pixels);
  let selected = 0;
  return {
    select(shape) {
      selected = clipShares(covered, shape, window, { positions, shares });
    },
    collected(expression) {
      const plane = channels?.[expression];
      let [count, validPx, cloudPx] = [0, 0, 0];
      if (plane !== undefined) {
        const own = new Float32Array(kernels.buffer(), plane.valuesAt, pixels);
        const mask = new Uint8Array(kernels.buffer(), plane.maskAt, pixels);
        for (let i = 0; i < selected; i += 1) {
          const at = positions[i] as number;
          const flag = flags === null ? 0 : (flags[at] as number);
          if (mask[at] === 0 || (flag & CLOUD_FLAGS.noData) !== 0) continue;
          const share = shares[i] as number;
          validPx += share;
          if ((flag & CLOUD_FLAGS.counted) !== 0) cloudPx += share;
          if ((flag & CLOUD_FLAGS.masked) !== 0) continue;
          values[count] = own[at] as number;
          weights[count] = share;
          count += 1;
        }
      }
      const found = { values: values.subarray(0, count), weights: weights.subarray(0, count) };
      return {
        validPx,
        cloudPx,
        measure: () => summarizeWeighted(found),
        keep: () => ({ values: found.values.slice(), weights: found.weights.slice() }),
      };
    },
  };
};

/** Lists the pixels of a shape in a window with their shares; gives their number. */
function clipShares(
  { runs, runEnds, weights }: CoveredShapes,
  shape: number,
  { x, y, width, height }: PixelWindow,
  { positions, shares }: { readonly positions: Uint32Array; readonly shares: Float32Array },
): number {
  let count = 0;
  for (let at = RUN * (runEnds[shape - 1] ?? 0); at < RUN * (runEnds[shape] as number); at += RUN) {
    const row = (runs[at] as number) - y;
    if (row < 0 || row >= height) continue;
    const from = runs[at + 1] as number;
    const weightsAt = runs[at + 3] as number;
    const last = Math.min(x + width, runs[at + 2] as number);
    for (let col = Math.max(x, from); col < last; col += 1) {
      positions[count] = row * width + col - x;
      shares[count] = weightsAt === 0 ? 1 : (weights[weightsAt - 1 + col - from] as number);
      count += 1;
    }
  }
  return count;
}

/** The largest of the sizes of shapes. */
export const maxOf = (shapes: Uint32Array, sizeOf: (shape: number) => number): number => {
  let max = 0;
  for (const shape of shapes) max = Math.max(max, sizeOf(shape));
  return max;
};

/** How many runs a shape has. */
export const countRuns = ({ runEnds }: CoveredShapes, shape: number): number =>
  (runEnds[shape] as number) - (runEnds[shape - 1] ?? 0);

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
